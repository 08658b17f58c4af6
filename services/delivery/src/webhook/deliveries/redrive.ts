import { type Bus, type DeliveryKey, readDelivery, readDeliveryKey, unavailable } from '@relay/bus';
import type { DeliveryCommand } from '@relay/domain';
import {
  type AgentId,
  type RedriveAnswer,
  RelayError,
  type SubscriptionId,
  type TaskId,
} from '@relay/protocol';
import type { PushConfigStore } from '../../push/push-config-store.ts';
import { asRedriven } from '../record-changes.ts';
import { scanDeliveries } from '../scan-deliveries.ts';
import type { SubscriptionStore } from '../subscriptions/subscription-store.ts';
import { fits } from './delivery-filter.ts';
import { readStored, type StoredDelivery } from './delivery-view.ts';

const redrivenAtOnce = 32;
/** Time for the answer to come back to who asked. */
const reserveMilliseconds = 1_000;

export interface RedriveContext {
  readonly bus: Bus;
  readonly subscriptions: SubscriptionStore;
  readonly pushConfigs: PushConfigStore;
}

/** Of many at once, so without what they hold. */
interface Found extends Pick<StoredDelivery, 'key' | 'sequence'> {
  /** Of a push notification: its task. */
  readonly taskId: TaskId | undefined;
}

/**
 * Makes a delivery that is held or given up due at a moment.
 * @returns the delivery as it is then; undefined where it was changed meanwhile
 * @throws RelayError unavailable; conflict where its body is gone
 */
export async function redrive(
  bus: Bus,
  { key, sequence }: Pick<StoredDelivery, 'key' | 'sequence'>,
  dueAt: number,
): Promise<StoredDelivery | undefined> {
  const message = await bus.deliveries.stream.readAt(sequence);
  if (!message) return undefined;
  const { record, attempts } = readStored(message);
  if (!record.hasBody) throw conflict('Its body is gone.');
  const written = asRedriven({ record, attempts, body: message.data }, dueAt);
  const outcome = await bus.deliveries.write({ key, ...written }, sequence);
  if (outcome.type === 'conflict') return undefined;
  if (outcome.type !== 'appended') throw unavailable();
  return { key, record: written.record, attempts, sequence: outcome.sequence };
}

/**
 * Redrives what fits, oldest event first, so many a second. What the deadline leaves no time for stays as
 * it is: `redriven` tells how many were.
 */
export async function redriveAll(
  context: RedriveContext,
  command: DeliveryCommand<'redrive-deliveries'>,
  deadline: number,
): Promise<RedriveAnswer> {
  const found = await findRedrivable(context, command);
  const now = Date.now();
  let redriven = 0;
  for (let at = 0; at < found.length && !command.isDryRun; at += redrivenAtOnce) {
    if (Date.now() > deadline - reserveMilliseconds) break;
    const some = found.slice(at, at + redrivenAtOnce);
    const outcomes = await Promise.all(
      some.map((each, index) => {
        const dueAt = now + Math.floor(((at + index) * 1_000) / command.perSecond);
        return redrive(context.bus, each, dueAt);
      }),
    );
    redriven += outcomes.filter((outcome) => outcome !== undefined).length;
  }
  return { matched: found.length, redriven };
}

/** @throws RelayError conflict where its subscription, or push notification config, is gone or turned off */
export async function requireActive(
  context: RedriveContext,
  { key, record }: Pick<StoredDelivery, 'key' | 'record'>,
): Promise<void> {
  if (record.push) {
    if (await isPushed(context, key, record.push.taskId)) return;
    throw conflict('Its push notification config is deleted.');
  }
  if ((await activeSubscriptions(context, key.agentId)).has(key.subscriptionId)) return;
  throw conflict('Its subscription is turned off or deleted.');
}

/** Those that are held or given up, oldest event first. */
async function findRedrivable(
  context: RedriveContext,
  { agentId, filter }: DeliveryCommand<'redrive-deliveries'>,
): Promise<readonly Found[]> {
  const active = await activeSubscriptions(context, agentId);
  const found = new Map<string, Found>();
  await scanDeliveries(context.bus, agentId, (message) => {
    const [key, record] = [readDeliveryKey(message), readDelivery(message)];
    // What is read again is another state of the same.
    found.delete(message.subject);
    const isRedrivable = record.status !== 'pending' && record.hasBody;
    if (!isRedrivable || !(record.push || active.has(key.subscriptionId))) return;
    if (!fits(filter, key, record)) return;
    found.set(message.subject, { key, sequence: message.sequence, taskId: record.push?.taskId });
  });
  const redrivable = await withPushConfigs(context, found.values());
  return redrivable.toSorted(
    ({ key: one }, { key: other }) => one.sequence - other.sequence || one.index - other.index,
  );
}

/** Without the push notifications whose configs are deleted. */
async function withPushConfigs(
  context: RedriveContext,
  found: Iterable<Found>,
): Promise<readonly Found[]> {
  const kept: Found[] = [];
  for (const each of found) {
    const { key, taskId } = each;
    if (taskId === undefined || (await isPushed(context, key, taskId))) kept.push(each);
  }
  return kept;
}

async function isPushed(
  { pushConfigs }: RedriveContext,
  { index }: DeliveryKey,
  taskId: TaskId,
): Promise<boolean> {
  const record = await pushConfigs.read(taskId);
  return record?.configs.some(({ number }) => number === index) === true;
}

async function activeSubscriptions(
  { subscriptions }: RedriveContext,
  agentId: AgentId,
): Promise<ReadonlySet<SubscriptionId>> {
  const list = await subscriptions.list(agentId);
  return new Set(list.filter(({ isActive }) => isActive).map(({ id }) => id));
}

function conflict(message: string): RelayError {
  return new RelayError({ error: 'conflict', message });
}
