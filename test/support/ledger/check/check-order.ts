import type { WebhookRequest } from '../webhook-endpoint.ts';
import { groupBy } from './group-by.ts';

interface Settled {
  readonly revision: number;
  readonly firstAt: number;
  /** When it was first taken or rejected. */
  readonly settledAt: number;
}

/**
 * An event of a task comes to an endpoint for the first time only when the one before it is settled there.
 * Later copies may come behind newer events: after a crash, and from a process that was paused.
 * @param dead ids of the events that were given up
 */
export function checkOrder(
  mailbox: string,
  received: readonly WebhookRequest[],
  dead: ReadonlySet<string>,
): string[] {
  // A failure is told of long after the message that it is about.
  const changes = received.filter(({ type }) => type !== 'message.failed');
  return [...groupBy(changes, ({ taskId }) => taskId)].flatMap(([taskId, requests]) => {
    const events = [...groupBy(requests, ({ eventId }) => eventId)].map(([id, copies]) =>
      settlementOf(copies, dead.has(id)),
    );
    const ordered = events.toSorted((one, other) => one.revision - other.revision);
    return ordered.flatMap(({ revision, firstAt }, index) => {
      const before = ordered[index - 1];
      return !before || before.settledAt <= firstAt
        ? []
        : [`${mailbox}: revision ${revision} of ${taskId} overtook ${before.revision}`];
    });
  });
}

function settlementOf(copies: readonly WebhookRequest[], isDead: boolean): Settled {
  const [first] = copies;
  if (!first) throw new Error('no copies');
  const taken = copies.filter(({ answer }) => answer === 'accepted' || answer === 'rejected');
  const ends = (taken.length > 0 || !isDead ? taken : copies).map(({ endedAt }) => endedAt);
  const settledAt = Math.min(Number.POSITIVE_INFINITY, ...ends);
  return { revision: first.revision, firstAt: first.at, settledAt };
}
