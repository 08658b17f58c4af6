import type { Delivery } from '../agents/orders.ts';
import type { Contender } from '../contenders/contender.ts';
import type { LoadClient } from '../load/load-client.ts';
import type { ClosedLoop } from '../load/orders.ts';
import { CpuMeter } from '../measure/cpu-meter.ts';
import { untilQuiet } from '../measure/quiet.ts';

export type Workload = Omit<ClosedLoop, 'target'> & {
  /** How long at most to wait for a quiet machine first. */
  readonly quietSeconds: number;
};

/** What one contender did in a few seconds, alone on the machine but for strangers. */
export interface Slice {
  readonly answered: number;
  readonly refused: number;
  readonly refusal: string | undefined;
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** For each answered request, by process, up to the end of the last delivery. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
  readonly helperMicroseconds: Readonly<Record<string, number>>;
  readonly delivery: Delivery | undefined;
  readonly foreignShare: number;
}

export async function measureSlice(
  contender: Contender,
  load: LoadClient,
  workload: Workload,
): Promise<Slice> {
  await untilQuiet(workload.quietSeconds);
  const helpers = [load.process, ...contender.helpers];
  const meter = new CpuMeter([...contender.processes, ...helpers]);
  const result = await load.run({ ...workload, target: contender.target });
  const delivery = await contender.settle(result.sent);
  const { processes: used, foreignShare } = meter.read();
  if (result.answered === 0) throw new Error(`nothing was answered: ${result.refusal}`);
  const perRequest = (tracked: readonly { readonly name: string }[]) =>
    Object.fromEntries(tracked.map(({ name }) => [name, (used[name] ?? 0) / result.answered]));
  return {
    answered: result.answered,
    refused: result.sent.refused.length,
    refusal: result.refusal,
    perSecond: result.perSecond,
    p50Milliseconds: result.p50Milliseconds,
    p99Milliseconds: result.p99Milliseconds,
    cpuMicroseconds: perRequest(contender.processes),
    helperMicroseconds: perRequest(helpers),
    delivery,
    foreignShare,
  };
}
