import { type ListTasksRequest, type ListTasksResponse, Task } from '@a2a-js/sdk';
import { resolveUserScope, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server';
import type { Redis } from 'ioredis';

const defaultPageSize = 50;

/** The store one would write first: the JSON of each task, and for lists each owner's ids by time. */
export class RedisTaskStore implements TaskStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async save(task: Task, context: ServerCallContext): Promise<void> {
    const owner = resolveUserScope(context);
    await this.#redis
      .pipeline()
      .set(taskKey(owner, task.id), JSON.stringify(Task.toJSON(task)))
      .zadd(listKey(owner), Date.now(), task.id)
      .exec();
  }

  async load(taskId: string, context: ServerCallContext): Promise<Task | undefined> {
    const json = await this.#redis.get(taskKey(resolveUserScope(context), taskId));
    return json === null ? undefined : Task.fromJSON(JSON.parse(json));
  }

  async list(
    { pageSize = defaultPageSize }: ListTasksRequest,
    context: ServerCallContext,
  ): Promise<ListTasksResponse> {
    const owner = resolveUserScope(context);
    const ids = await this.#redis.zrevrange(listKey(owner), 0, pageSize - 1);
    const found = await Promise.all(ids.map((id) => this.load(id, context)));
    const tasks = found.filter((task) => task !== undefined);
    return {
      tasks,
      pageSize,
      nextPageToken: '',
      totalSize: await this.#redis.zcard(listKey(owner)),
    };
  }
}

const taskKey = (owner: string, taskId: string) => `task:${owner}:${taskId}`;
const listKey = (owner: string) => `tasks:${owner}`;
