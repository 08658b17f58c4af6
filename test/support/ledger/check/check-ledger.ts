import type { AgentClient } from '../agent-client.ts';
import type { StreamLedger } from '../event-stream.ts';
import type { DueEvent, Ledger } from '../ledger.ts';
import type { SocketMailbox, WebhookMailbox } from '../mailbox.ts';
import { checkChats } from './check-chats.ts';
import { checkDeadLetters } from './check-dead-letters.ts';
import { checkFeed } from './check-feed.ts';
import { checkRecipients, checkSequence } from './check-mailbox.ts';
import { checkOrder } from './check-order.ts';
import { checkSchedule, type Disturbance } from './check-schedule.ts';
import { checkStream } from './check-stream.ts';

export type { Disturbance } from './check-schedule.ts';

const readsAtOnce = 16;

export interface Ledgers {
  readonly ledger: Ledger;
  readonly streams: readonly StreamLedger[];
  readonly sockets: readonly SocketMailbox[];
  readonly webhooks: readonly WebhookMailbox[];
  /** By their ids. */
  readonly clients: ReadonlyMap<string, AgentClient>;
  readonly disturbances: readonly Disturbance[];
}

/** Finds everything that is not as acknowledged; an empty list is the proof. */
export async function checkLedger(ledgers: Ledgers): Promise<string[]> {
  const { ledger, streams, sockets, webhooks, clients, disturbances } = ledgers;
  const socketFaults = sockets.flatMap(({ name, receiver, ...mailbox }) => [
    ...receiver.faults.map((fault) => `${name}: ${fault}`),
    ...checkFeed(name, receiver.received),
    ...checkRecipients(ledger, { name, ...mailbox }, receiver.received),
    ...checkSequence(ledger, name, receiver.received),
  ]);
  const webhookFaults = webhooks.map(async ({ name, endpoint, subscriptionId, ...mailbox }) => {
    const dead = (await clients.get(mailbox.agentId)?.listDeadLetters(subscriptionId)) ?? new Set();
    return [
      ...endpoint.faults,
      ...checkRecipients(ledger, { name, ...mailbox }, endpoint.received),
      ...checkSequence(ledger, name, endpoint.received),
      ...checkDeadLetters(name, endpoint.received, dead),
      ...checkOrder(name, endpoint.received, dead),
      ...checkSchedule(name, endpoint.received, disturbances),
    ];
  });
  return [
    ...missingEvents(ledger),
    ...checkCopies([
      ...sockets.map(({ receiver }) => receiver.received),
      ...webhooks.map(({ endpoint }) => endpoint.received),
    ]),
    ...socketFaults,
    ...(await Promise.all(webhookFaults)).flat(),
    ...streams.flatMap(checkStream),
    ...(await checkTasks(ledger, clients)),
    ...(await checkChats(ledger, clients)),
  ];
}

/** What was acknowledged and did not come, neither to be taken nor to be refused. */
export function missingEvents(ledger: Ledger, due: readonly DueEvent[] = ledger.due): string[] {
  return due
    .filter((event) => ledger.arrivalOf(event) === undefined)
    .map(
      ({ mailbox, type, mark, taskId }) => `${mailbox}: ${type} ${mark} of ${taskId} never came`,
    );
}

/** Every copy of an event is the same to the letter. */
export function checkCopies(
  mailboxes: readonly (readonly { readonly eventId: string; readonly digest: string }[])[],
): string[] {
  const digests = new Map<string, string>();
  return mailboxes.flat().flatMap(({ eventId, digest }) => {
    const first = digests.get(eventId) ?? digest;
    digests.set(eventId, first);
    return first === digest ? [] : [`event ${eventId} came with other bytes`];
  });
}

/** Each task stands as it was acknowledged last. */
async function checkTasks(
  { tasks, states }: Ledger,
  clients: ReadonlyMap<string, AgentClient>,
): Promise<string[]> {
  const left = [...tasks];
  const faults: string[] = [];
  const readSome = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [taskId, { requesterId }] = next;
      const stored = (await clients.get(requesterId)?.getTask(taskId))?.status.state;
      const acknowledged = states.get(taskId);
      if (acknowledged !== undefined && stored !== acknowledged) {
        faults.push(`task ${taskId} is ${stored}, acknowledged was ${acknowledged}`);
      }
    }
  };
  await Promise.all(Array.from({ length: readsAtOnce }, readSome));
  return faults;
}
