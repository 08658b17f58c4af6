import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bench } from './benches/bench.ts';
import { benchCodecs } from './benches/codecs.ts';
import { benchCurve } from './benches/curve.ts';
import { benchGrowth } from './benches/growth.ts';
import { benchLive } from './benches/live.ts';
import { benchMessages } from './benches/messages.ts';
import { benchPages } from './benches/pages.ts';
import { benchRoundtrip } from './benches/roundtrip.ts';
import { benchSend } from './benches/send.ts';
import { benchSockets } from './benches/sockets.ts';
import { benchStreams } from './benches/streams.ts';
import { benchWaits } from './benches/waits.ts';
import { benchWebhooks } from './benches/webhooks.ts';
import { LoadClient } from './load/load-client.ts';
import { describeMachine, renderMachine } from './measure/machine.ts';
import { type benchNames, type Options, readOptions, usage } from './options.ts';

const benches: Record<(typeof benchNames)[number], Bench> = {
  send: benchSend,
  curve: benchCurve,
  roundtrip: benchRoundtrip,
  messages: benchMessages,
  pages: benchPages,
  waits: benchWaits,
  streams: benchStreams,
  sockets: benchSockets,
  live: benchLive,
  webhooks: benchWebhooks,
  growth: benchGrowth,
  codecs: benchCodecs,
};

const print = (text: string) => process.stdout.write(`${text}\n\n`);

async function main(options: Options): Promise<void> {
  const machine = describeMachine();
  print(renderMachine(machine));
  const load = new LoadClient();
  const relay = { nodeArguments: profilerArguments(options['cpu-prof']) };
  const measured: unknown[] = [];
  for (const name of options.benches) {
    const { text, data } = await benches[name]({ options, load, relay });
    print(text);
    measured.push({ bench: name, data });
  }
  await load.stop();
  if (options.json !== undefined) {
    writeFileSync(options.json, JSON.stringify({ machine, options, measured }, undefined, 2));
  }
}

function readOptionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return process.exit(2);
  }
}

function profilerArguments(directory: string | undefined): string[] {
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(directory)}`];
}

// So that what kills the children at our exit runs.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const options = readOptionsOrExit();
if (options.help) print(usage);
else await main(options);
