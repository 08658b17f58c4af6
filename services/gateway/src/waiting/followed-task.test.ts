import type { RecordedTask } from '@relay/bus';
import { evolve, toContactCard, toRecordedChange } from '@relay/domain';
import {
  agentRecordSchema,
  changeIdSchema,
  RelayError,
  taskIdSchema,
  timestampAt,
  traceIdSchema,
} from '@relay/protocol';
import { beforeEach, expect, it } from 'vitest';
import { FollowedTask } from './followed-task.ts';

const id = '01a0537e-27a7-757c-a614-c28ca730478d';
const agent = agentRecordSchema.parse({
  id,
  handle: 'planner',
  display_name: 'Planner',
  subtitle: null,
  description: null,
  category: null,
  skills: [],
  image_url: null,
  visibility: 'public',
  owner_id: null,
  accepts_tasks: true,
  created_at: '2026-11-30T00:00:00.000Z',
  updated_at: '2026-11-30T00:00:00.000Z',
  tokens: [],
});

function recordedAt(revision: number): RecordedTask {
  const change = {
    type: 'submitted',
    id: changeIdSchema.parse(id),
    traceId: traceIdSchema.parse('a'.repeat(32)),
    at: timestampAt(0),
    revision,
    taskId: taskIdSchema.parse(id),
    requester: toContactCard({ agent, owner: undefined }),
    calleeId: agent.id,
    contextId: 'context',
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] },
    metadata: undefined,
  } as const;
  const snapshot = evolve(undefined, change);
  return {
    change: toRecordedChange(change),
    snapshot,
    sequence: revision,
    previous: 0,
    recordedBytes: 1,
  };
}

let task: FollowedTask;
let call: AbortController;
let stored: RecordedTask | 'unavailable' | undefined;

beforeEach(() => {
  stored = undefined;
  task = new FollowedTask(async () => {
    if (stored === 'unavailable') throw new RelayError('unavailable');
    return stored;
  });
  call = new AbortController();
});

const revisionAfter = async (revision: number) =>
  (await task.newerThan(revision, call.signal))?.snapshot.revision;

it('reads what came while nobody waited', async () => {
  task.offer(recordedAt(2));
  stored = recordedAt(3);
  expect(await revisionAfter(1)).toBe(3);
});

it('waits on where it cannot be read', async () => {
  task.offer(recordedAt(2));
  stored = 'unavailable';
  const waiting = revisionAfter(1);
  task.offer(recordedAt(2));
  expect(await waiting).toBe(2);
});

it('waits for what is newer, and wakes all who wait for it', async () => {
  task.offer(recordedAt(1));
  const waiting = [revisionAfter(1), revisionAfter(1), revisionAfter(2)];
  task.offer(recordedAt(2));
  expect(await Promise.all(waiting.slice(0, 2))).toEqual([2, 2]);
  task.offer(recordedAt(3));
  expect(await waiting[2]).toBe(3);
});

it('passes over what comes late', async () => {
  const waiting = revisionAfter(4);
  task.offer(recordedAt(4));
  task.offer(recordedAt(5));
  expect(await waiting).toBe(5);
});

it('stops waiting when the call has ended', async () => {
  const waiting = revisionAfter(0);
  call.abort();
  expect(await waiting).toBeUndefined();
  task.offer(recordedAt(1));
  expect(await revisionAfter(0)).toBeUndefined();
});
