import { type EventType, eventTypes, type SubscriptionId } from '@relay/protocol';
import { z } from 'zod';
import { type SubscriptionRecord, subscriptionRecordSchema } from '../webhook/subscription.ts';
import { isOwed, mergeOwed, type OwedRange, owedAfter, owedRangeSchema } from './owed.ts';
import { isAfter, type Place, type Position, positionSchema } from './position.ts';

const hour = 3_600_000;

/** Where INBOX ended when nothing of the feed was pending: what is removed up to there is no loss. */
const verifiedMarkSchema = z.object({
  sequence: z.int().min(0),
  /** How many messages were missing between INBOX's first and last one. */
  gaps: z.int().min(0),
  /** Milliseconds since the epoch. */
  at: z.int(),
});
export type VerifiedMark = Readonly<z.infer<typeof verifiedMarkSchema>>;

/** How one agent receives its events, as all replicas know it. */
export const feedRecordSchema = z.object({
  /** Raised when the types in force or the mode change: numbers given before mean nothing after. */
  epoch: z.int().min(0),
  /** Before the position and not delivered: these come first. */
  owed: z.array(owedRangeSchema).readonly(),
  /** Behind the last event that was acknowledged or left out. */
  position: positionSchema.nullable(),
  /** How many events were acknowledged: the number of the last one. */
  acked: z.int().min(0),
  verified: verifiedMarkSchema.nullable(),
  /** Number up to which a full sync stands for the events; set until a client has confirmed it. */
  fullSyncThrough: z.int().min(1).nullable(),
  /** The last restore of the store from a backup for which a full sync was settled. */
  restoredAt: z.int().nullable().default(null),
  /** For each replica whose consumers leave types out: what all of them accept. */
  accepts: z.record(z.string(), z.array(z.string())),
  /** Webhook subscriptions; any, active or not, puts the agent in webhook mode. */
  subscriptions: z.array(subscriptionRecordSchema).readonly(),
});
export type FeedRecord = z.infer<typeof feedRecordSchema>;

/** The record of an agent that has acknowledged nothing yet. */
export const newFeedRecord: FeedRecord = {
  epoch: 0,
  owed: [],
  position: null,
  acked: 0,
  verified: null,
  fullSyncThrough: null,
  restoredAt: null,
  accepts: {},
  subscriptions: [],
};

/** Whether the agent gets its events by webhook, and so not by WebSocket. */
export function isWebhookMode({ subscriptions }: Pick<FeedRecord, 'subscriptions'>): boolean {
  return subscriptions.length > 0;
}

/** Whether the feed has still to bring an event. */
export function isAhead(
  { owed, position }: Pick<FeedRecord, 'owed' | 'position'>,
  place: Place,
): boolean {
  return isAfter(place, position) || isOwed(owed, place);
}

/** The record with a subscription added, or put in the place of the one with its id. The first one switches to webhooks. */
export function withSubscription(record: FeedRecord, subscription: SubscriptionRecord): FeedRecord {
  const { subscriptions } = record;
  const isNew = subscriptions.every(({ id }) => id !== subscription.id);
  return {
    ...record,
    subscriptions: isNew
      ? [...subscriptions, subscription]
      : subscriptions.map((other) => (other.id === subscription.id ? subscription : other)),
    epoch: isWebhookMode(record) ? record.epoch : record.epoch + 1,
  };
}

/**
 * The record without a subscription; without any left it is switched to WebSockets.
 * @param owed events that were still to be delivered by webhook; they count only at the switch
 */
export function withoutSubscription(
  record: FeedRecord,
  id: SubscriptionId,
  owed: readonly OwedRange[],
): FeedRecord {
  if (record.subscriptions.every((subscription) => subscription.id !== id)) return record;
  const subscriptions = record.subscriptions.filter((subscription) => subscription.id !== id);
  if (isWebhookMode({ subscriptions })) return { ...record, subscriptions };
  const merged = mergeOwed([...record.owed, ...owed]);
  return { ...record, subscriptions, owed: merged, epoch: record.epoch + 1 };
}

/** Behind the last event that is done with, in the order of the feed; `null` before the first. */
export function doneThrough({ owed, position }: Pick<FeedRecord, 'owed' | 'position'>) {
  const [first] = owed;
  if (!first) return position;
  return { sequence: first.from.sequence, index: first.from.index - 1 } satisfies Place;
}

/** The record when all of its feed up to a position is done with; undefined where it is already. */
export function withDone(record: FeedRecord, done: Position | null): FeedRecord | undefined {
  if (done === null || !isAfter(done, doneThrough(record))) return undefined;
  const position = isAfter(done, record.position) ? done : record.position;
  return { ...record, owed: owedAfter(record.owed, done), position };
}

/**
 * The record when events were removed before they were delivered: a full sync stands for them under the
 * next number, and what is left follows it.
 * @param left where what is left begins
 */
export function withFullSyncDue(
  record: FeedRecord,
  left: Pick<FeedRecord, 'owed' | 'position' | 'verified' | 'restoredAt'>,
): FeedRecord {
  return { ...record, ...left, fullSyncThrough: record.acked + 1, epoch: record.epoch + 1 };
}

/** The record when a client has confirmed a full sync; undefined where none with this number is due. */
export function withFullSyncComplete(record: FeedRecord, through: number): FeedRecord | undefined {
  if (record.fullSyncThrough !== through) return undefined;
  return { ...record, acked: through, fullSyncThrough: null };
}

/** Undefined stands for all types, also future ones. */
export type AcceptedTypes = ReadonlySet<EventType> | undefined;

/** The types that each of the consumers accepts. */
export function commonTypes(consumers: readonly AcceptedTypes[]): AcceptedTypes {
  const selective = consumers.filter((accepted) => accepted !== undefined);
  if (selective.length === 0) return undefined;
  return new Set(eventTypes.filter((type) => selective.every((accepted) => accepted.has(type))));
}

const allTypes: ReadonlySet<EventType> = new Set(eventTypes);

/** All that Relay sends, less what any replica's consumers leave out. */
export function typesInForce({ accepts }: Pick<FeedRecord, 'accepts'>): ReadonlySet<EventType> {
  const entries = Object.values(accepts);
  if (entries.length === 0) return allTypes;
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
  /** Behind the last event that is done with here; null where none is. */
  readonly position: Position | null;
  /** The last look that found nothing pending. */
  readonly verified: VerifiedMark | null;
}

/** The record with what the replica has to say; undefined where it says so already. */
export function withReplica(record: FeedRecord, replica: ReplicaState): FeedRecord | undefined {
  const isCurrent = replica.epoch === record.epoch;
  const progress = isCurrent ? withDone(record, replica.position) : undefined;
  const isVerified = isCurrent && isMarkDue(record, replica.verified);
  const accepts = withAccepts(record.accepts, replica);
  const hasNewEntries = !isSame(accepts, record.accepts);
  if (!progress && !isVerified && !hasNewEntries) return undefined;
  const hasNewTypes = !isSame([...typesInForce({ accepts })], [...typesInForce(record)]);
  return {
    ...record,
    ...(progress ? { ...progress, acked: replica.acked } : {}),
    ...(isVerified ? { verified: replica.verified } : {}),
    accepts,
    epoch: hasNewTypes ? record.epoch + 1 : record.epoch,
  };
}

/** A mark is worth a write once an hour. */
function isMarkDue({ verified }: FeedRecord, mark: VerifiedMark | null): boolean {
  return mark !== null && (verified === null || mark.at >= verified.at + hour);
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
