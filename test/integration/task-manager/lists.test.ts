import type { TaskCommand } from '@relay/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  IndexedTaskLists,
  type TaskListQuery,
} from '../../../services/gateway/src/lists/indexed-task-lists.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';
import { taskCommands, testContact } from '../../support/task-commands.ts';
import { startTestTaskManager, type TestTaskManager } from '../../support/task-manager.ts';

let nats: TestServer;
let redis: TestServer;
let manager: TestTaskManager;
let lists: IndexedTaskLists;

beforeAll(async () => {
  [nats, redis] = await Promise.all([startNats(), startRedis()]);
  manager = await startTestTaskManager(nats.url, redis.url);
  lists = new IndexedTaskLists(manager.bus, manager.index);
});

afterAll(async () => {
  lists?.close();
  await manager?.close();
  await Promise.all([nats?.stop(), redis?.stop()]);
});

const execute = async (command: TaskCommand) => {
  const reply = await manager.commands.execute(command, Date.now() + 10_000);
  if (reply.type !== 'done') throw new Error(JSON.stringify(reply));
  return reply.snapshot;
};

async function listAll(query: Omit<TaskListQuery, 'pageSize' | 'pageToken'>, pageSize: number) {
  const pages: string[][] = [];
  let pageToken: string | undefined;
  do {
    const page = await lists.list({ ...query, pageSize, pageToken });
    pages.push([...page.taskIds]);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return pages;
}

describe('task lists', () => {
  it('show each acknowledged task at once, never stale', async () => {
    const requester = testContact('planner');
    for (let n = 1; n <= 40; n += 1) {
      const { submit } = taskCommands(requester);
      await execute(submit());
      const { totalSize } = await lists.list({ requesterId: requester.id, pageSize: 1 });
      expect(totalSize).toBe(n);
    }
  });

  it('page through everything once, latest first, also when all came in one moment', async () => {
    const requester = testContact('planner');
    const callee = testContact('worker');
    const snapshots = await Promise.all(
      Array.from({ length: 60 }, () => execute(taskCommands(requester, callee).submit())),
    );
    const query = { requesterId: requester.id, calleeId: callee.id };
    const pages = await listAll(query, 7);
    expect(pages.length).toBe(9);
    const ids = pages.flat();
    expect(new Set(ids)).toEqual(new Set(snapshots.map(({ task }) => task.id)));
    expect(ids.length).toBe(60);
    const timestamps = ids.map(
      (id) => snapshots.find(({ task }) => task.id === id)?.task.status.timestamp ?? '',
    );
    expect(timestamps).toEqual(timestamps.toSorted().toReversed());
  });

  it('filter by state, context and time of status', async () => {
    const requester = testContact('planner');
    const callee = testContact('worker');
    const first = taskCommands(requester, callee);
    const second = taskCommands(requester, callee);
    const { task } = await execute(first.submit());
    await execute(second.submit());
    const working = await execute(second.status('WORKING'));
    const query = { requesterId: requester.id, calleeId: callee.id, pageSize: 10 };
    const ids = async (filter: Partial<TaskListQuery>) =>
      (await lists.list({ ...query, ...filter })).taskIds;
    expect(await ids({})).toEqual([second.taskId, first.taskId]);
    expect(await ids({ state: 'TASK_STATE_SUBMITTED' })).toEqual([first.taskId]);
    expect(await ids({ state: 'TASK_STATE_WORKING' })).toEqual([second.taskId]);
    expect(await ids({ contextId: task.contextId })).toEqual([first.taskId]);
    expect(await ids({ contextId: 'none' })).toEqual([]);
    const statusAfter = Date.parse(working.task.status.timestamp);
    expect(await ids({ statusAfter })).toContain(second.taskId);
    expect(await ids({ statusAfter: statusAfter + 1 })).toEqual([]);
  });

  it('refuse a page token of another list, or none at all', async () => {
    const requester = testContact('planner');
    const callee = testContact('worker');
    await execute(taskCommands(requester, callee).submit());
    await execute(taskCommands(requester, callee).submit());
    const query = { requesterId: requester.id, pageSize: 1 };
    const { nextPageToken } = await lists.list(query);
    const other = { requesterId: callee.id, pageSize: 1 };
    for (const pageToken of [nextPageToken, 'x', '%%', 'bnVsbA']) {
      await expect(lists.list({ ...other, pageToken })).rejects.toMatchObject({
        refusal: { error: 'invalidParams' },
      });
    }
  });

  it('are whole again by themselves when Redis was flushed, and while it happens', async () => {
    const requester = testContact('planner');
    const submitted = await Promise.all(
      Array.from({ length: 30 }, () => execute(taskCommands(requester).submit())),
    );
    expect((await lists.list({ requesterId: requester.id, pageSize: 1 })).totalSize).toBe(30);
    await manager.flushIndex();
    const { totalSize } = await lists.list({ requesterId: requester.id, pageSize: 1 });
    expect(totalSize).toBe(submitted.length);
  });

  it('are refused for now while Redis is away, and come back with it', async () => {
    const requester = testContact('planner');
    await execute(taskCommands(requester).submit());
    await redis.kill();
    await expect(lists.list({ requesterId: requester.id, pageSize: 1 })).rejects.toMatchObject({
      refusal: { error: 'unavailable' },
    });
    await execute(taskCommands(requester).submit());
    await redis.restart();
    await expect
      .poll(() =>
        lists.list({ requesterId: requester.id, pageSize: 1 }).then(
          ({ totalSize }) => totalSize,
          () => 'unavailable',
        ),
      )
      .toBe(2);
  });
});
