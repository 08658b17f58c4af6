import type { AppendSite } from '../appends/append-site.ts';
import { type Spread, spreadOf } from '../compare/statistics.ts';
import { CpuMeter } from '../measure/cpu-meter.ts';
import { untilQuiet } from '../measure/quiet.ts';
import type { Options } from '../options.ts';
import { tell } from '../report/tell.ts';

const sockets = 64;
const appendsAtOnce = 64;
/** Of each slice, for each second of it. */
const tasksPerSecond = 2_000;

export interface LiveResult {
  readonly appendsPerSecond: Spread | undefined;
  /** From the first append to the last event at its socket. */
  readonly framesPerSecond: Spread | undefined;
  readonly share: Spread | undefined;
  readonly foreignShare: Spread | undefined;
}

/** Appends new tasks as fast as NATS takes them while their callees' sockets are open. */
export async function measureLive(
  site: AppendSite,
  { rounds, seconds, quiet }: Pick<Options, 'rounds' | 'seconds' | 'quiet'>,
): Promise<LiveResult> {
  const { processes } = await site.startRelay();
  const [requester, ...callees] = await site.register(1 + sockets);
  if (!requester) throw new Error('nobody asks');
  await site.connect(callees);
  const tasks = Math.round(tasksPerSecond * seconds);
  const order = { requesterId: requester.id, calleeIds: callees.map(({ id }) => id), tasks };
  const slice = async () => {
    const meter = new CpuMeter([...processes, ...site.helpers]);
    const [asked, seen] = await Promise.all([
      site.append({ ...order, atOnce: appendsAtOnce }),
      site.take('sockets', tasks),
    ]);
    const first = Math.min(...asked.map(({ at }) => at));
    const rateUntil = (moments: readonly { at: number }[]) =>
      (tasks * 1_000) / (Math.max(...moments.map(({ at }) => at)) - first);
    const [appends, frames] = [rateUntil(asked), rateUntil(seen)];
    tell(`${Math.round(appends)} appends/s, ${Math.round(frames)} frames/s`);
    return { appends, frames, foreignShare: meter.read().foreignShare };
  };
  // What code does before it is compiled says nothing.
  await slice();
  const slices: Awaited<ReturnType<typeof slice>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await untilQuiet(quiet);
    slices.push(await slice());
  }
  return {
    appendsPerSecond: spreadOf(slices.map(({ appends }) => appends)),
    framesPerSecond: spreadOf(slices.map(({ frames }) => frames)),
    share: spreadOf(slices.map(({ appends, frames }) => frames / appends)),
    foreignShare: spreadOf(slices.map(({ foreignShare }) => foreignShare)),
  };
}
