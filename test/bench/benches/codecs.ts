import { measureCodecs } from '../codecs/measure-codecs.ts';
import { compare } from '../compare/compare.ts';
import { spreadOf, sum } from '../compare/statistics.ts';
import { startReceivingCallee } from '../contenders/receiving-callee.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import { renderCodecs } from '../report/codecs-report.ts';
import { tell } from '../report/tell.ts';
import { type Bench, type BenchContext, manyConnections } from './bench.ts';

/** What translating from and to each version costs, beside all that a send costs. */
export const benchCodecs: Bench = async (context) => {
  const sendMicroseconds = await cpuOfSend(context);
  tell('running the codecs');
  const costs = measureCodecs();
  const title = 'codecs: reading a send and writing its answer';
  return { text: renderCodecs(title, costs, sendMicroseconds), data: { sendMicroseconds, costs } };
};

async function cpuOfSend(context: BenchContext): Promise<number | undefined> {
  const [oneProcess] = relayContenders(context.relay, startReceivingCallee);
  if (!oneProcess) return undefined;
  const work = { name: 'send', kind: 'immediate', connections: [manyConnections] } as const;
  const [comparison] = await compare([oneProcess], work, context);
  const slices = comparison?.results[0]?.slices ?? [];
  return spreadOf(slices.map((slice) => sum(Object.values(slice.cpuMicroseconds))))?.median;
}
