import { type Bus, decodeInbox, streams, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import { expect, vi } from 'vitest';
import { type TestAgent, TestTask } from './delivery.ts';

const timeout = 30_000;
const tasksAtOnce = 12;

/** Several tasks at once between two agents, whose messages are numbered: the order in each is known. */
export class NumberedWork {
  readonly done: Promise<unknown>;
  readonly total: number;
  readonly #changesPerTask: number;
  #recorded = 0;

  constructor(bus: Bus, agents: readonly [TestAgent, TestAgent], changesPerTask: number) {
    this.#changesPerTask = changesPerTask;
    this.total = tasksAtOnce * changesPerTask;
    this.done = Promise.all(
      Array.from({ length: tasksAtOnce }, async () => {
        const task = new TestTask(bus, agents[0].contact, agents[1].contact);
        await task.submit('text 0');
        for (let n = 1; n < changesPerTask; n += 1) {
          await task.followUp(`text ${n}`);
          this.#recorded += 1;
        }
      }),
    );
  }

  async until(share: number): Promise<void> {
    await vi.waitUntil(() => this.#recorded >= share * this.total, { timeout, interval: 5 });
  }

  /** What the inbox of the callee must hold of it. */
  get textsByTask(): string[][] {
    const texts = Array.from({ length: this.#changesPerTask }, (_, n) => `text ${n}`);
    return Array.from({ length: tasksAtOnce }, () => texts);
  }
}

/** The texts in an agent's inbox in the order in which they stand there, when there are so many. */
export async function readTextsByTask(
  bus: Bus,
  agentId: AgentId,
  count: number,
): Promise<string[][]> {
  const textsByTask = new Map<string, string[]>();
  let found = 0;
  const reader = bus.read({
    stream: streams.inbox,
    filter: subjects.inbox(agentId),
    startSequence: 1,
    onMessage: async (message) => {
      for (const { bytes } of decodeInbox(message).events) {
        const [taskId, text] = readEvent(Buffer.from(bytes).toString());
        textsByTask.set(taskId, [...(textsByTask.get(taskId) ?? []), text]);
        found += 1;
      }
    },
  });
  await vi.waitFor(() => expect(found).toBeGreaterThanOrEqual(count), { timeout });
  reader.close();
  return [...textsByTask.values()];
}

function readEvent(body: string): [taskId: string, text: string] {
  const find = (pattern: RegExp) => pattern.exec(body)?.[1] ?? '';
  return [find(/"taskId":"([^"]+)"/), find(/"text":"([^"]+)"/)];
}
