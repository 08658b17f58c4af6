import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { atOnce } from '../load/at-once.ts';
import { nextMessage } from '../load/messages.ts';
import { now } from '../load/orders.ts';
import { post } from '../load/post.ts';
import { serveCalls } from '../remote/serve-calls.ts';
import { bareSchema, completeSchema, type Moment, type Open, openSchema } from './orders.ts';

/** What a status says, so that its event has about 2 KB. */
const statusText = 'All of the notes are in the summary, one section for each of them. '.repeat(7);
const eventBytes = 2_048;
const idPattern = /"task":\{"id":"([0-9a-f-]{36})"/;
const opening = 32;

let open: Open | undefined;
let taskIds: string[] = [];

serveCalls({
  open: async (order) => {
    open = openSchema.parse(order);
    taskIds = [];
    await openTasks(open);
  },
  complete: (order) => completeTasks(completeSchema.parse(order)),
  bare: (order) => postBare(bareSchema.parse(order)),
});

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'a2a-version': '1.0',
});

async function openTasks({ origin, callee, requesters, tasks }: Open): Promise<void> {
  await atOnce(origin, opening, tasks, async (pool, number) => {
    const { token = '' } = requesters[number % requesters.length] ?? {};
    const target = { origin, path: `/${callee.handle}`, headers: headersOf(token) };
    const { body } = await post(pool, target, nextMessage('immediate').body);
    const taskId = idPattern.exec(body.toString())?.[1];
    if (taskId === undefined) throw new Error(`no task: ${body.toString()}`);
    taskIds.push(taskId);
  });
}

/** @returns when each was asked for */
async function completeTasks(order: { connections: number; perSecond?: number | undefined }) {
  const { connections, perSecond } = order;
  if (!open) throw new Error('there are no tasks');
  const { origin, callee } = open;
  const moments: Moment[] = [];
  const message = { messageId: 'done', role: 'ROLE_AGENT', parts: [{ text: statusText }] };
  const body = JSON.stringify({ state: 'TASK_STATE_COMPLETED', message });
  const startedAt = performance.now();
  await atOnce(origin, connections, taskIds.length, async (pool, number) => {
    const due = perSecond === undefined ? 0 : startedAt + (number * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    const taskId = taskIds[number] ?? '';
    moments.push({ taskId, at: now() });
    const target = { origin, path: `/v1/tasks/${taskId}/status`, headers: headersOf(callee.token) };
    const answer = await post(pool, target, body);
    if (answer.status !== 200) throw new Error(`not completed: ${answer.body.toString()}`);
  });
  return moments;
}

/** @returns requests a second */
async function postBare(order: { origin: string; connections: number; requests: number }) {
  const { origin, connections, requests } = order;
  const key = randomBytes(32);
  const body = 'x'.repeat(eventBytes);
  const startedAt = performance.now();
  await atOnce(origin, connections, requests, async (pool, number) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', key).update(`${number}.${timestamp}.${body}`);
    const headers = {
      'webhook-id': String(number),
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature.digest('base64')}`,
    };
    await post(pool, { origin, path: '/take/bare', headers }, body);
  });
  return (requests * 1_000) / (performance.now() - startedAt);
}
