import { parseArgs } from 'node:util';
import { crashRun } from '../crash/crash-run.ts';
import type { Fault } from '../crash/faults.ts';
import { renderReport } from '../crash/report.ts';
import { faultsOf } from './faults.ts';
import { RollingRestart } from './rolling-restart.ts';
import { Stack } from './stack.ts';

/** Brings a stack up; restarts each service under load, then kills each, NATS too, and empties Redis. */
const { values } = parseArgs({
  options: {
    compose: { type: 'string', default: 'docker compose -f infra/compose.yaml' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    only: { type: 'string', default: 'restart,faults' },
  },
});
const since = performance.now();
const stack = await Stack.start({ command: values.compose, url: values.url });
console.log(`up after ${((performance.now() - since) / 1_000).toFixed(1)} s`);
const own = ['task-manager', 'delivery', 'gateway'];
const wrong: string[] = [];

if (values.only.includes('restart')) {
  const services = await stack.services(...own);
  const restart = await RollingRestart.start(stack);
  await runLoaded(services.map((service) => restart.of(service)));
  wrong.push(...(await restart.end()));
}
if (values.only.includes('faults')) {
  await runLoaded(faultsOf(await stack.services(...own, 'nats', 'redis')));
}
for (const line of wrong) console.log(`  ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);

async function runLoaded(faults: readonly Fault<Stack>[]): Promise<void> {
  const report = await crashRun(stack, {
    lanes: [faults],
    senders: 2,
    secondsBetween: 3,
    catchesUp: true,
    onRound: (line) => console.log(line),
  });
  console.log(renderReport(report));
  wrong.push(...report.lost);
}
