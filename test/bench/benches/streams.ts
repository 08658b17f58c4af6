import { relayVariants } from '../contenders/relays.ts';
import { renderStreams, type StreamsOutcome } from '../report/streams-report.ts';
import { tell } from '../report/tell.ts';
import { measureStreams } from '../streams/measure-streams.ts';
import type { Bench } from './bench.ts';

/** How soon clients hear of changes while many streams are open. */
export const benchStreams: Bench = async ({ options, relay: settings }) => {
  const outcomes: StreamsOutcome[] = [];
  for (const variant of relayVariants.filter(({ name }) => name.includes(options.only))) {
    const { name } = variant;
    tell(`starting ${name}`);
    const relay = await variant.start(settings);
    try {
      outcomes.push({ name, slices: await measureStreams(relay, options) });
    } finally {
      await relay.stop();
    }
  }
  const { streams, rounds, seconds } = options;
  const title = `streams: ${streams} open, each with an update a second; ${rounds} rounds of ${seconds} s`;
  return { text: renderStreams(title, outcomes), data: [{ title, outcomes }] };
};
