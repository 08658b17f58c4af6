import { z } from 'zod';
import { quantile, sum } from '../compare/statistics.ts';
import { registerPair } from '../contenders/relay-contenders.ts';
import type { Relay } from '../contenders/relays.ts';
import { type Moments, momentsSchema } from '../load/orders.ts';
import { CpuMeter } from '../measure/cpu-meter.ts';
import { untilQuiet } from '../measure/quiet.ts';
import type { Options } from '../options.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import { tell } from '../report/tell.ts';
import type { UpdateOrder } from './orders.ts';

/** Of one round. */
export interface StreamsSlice {
  readonly perSecond: number;
  /** From the call that updates a task to the event at the client. */
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly maxMilliseconds: number;
  /** Of Relay in all, for each update. */
  readonly cpuMicroseconds: number;
  readonly foreignShare: number;
}

/** Streams are open, each of a task of its own, and each task gets one update a second. */
export async function measureStreams(relay: Relay, options: Options): Promise<StreamsSlice[]> {
  const { streams: count, seconds, rounds, warmup, quiet } = options;
  const { target, callee } = await registerPair(relay);
  const reader = startRemote('reader');
  const updater = startRemote('updater');
  try {
    const taskIds = await reader.call('open', { target, count }, z.array(z.string()));
    tell(`${count} streams are open`);
    const slice = (duration: number) =>
      measureSlice(relay, { reader, updater }, { callee, taskIds, ...paceOf(count, duration) });
    await slice(warmup);
    const slices: StreamsSlice[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await untilQuiet(quiet);
      slices.push(await slice(seconds));
    }
    return slices;
  } finally {
    await Promise.all([reader.stop(), updater.stop()]);
  }
}

const startRemote = (name: string) =>
  RemoteProcess.start(name, new URL(`./${name}-process.js`, import.meta.url));

const paceOf = (streams: number, seconds: number) => ({
  perSecond: streams,
  updates: Math.ceil(streams * seconds),
});

interface Remotes {
  readonly reader: RemoteProcess;
  readonly updater: RemoteProcess;
}

async function measureSlice(
  relay: Relay,
  { reader, updater }: Remotes,
  order: UpdateOrder,
): Promise<StreamsSlice> {
  const helpers = [reader, updater].map(({ pid }, index) => ({ name: `helper ${index}`, pid }));
  const meter = new CpuMeter([...relay.processes, ...helpers]);
  const [asked, seen] = await Promise.all([
    updater.call('update', order, momentsSchema),
    reader.call('take', order.updates, momentsSchema),
  ]);
  const { processes: used, foreignShare } = meter.read();
  const milliseconds = delays(asked, seen);
  const lastAt = Math.max(...seen.map(({ at }) => at));
  const firstAt = Math.min(...asked.map(({ at }) => at));
  const slice = {
    perSecond: (seen.length * 1_000) / (lastAt - firstAt),
    p50Milliseconds: quantile(milliseconds, 0.5),
    p99Milliseconds: quantile(milliseconds, 0.99),
    maxMilliseconds: quantile(milliseconds, 1),
    cpuMicroseconds: sum(relay.processes.map(({ name }) => used[name] ?? 0)) / seen.length,
    foreignShare,
  };
  tell(`${Math.round(slice.perSecond)} updates/s, p99 ${Math.round(slice.p99Milliseconds)} ms`);
  return slice;
}

function delays(asked: Moments, seen: Moments): number[] {
  const askedAt = new Map(asked.map(({ message, at }) => [message, at]));
  return seen.map(({ message, at }) => {
    const from = askedAt.get(message);
    if (from === undefined) throw new Error(`update ${message} came twice, or unasked for`);
    askedAt.delete(message);
    return at - from;
  });
}
