import type { SocketEvent } from '../event-receiver.ts';

/** One number for each event, one event for each number, and no number left out. */
export function checkFeed(mailbox: string, received: readonly SocketEvent[]): string[] {
  const byId = new Map<string, number>();
  const bySequence = new Map<number, string>();
  const faults = received.flatMap(({ eventId, sequence }) => {
    const first = byId.get(eventId) ?? sequence;
    const other = bySequence.get(sequence) ?? eventId;
    byId.set(eventId, first);
    bySequence.set(sequence, other);
    return [
      ...(first === sequence ? [] : [`${mailbox}: event ${eventId} is in the feed twice`]),
      ...(other === eventId ? [] : [`${mailbox}: number ${sequence} was given to two events`]),
    ];
  });
  const last = Math.max(0, ...bySequence.keys());
  const isWhole = bySequence.size === last;
  return isWhole ? faults : [...faults, `${mailbox}: ${bySequence.size} events up to ${last}`];
}
