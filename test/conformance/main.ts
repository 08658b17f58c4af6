import { allowances } from './allowances.ts';
import { kits } from './kits.ts';
import { type Options, readOptions, usage } from './options.ts';
import { runKit } from './run-kit.ts';
import { startSystem } from './system-under-test.ts';
import { judge } from './verdict.ts';

async function main(options: Options): Promise<void> {
  const kit = kits[options.version];
  const system = await startSystem(kit.system);
  try {
    for (const binding of kit.bindings) {
      const outcomes = await runKit(options, kit.argumentsFor(system, binding));
      const { text, isGood } = judge(outcomes, allowances[options.version]);
      process.stdout.write(`\n${text}\n`);
      if (!isGood) process.exitCode = 1;
    }
  } finally {
    await system.stop();
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

// So that what kills the children at our exit runs.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

await main(readOptionsOrExit());
