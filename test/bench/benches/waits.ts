import { type RelayVariant, relayVariants } from '../contenders/relays.ts';
import { tell } from '../report/tell.ts';
import { renderWaits, type WaitsOutcome } from '../report/waits-report.ts';
import { measureWaits } from '../waits/measure-waits.ts';
import type { Bench, BenchContext } from './bench.ts';

/** Longer than any run: each wait is to end with its task. */
const sendWaitSeconds = '3600';

/** What calls that wait cost while they do, and whether all of them end. */
export const benchWaits: Bench = async (context) => {
  const outcomes: WaitsOutcome[] = [];
  for (const variant of relayVariants.filter(({ name }) => name.includes(context.options.only))) {
    outcomes.push(await outcomeOf(variant, context));
  }
  const title = `waits: ${context.options.waits} blocking calls open at once`;
  return { text: renderWaits(title, outcomes), data: [{ title, outcomes }] };
};

async function outcomeOf(variant: RelayVariant, context: BenchContext): Promise<WaitsOutcome> {
  const { name } = variant;
  const environment = { ...context.relay.environment, RELAY_SEND_WAIT_SECONDS: sendWaitSeconds };
  tell(`starting ${name}`);
  try {
    const relay = await variant.start({ ...context.relay, environment });
    try {
      return { name, result: await measureWaits(relay, context) };
    } finally {
      await relay.stop();
    }
  } catch (error) {
    return { name, problem: String(error) };
  }
}
