import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from '../agents/receiver.ts';
import { type BenchContext, manyConnections } from '../benches/bench.ts';
import { spreadOf } from '../compare/statistics.ts';
import { registerPair } from '../contenders/relay-contenders.ts';
import type { Relay } from '../contenders/relays.ts';
import type { MessageRange, Moments, Target } from '../load/orders.ts';
import { residentBytes, type TrackedProcess } from '../measure/processes.ts';
import { tell } from '../report/tell.ts';

export interface WaitsResult {
  readonly waits: number;
  /** Resident memory of each process without the waits and with them. */
  readonly memory: readonly MemoryGrowth[];
  /** From the first task to be finished until the last wait was answered. */
  readonly untilLastMilliseconds: number;
  /** From a request to finish a task to the answer of the call that waits for it. */
  readonly wake: { readonly median: number; readonly max: number };
}

export interface MemoryGrowth {
  readonly process: string;
  readonly beforeBytes: number;
  readonly openBytes: number;
}

/** Fewer than the connections that wait to be accepted at once. */
const batchSize = 500;
const arrivesWithinMilliseconds = 60_000;
/** Garbage of what went before is mostly collected then. */
const quietMilliseconds = 5_000;

export async function measureWaits(relay: Relay, context: BenchContext): Promise<WaitsResult> {
  const { waits } = context.options;
  const { target, callee } = await registerPair(relay);
  const receiver = await Receiver.start(callee);
  try {
    await warmUp(target, receiver, context);
    const before = await readMemory(relay.processes);
    const sent = await openWaits(target, receiver, context);
    const open = await readMemory(relay.processes);
    tell(`${waits} waits are open`);
    return { waits, memory: growth(before, open), ...(await finishAll(sent, receiver, context)) };
  } finally {
    await receiver.stop();
  }
}

/** Tasks without waits first: the memory that any task takes is not the waits'. */
async function warmUp(
  target: Target,
  receiver: Receiver,
  { load, options: { warmup: seconds } }: BenchContext,
): Promise<void> {
  const order = { target, kind: 'immediate', connections: manyConnections, seconds } as const;
  const { sent } = await load.run(order);
  await receiver.settle(sent, arrivesWithinMilliseconds);
}

/** A wait is open when its task has reached the callee: Relay subscribes before it creates it. */
async function openWaits(
  target: Target,
  receiver: Receiver,
  { load, options: { waits } }: BenchContext,
): Promise<MessageRange> {
  let all: MessageRange | undefined;
  for (let left = waits; left > 0; left -= batchSize) {
    const batch = await load.openWaits(target, Math.min(left, batchSize));
    const { missing } = await receiver.settle(batch, arrivesWithinMilliseconds);
    if (missing > 0) throw new Error(`${missing} waits could not be opened`);
    all = { ...batch, first: all?.first ?? batch.first };
  }
  if (!all) throw new Error('no wait was opened');
  return all;
}

async function finishAll(sent: MessageRange, receiver: Receiver, { load }: BenchContext) {
  const woken = load.collectWaits();
  const [asked, answered] = await Promise.all([receiver.finish(sent, manyConnections), woken]);
  const wake = spreadOf(wakeTimes(asked, answered));
  if (!wake) throw new Error('no wait was answered');
  const firstAsked = Math.min(...asked.map(({ at }) => at));
  const lastAnswered = Math.max(...answered.map(({ at }) => at));
  return { wake, untilLastMilliseconds: lastAnswered - firstAsked };
}

function wakeTimes(asked: Moments, answered: Moments): number[] {
  const askedAt = new Map(asked.map(({ message, at }) => [message, at]));
  return answered.map(({ message, at }) => at - (askedAt.get(message) ?? Number.NaN));
}

async function readMemory(processes: readonly TrackedProcess[]): Promise<Map<string, number>> {
  await sleep(quietMilliseconds);
  return new Map(processes.map((process) => [process.name, residentBytes(process)]));
}

function growth(before: Map<string, number>, open: Map<string, number>): MemoryGrowth[] {
  return [...open].map(([process, openBytes]) => ({
    process,
    beforeBytes: before.get(process) ?? 0,
    openBytes,
  }));
}
