import { type EventType, eventTypes } from '@relay/protocol';
import { z } from 'zod';
import { subscriptionRecordSchema } from '../webhook/subscription.ts';
import { isAfter, type Position, positionSchema } from './position.ts';

/** How one agent receives its events, as all replicas know it. */
export const feedRecordSchema = z.object({
  /** Raised when the types in force change: numbers given before mean nothing after. */
  epoch: z.int().min(0),
  /** Behind the last event that was acknowledged or left out. */
  position: positionSchema.nullable(),
  /** How many events were acknowledged: the number of the last one. */
  acked: z.int().min(0),
  /** For each replica whose consumers leave types out: what all of them accept. */
  accepts: z.record(z.string(), z.array(z.string())),
  /** Webhook subscriptions; any, active or not, puts the agent in webhook mode. */
  subscriptions: z.array(subscriptionRecordSchema),
});
export type FeedRecord = z.infer<typeof feedRecordSchema>;

/** The record of an agent that has acknowledged nothing yet. */
export const newFeedRecord: FeedRecord = {
  epoch: 0,
  position: null,
  acked: 0,
  accepts: {},
  subscriptions: [],
};

/** Undefined stands for all types, also future ones. */
export type AcceptedTypes = ReadonlySet<EventType> | undefined;

/** The types that each of the consumers accepts. */
export function commonTypes(consumers: readonly AcceptedTypes[]): AcceptedTypes {
  const selective = consumers.filter((accepted) => accepted !== undefined);
  if (selective.length === 0) return undefined;
  return new Set(eventTypes.filter((type) => selective.every((accepted) => accepted.has(type))));
}

/** All that Relay sends, less what any replica's consumers leave out. */
export function typesInForce({ accepts }: Pick<FeedRecord, 'accepts'>): ReadonlySet<EventType> {
  const entries = Object.values(accepts);
  return new Set(eventTypes.filter((type) => entries.every((entry) => entry.includes(type))));
}

/** What one replica has to say about a feed. */
export interface ReplicaState {
  readonly replicaId: string;
  readonly accepts: AcceptedTypes;
  /** Replicas that are no more; what their consumers left out counts no longer. */
  readonly goneReplicas: ReadonlySet<string>;
  readonly epoch: number;
  readonly acked: number;
  readonly position: Position | null;
}

/** The record with what the replica has to say; undefined where it says so already. */
export function withReplica(record: FeedRecord, replica: ReplicaState): FeedRecord | undefined {
  const accepts = withAccepts(record.accepts, replica);
  const isProgress = replica.epoch === record.epoch && isAfter(replica.position, record.position);
  if (!isProgress && isSame(accepts, record.accepts)) return undefined;
  const hasNewTypes = !isSame([...typesInForce({ accepts })], [...typesInForce(record)]);
  return {
    ...record,
    ...(isProgress ? { acked: replica.acked, position: replica.position } : {}),
    accepts,
    epoch: hasNewTypes ? record.epoch + 1 : record.epoch,
  };
}

function withAccepts(
  recorded: FeedRecord['accepts'],
  { replicaId, accepts, goneReplicas }: ReplicaState,
): FeedRecord['accepts'] {
  const entries = new Map(Object.entries(recorded));
  for (const gone of goneReplicas) entries.delete(gone);
  if (accepts === undefined) entries.delete(replicaId);
  else entries.set(replicaId, [...accepts]);
  return Object.fromEntries(entries);
}

/** A change keeps the order of what it does not change. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
