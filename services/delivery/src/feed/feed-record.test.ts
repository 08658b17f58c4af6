import { subscriptionIdSchema, timestampSchema } from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubscriptionRecord } from '../webhook/subscription.ts';
import {
  commonTypes,
  doneThrough,
  type FeedRecord,
  feedRecordSchema,
  isWebhookMode,
  newFeedRecord,
  type ReplicaState,
  typesInForce,
  withDone,
  withFullSyncComplete,
  withFullSyncDue,
  withoutSubscription,
  withReplica,
  withSubscription,
} from './feed-record.ts';
import type { OwedRange } from './owed.ts';
import { isAfter } from './position.ts';

const eventId = '0197b1c2-0000-7000-8000-000000000001';
const at = (sequence: number, index = 0) => ({ sequence, index, count: 2, eventId });
const replica = (state: Partial<ReplicaState>): ReplicaState => ({
  replicaId: 'one',
  accepts: undefined,
  goneReplicas: new Set(),
  epoch: 0,
  acked: 0,
  position: null,
  verified: null,
  ...state,
});
const acknowledged: FeedRecord = { ...newFeedRecord, acked: 3, position: at(7) };

const now = timestampSchema.parse('2026-01-02T03:04:05.678Z');
const subscription = (digit: number, targetUrl = 'https://example.com/'): SubscriptionRecord => ({
  id: subscriptionIdSchema.parse(`0197b1c2-0000-7000-8000-00000000000${digit}`),
  targetUrl,
  subscribedEvents: ['task.created'],
  isActive: true,
  secrets: [],
  headers: {},
  createdAt: now,
  updatedAt: now,
});
const owed = (sequence: number): OwedRange => ({
  from: { sequence, index: 0 },
  through: { sequence, index: 1 },
});

describe('a feed record', () => {
  it('is not written for consumers that accept everything', () => {
    expect(commonTypes([undefined, undefined])).toBeUndefined();
    expect(withReplica(newFeedRecord, replica({}))).toBeUndefined();
  });

  it('puts types in force that every replica accepts, and counts anew for other ones', () => {
    const accepts = commonTypes([new Set(['task.created', 'task.message']), undefined]);
    const changed = withReplica(acknowledged, replica({ accepts }));
    expect(changed).toMatchObject({ epoch: 1, acked: 3, accepts: { one: [...(accepts ?? [])] } });
    const two = { accepts: { ...changed?.accepts, two: ['task.message', 'of.the.future'] } };
    expect([...typesInForce(two)]).toEqual(['task.message']);
  });

  it('keeps its epoch when an entry changes and the types in force do not', () => {
    const record = { ...newFeedRecord, accepts: { two: ['task.message'] } };
    const accepts = new Set(['task.message', 'task.created'] as const);
    expect(withReplica(record, replica({ accepts }))?.epoch).toBe(0);
  });

  it('drops the entries of replicas that are gone', () => {
    const record = { ...newFeedRecord, accepts: { two: ['task.message'] } };
    const changed = withReplica(record, replica({ goneReplicas: new Set(['two']) }));
    expect(changed).toMatchObject({ accepts: {}, epoch: 1 });
  });

  it('takes acknowledgements of its own epoch that are further on, and no others', () => {
    const further = { acked: 4, position: at(7, 1) };
    expect(withReplica(acknowledged, replica(further))).toMatchObject(further);
    expect(withReplica(acknowledged, replica({ acked: 3, position: at(7) }))).toBeUndefined();
    expect(withReplica(acknowledged, replica({ ...further, epoch: 1 }))).toBeUndefined();
  });
});

