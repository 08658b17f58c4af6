import { AppendSite } from '../appends/append-site.ts';
import { relayVariants } from '../contenders/relays.ts';
import { measureLive } from '../live/measure-live.ts';
import { type LiveOutcome, renderLive } from '../report/live-report.ts';
import { tell } from '../report/tell.ts';
import type { Bench } from './bench.ts';

/** Whether events come at sockets as fast as changes are appended. */
export const benchLive: Bench = async ({ options, relay: settings }) => {
  const outcomes: LiveOutcome[] = [];
  for (const variant of relayVariants.filter(({ name }) => name.includes(options.only))) {
    const { name } = variant;
    tell(`starting ${name}`);
    const site = await AppendSite.start(variant, settings);
    try {
      outcomes.push({ name, result: await measureLive(site, options) });
    } finally {
      await site.stop();
    }
  }
  const title = `live: new tasks as fast as NATS takes them, each an event at a socket`;
  return { text: renderLive(title, outcomes), data: [{ title, outcomes }] };
};
