import { randomUUID } from 'node:crypto';
import { type Bus, inboxLimits, noMarks } from '@relay/bus';
import type { AgentId } from '@relay/protocol';

/**
 * Appends so many messages of small events to an inbox, full ones unless told otherwise.
 * @returns the ids of the events, in order
 */
export async function fillInbox(
  bus: Bus,
  agentId: AgentId,
  messages: number,
  eventsInEach: number = inboxLimits.events,
): Promise<string[]> {
  const eventIds: string[] = [];
  let last = (await bus.inbox.readLast(agentId))?.sequence ?? 0;
  for (let n = 0; n < messages; n += 1) {
    const events = Array.from({ length: eventsInEach }, smallEvent);
    const outcome = await bus.inbox.append(agentId, events, noMarks(bus), last);
    if (outcome.type !== 'appended') throw new Error(`not appended: ${outcome.type}`);
    last = outcome.sequence;
    eventIds.push(...events.map(({ eventId }) => eventId));
  }
  return eventIds;
}

function smallEvent() {
  const eventId = randomUUID();
  const type = 'task.canceled' as const;
  return {
    eventId,
    type,
    lane: randomUUID(),
    revision: 1,
    at: Date.now(),
    bytes: Buffer.from(JSON.stringify({ event_id: eventId, event_type: type })),
  };
}