describe('the mode of a feed', () => {
  it('is switched by the first and the last subscription, and counts the events anew', () => {
    const first = withSubscription(acknowledged, subscription(1));
    expect(first).toMatchObject({ epoch: 1, acked: 3, position: at(7) });
    const second = withSubscription(first, subscription(2));
    expect(second.epoch).toBe(1);
    const one = withoutSubscription(second, subscription(1).id, [owed(4)]);
    expect(one).toMatchObject({ epoch: 1, owed: [], subscriptions: [subscription(2)] });
    const none = withoutSubscription(one, subscription(2).id, [owed(5), owed(2)]);
    expect(none).toMatchObject({ epoch: 2, owed: [owed(2), owed(5)], position: at(7), acked: 3 });
    expect(isWebhookMode(none)).toBe(false);
  });

  it('stays when a subscription changes, or one goes that is not there', () => {
    const record = withSubscription(acknowledged, subscription(1));
    const changed = withSubscription(record, subscription(1, 'https://example.com/new'));
    expect(changed).toMatchObject({
      epoch: 1,
      subscriptions: [{ targetUrl: 'https://example.com/new' }],
    });
    expect(withoutSubscription(record, subscription(2).id, [owed(1)])).toBe(record);
    expect(withoutSubscription(acknowledged, subscription(2).id, [owed(1)])).toBe(acknowledged);
  });

  it('keeps the events that were owed before through another switch', () => {
    const record = withSubscription({ ...acknowledged, owed: [owed(2)] }, subscription(1));
    expect(record.owed).toEqual([owed(2)]);
    expect(withoutSubscription(record, subscription(1).id, [owed(4)]).owed).toHaveLength(2);
  });

  it('loses no event that is not done with, whatever the order of switches and deliveries', () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('add' as const), id: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        type: fc.constant('remove' as const),
        id: fc.integer({ min: 1, max: 3 }),
        owed: fc.array(fc.integer({ min: 1, max: 30 }).map(owed), { maxLength: 3 }),
      }),
      fc.record({ type: fc.constant('done' as const), sequence: fc.integer({ min: 1, max: 40 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let record: FeedRecord = { ...newFeedRecord, position: at(30, 1) };
        for (const next of steps) {
          const before = record;
          if (next.type === 'add') record = withSubscription(record, subscription(next.id));
          else if (next.type === 'remove') {
            record = withoutSubscription(record, subscription(next.id).id, next.owed);
          } else record = withDone(record, at(next.sequence, 1)) ?? record;
          const isSwitched = isWebhookMode(record) !== isWebhookMode(before);
          expect(record.epoch).toBe(before.epoch + (isSwitched ? 1 : 0));
          expect(isAfter(before.position, record.position)).toBe(false);
          if (next.type === 'done') {
            expect(isAfter(at(next.sequence, 1), doneThrough(record))).toBe(false);
          } else expect(record.owed.length).toBeGreaterThanOrEqual(before.owed.length);
          expect(feedRecordSchema.parse(record)).toEqual(record);
        }
      }),
    );
  });
});

describe('a feed that owes events', () => {
  const record: FeedRecord = { ...acknowledged, owed: [owed(2), owed(4)] };

  it('is done with them before it goes on behind its position', () => {
    expect(doneThrough(record)).toEqual({ sequence: 2, index: -1 });
    const begun = withReplica(record, replica({ acked: 4, position: at(2) }));
    expect(begun).toMatchObject({ acked: 4, position: at(7) });
    expect(begun?.owed[0]).toEqual({ ...owed(2), from: { sequence: 2, index: 1 } });
    expect(withDone(record, at(4, 1))).toMatchObject({ owed: [], position: at(7) });
    expect(withDone(record, at(9))).toMatchObject({ owed: [], position: at(9) });
  });
});

describe('a full sync', () => {
  const mark = { sequence: 20, gaps: 0, at: 0 };
  const left = { owed: [], position: null, verified: mark, restoredAt: 1 };

  it('stands under the next number until it is confirmed with exactly that one', () => {
    const due = withFullSyncDue(acknowledged, left);
    expect(due).toMatchObject({ fullSyncThrough: 4, acked: 3, epoch: 1, ...left });
    expect(withFullSyncComplete(due, 3)).toBeUndefined();
    const complete = withFullSyncComplete(due, 4);
    expect(complete).toMatchObject({ fullSyncThrough: null, acked: 4, epoch: 1 });
    expect(complete && withFullSyncComplete(complete, 4)).toBeUndefined();
  });
});

describe('the verified mark', () => {
  const mark = (at: number) => ({ sequence: 20, gaps: 0, at });

  it('is written once an hour', () => {
    const first = withReplica(acknowledged, replica({ verified: mark(1_000) }));
    expect(first).toMatchObject({ verified: mark(1_000), epoch: 0 });
    const later = (at: number) => first && withReplica(first, replica({ verified: mark(at) }));
    expect(later(3_600_999)).toBeUndefined();
    expect(later(3_601_000)).toMatchObject({ verified: mark(3_601_000) });
  });

  it('is not taken from another epoch', () => {
    expect(withReplica(acknowledged, replica({ verified: mark(0), epoch: 1 }))).toBeUndefined();
  });
});
