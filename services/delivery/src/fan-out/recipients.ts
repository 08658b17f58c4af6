import type { InboxEvent } from '@relay/bus';
import { type AgentId, agentIdSchema, type EventEnvelope } from '@relay/protocol';

/** The events of a change for each agent that hears of it, each as its final bytes. */
export function eventsByRecipient(
  envelopes: readonly EventEnvelope[],
  about: Pick<InboxEvent, 'lane' | 'revision' | 'at'>,
): ReadonlyMap<AgentId, readonly InboxEvent[]> {
  const recipients = new Map<AgentId, InboxEvent[]>();
  for (const envelope of envelopes) {
    const agentId = agentIdSchema.parse(envelope.agent_id);
    const event = {
      eventId: envelope.event_id,
      type: envelope.event_type,
      bytes: Buffer.from(JSON.stringify(envelope)),
      ...about,
    };
    const events = recipients.get(agentId);
    if (events) events.push(event);
    else recipients.set(agentId, [event]);
  }
  return recipients;
}
