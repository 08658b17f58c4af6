import type { AgentClient } from './agent-client.ts';
import type { EventReceiver, ReceivedEvent } from './event-receiver.ts';

/** What the relay acknowledged, written down by those it told. */
export interface Ledger {
  /** Ids of the tasks whose creation was acknowledged. */
  readonly tasks: Set<string>;
  /** Acknowledged states of each task, in order. */
  readonly states: Map<string, string[]>;
}

/** Finds everything that is not as acknowledged; an empty list is the proof. */
export async function checkLedger(
  ledger: Ledger,
  requester: { client: AgentClient; receiver: EventReceiver },
  callee: { receiver: EventReceiver },
): Promise<string[]> {
  const faults = [...requester.receiver.faults, ...callee.receiver.faults];
  for (const taskId of ledger.tasks) {
    const states = ledger.states.get(taskId) ?? [];
    const task = await requester.client.getTask(taskId);
    const last = states.at(-1);
    if (last && task.status.state !== last) {
      faults.push(`task ${taskId} is ${task.status.state}, acknowledged was ${last}`);
    }
  }
  return [
    ...faults,
    ...checkFeed('callee', callee.receiver.received),
    ...checkFeed('requester', requester.receiver.received),
    ...missingEvents(ledger, requester.receiver.received, callee.receiver.received),
  ];
}

/** One number for each event, one event for each number, and the same bytes each time. */
function checkFeed(side: string, received: readonly ReceivedEvent[]): string[] {
  const byId = new Map<string, ReceivedEvent>();
  const bySequence = new Map<number, string>();
  return received.flatMap((event) => {
    const first = byId.get(event.eventId);
    const other = bySequence.get(event.sequence);
    byId.set(event.eventId, first ?? event);
    bySequence.set(event.sequence, event.eventId);
    return [
      ...(first && first.sequence !== event.sequence
        ? [`${side}: event ${event.eventId} is in the feed twice`]
        : []),
      ...(first && first.text !== event.text
        ? [`${side}: event ${event.eventId} came with other bytes`]
        : []),
      ...(other && other !== event.eventId
        ? [`${side}: number ${event.sequence} was given to two events`]
        : []),
    ];
  });
}

function missingEvents(
  { tasks, states }: Ledger,
  toRequester: readonly ReceivedEvent[],
  toCallee: readonly ReceivedEvent[],
): string[] {
  const created = new Set(toCallee.filter(isOf('task.created')).map(({ taskId }) => taskId));
  const told = statesTold(toRequester);
  return [...tasks].flatMap((taskId) => [
    ...(created.has(taskId) ? [] : [`task.created of ${taskId} never came`]),
    ...(isSubsequence(states.get(taskId) ?? [], told.get(taskId) ?? [])
      ? []
      : [
          `task ${taskId}: told ${list(told.get(taskId))}, acknowledged ${list(states.get(taskId))}`,
        ]),
  ]);
}

/** The states of each task in the order in which its events stand in the feed, each event once. */
function statesTold(received: readonly ReceivedEvent[]): Map<string, string[]> {
  const told = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { eventId, taskId, text } of received.filter(isOf('task.updated'))) {
    const state = /"status":\{"state":"(\w+)"/.exec(text)?.[1] ?? '';
    if (!seen.has(eventId)) told.set(taskId, [...(told.get(taskId) ?? []), state]);
    seen.add(eventId);
  }
  return told;
}

function list(names: readonly string[] = []): string {
  return names.join(', ') || 'nothing';
}

function isOf(type: string): (event: ReceivedEvent) => boolean {
  return (event) => event.type === type;
}

/** A change whose first try was not answered may stand there twice, so more may be told than acknowledged. */
function isSubsequence(wanted: readonly string[], found: readonly string[]): boolean {
  let at = 0;
  for (const item of found) if (item === wanted[at]) at += 1;
  return at === wanted.length;
}
