import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, connectBus } from '@relay/bus';
import { agentIdSchema } from '@relay/protocol';
import { appendChange } from '../../support/append-tasks.ts';
import { taskCommands, testContact } from '../../support/task-commands.ts';
import { now } from '../load/orders.ts';
import { serveCalls } from '../remote/serve-calls.ts';
import type { Moment } from '../webhooks/orders.ts';
import { type Appends, appendsSchema } from './orders.ts';

/** About what a short instruction to an agent takes. */
const text = 'Summarize the attached notes for the weekly report, please. '.repeat(5);

let bus: Bus | undefined;

serveCalls({
  connect: async (natsUrl) => {
    bus = await connectBus({ servers: String(natsUrl), name: 'bench', replicas: 1 });
  },
  append: (order) => {
    if (!bus) throw new Error('not connected');
    return append(bus, appendsSchema.parse(order));
  },
});

/** @returns when each was asked for */
async function append(to: Bus, order: Appends): Promise<Moment[]> {
  const { calleeIds, tasks, atOnce, perSecond } = order;
  const requester = contact('planner', order.requesterId);
  const callees = calleeIds.map((id) => contact('worker', id));
  const moments: Moment[] = [];
  const startedAt = performance.now();
  let next = 0;
  const some = async () => {
    for (let number = next++; number < tasks; number = next++) {
      const due = perSecond === undefined ? 0 : startedAt + (number * 1_000) / perSecond;
      const early = due - performance.now();
      if (early > 1) await sleep(early);
      const { taskId, submit } = taskCommands(requester, callees[number % callees.length]);
      moments.push({ taskId, at: now() });
      await appendChange(to, submit(text));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, some));
  return moments;
}

const contact = (handle: string, id: string) => ({
  ...testContact(handle),
  id: agentIdSchema.parse(id),
});
