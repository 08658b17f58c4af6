import { describe, expect, it } from 'vitest';
import {
  commonTypes,
  type FeedRecord,
  newFeedRecord,
  type ReplicaState,
  typesInForce,
  withReplica,
} from './feed-record.ts';

const eventId = '0197b1c2-0000-7000-8000-000000000001';
const at = (sequence: number, index = 0) => ({ sequence, index, count: 2, eventId });
const replica = (state: Partial<ReplicaState>): ReplicaState => ({
  replicaId: 'one',
  accepts: undefined,
  goneReplicas: new Set(),
  epoch: 0,
  acked: 0,
  position: null,
  ...state,
});
const acknowledged: FeedRecord = { ...newFeedRecord, acked: 3, position: at(7) };

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
