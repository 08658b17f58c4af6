import type { Ledger } from '../ledger.ts';
import type { Mailbox } from '../mailbox.ts';
import type { ReceivedEvent } from '../received-event.ts';
import { groupBy } from './group-by.ts';

/** No agent is told of another one's tasks, nor of what it did not ask for. */
export function checkRecipients(
  { tasks }: Pick<Ledger, 'tasks'>,
  { name, agentId, types }: Mailbox,
  received: readonly ReceivedEvent[],
): string[] {
  return received.flatMap(({ eventId, ...event }) => {
    const task = tasks.get(event.taskId);
    const isOwn =
      event.agentId === agentId &&
      (!task || agentId === (event.type === 'task.updated' ? task.requesterId : task.calleeId));
    return [
      ...(isOwn ? [] : [`${name}: event ${eventId} is for another agent`]),
      ...(types.includes(event.type) ? [] : [`${name}: ${event.type} was not asked for`]),
    ];
  });
}

/** What was acknowledged of a task comes in that order, looking at the first copy of each event. */
export function checkSequence(
  ledger: Pick<Ledger, 'due'>,
  mailbox: string,
  received: readonly ReceivedEvent[],
): string[] {
  const first = new Map(received.toReversed().map((event) => [event.eventId, event]));
  const came = groupBy(
    received.filter((event) => first.get(event.eventId) === event),
    keyOf,
  );
  const due = groupBy(
    ledger.due.filter((event) => event.mailbox === mailbox),
    keyOf,
  );
  return [...due].flatMap(([key, events]) => {
    const told = (came.get(key) ?? []).map(({ mark }) => mark);
    // What never came at all is told of elsewhere.
    const marks = events.map(({ mark }) => mark).filter((mark) => told.includes(mark));
    const isOrdered = isSubsequence(marks, told);
    return isOrdered
      ? []
      : [`${mailbox}: ${key}: told ${told.join()}, acknowledged ${marks.join()}`];
  });
}

function keyOf({ taskId, type }: Pick<ReceivedEvent, 'taskId' | 'type'>): string {
  return `${taskId} ${type}`;
}

/** A change whose first try was not answered may stand there twice, so more may be told than acknowledged. */
function isSubsequence(wanted: readonly string[], found: readonly string[]): boolean {
  let at = 0;
  for (const item of found) if (item === wanted[at]) at += 1;
  return at === wanted.length;
}
