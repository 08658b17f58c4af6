import { relayVariants } from '../contenders/relays.ts';
import { measureGrowth } from '../growth/measure-growth.ts';
import { renderGrowth } from '../report/growth-report.ts';
import type { Bench } from './bench.ts';

const small = { agents: 100, events: 1_000 };

/** Whether delivery stays as fast, and idle agents as cheap, when a relay grows. */
export const benchGrowth: Bench = async ({ options, relay: settings }) => {
  const [oneProcess] = relayVariants;
  if (!oneProcess) throw new Error('Relay runs in no way');
  const { agents, events } = options;
  const sizes = [small, { ...small, events }, { agents, events }];
  const results = await measureGrowth(oneProcess, settings, { ...options, sizes });
  const title = `growth: delivery beside idle agents and stored events, ${options.rounds} rounds`;
  return { text: renderGrowth(title, results), data: [{ title, results }] };
};
