import { setTimeout as sleep } from 'node:timers/promises';
import { atOnce } from '../load/at-once.ts';
import { type Moments, now } from '../load/orders.ts';
import { post } from '../load/post.ts';
import { serveCalls } from '../remote/serve-calls.ts';
import { type UpdateOrder, updateSchema } from './orders.ts';

/** Enough that none waits for another while Relay keeps up. */
const connections = 128;
let updates = 0;

serveCalls({ update: (order) => update(updateSchema.parse(order)) });

/** @returns when each update was asked for, by its number */
async function update(order: UpdateOrder): Promise<Moments> {
  const { taskIds, perSecond } = order;
  const { origin, token } = order.callee;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const moments: Moments = [];
  const first = updates;
  updates += order.updates;
  const startedAt = performance.now();
  await atOnce(origin, connections, order.updates, async (pool, index) => {
    const early = startedAt + (index * 1_000) / perSecond - performance.now();
    if (early > 1) await sleep(early);
    const number = first + index;
    const path = `/v1/tasks/${taskIds[index % taskIds.length]}/status`;
    moments.push({ message: number, at: now() });
    const answer = await post(pool, { origin, path, headers }, bodyOf(number));
    if (answer.status !== 200) throw new Error(`not updated: ${answer.body.toString()}`);
  });
  return moments;
}

function bodyOf(number: number): string {
  const parts = [{ text: `update ${number}` }];
  return JSON.stringify({
    state: 'WORKING',
    message: { messageId: `update-${number}`, role: 'ROLE_AGENT', parts },
  });
}
