import type { InboxEvent, RecordedState } from '@relay/bus';
import { eventsOf, isOfTask } from '@relay/domain';
import { type AgentId, agentIdSchema } from '@relay/protocol';

/**
 * The events of a change for each agent that hears of it, each as its final bytes. Nobody hears of a
 * message in a chat from here: the chat itself tells of it.
 */
export function eventsByRecipient(
  recorded: RecordedState,
): ReadonlyMap<AgentId, readonly InboxEvent[]> {
  const recipients = new Map<AgentId, InboxEvent[]>();
  if (!isOfTask(recorded)) return recipients;
  const { change, snapshot } = recorded;
  const about = { lane: snapshot.task.id, revision: snapshot.revision, at: Date.parse(change.at) };
  for (const envelope of eventsOf(change, snapshot)) {
    const agentId = agentIdSchema.parse(envelope.agent_id);
    const event = {
      eventId: envelope.event_id,
      type: envelope.event_type,
      ...about,
      bytes: Buffer.from(JSON.stringify(envelope)),
    };
    const events = recipients.get(agentId);
    if (events) events.push(event);
    else recipients.set(agentId, [event]);
  }
  return recipients;
}
