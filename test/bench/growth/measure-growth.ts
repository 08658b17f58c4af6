import type { RelaySettings, RelayVariant } from '../contenders/relays.ts';
import { untilQuiet } from '../measure/quiet.ts';
import type { Options } from '../options.ts';
import { tell } from '../report/tell.ts';
import { GrowingSite, type Idle, type Latencies, type Size, type Start } from './growing-site.ts';

const warmUps = 3;

/** What one size of relay took. */
export interface SizeResult extends Size {
  readonly start: Start;
  /** Before it had anything to do, and after all. */
  readonly idle: Idle;
  readonly idleAfter: Idle;
  readonly slices: readonly Latencies[];
}

/** All sizes run at once and take turns, so that each round pairs them fairly. */
export async function measureGrowth(
  variant: RelayVariant,
  settings: RelaySettings,
  {
    sizes,
    rounds,
    seconds,
    quiet,
  }: Pick<Options, 'rounds' | 'seconds' | 'quiet'> & {
    readonly sizes: readonly Size[];
  },
): Promise<SizeResult[]> {
  const sites: GrowingSite[] = [];
  try {
    const measured: (SizeResult & { slices: Latencies[] })[] = [];
    for (const size of sizes) {
      const site = await GrowingSite.open(variant, settings, size);
      sites.push(site);
      const { start } = site;
      const idle = await site.measureIdle();
      measured.push({ ...size, start, idle, idleAfter: idle, slices: [] });
    }
    // What code does before it is compiled says nothing.
    for (let n = 0; n < warmUps; n += 1) {
      for (const site of sites) await site.measureLatencies(seconds);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, site] of sites.entries()) {
        await untilQuiet(quiet);
        measured[index]?.slices.push(await site.measureLatencies(seconds));
      }
      tell(`round ${round + 1} of ${rounds}`);
    }
    const results: SizeResult[] = [];
    for (const [index, site] of sites.entries()) {
      const result = measured[index];
      if (result) results.push({ ...result, idleAfter: await site.measureIdle() });
    }
    return results;
  } finally {
    for (const site of sites) await site.stop();
  }
}
