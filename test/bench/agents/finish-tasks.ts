import { Pool } from 'undici';
import { type Moments, now } from '../load/orders.ts';
import { post } from '../load/post.ts';
import type { Agent } from './orders.ts';

interface OpenTask {
  readonly message: number;
  readonly taskId: string;
}

/** Completes tasks, as many at once as there are connections. @returns when each was asked for */
export async function finishTasks(
  agent: Agent,
  tasks: readonly OpenTask[],
  connections: number,
): Promise<Moments> {
  const pool = new Pool(agent.origin, { connections });
  const queue = tasks.values();
  const moments: Moments = [];
  const finishSome = async () => {
    // One iterator for all connections: each takes the next task that is left.
    for (const task of queue) {
      moments.push({ message: task.message, at: now() });
      await finish(pool, agent, task);
    }
  };
  await Promise.all(Array.from({ length: connections }, finishSome));
  await pool.close();
  return moments;
}

async function finish(pool: Pool, { origin, token }: Agent, { taskId }: OpenTask): Promise<void> {
  const target = {
    origin,
    path: `/v1/tasks/${taskId}/status`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  };
  const { status, body } = await post(pool, target, '{"state":"TASK_STATE_COMPLETED"}');
  if (status !== 200)
    throw new Error(`task ${taskId} was not finished: ${status} ${body.toString()}`);
}
