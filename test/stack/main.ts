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
let faults = 0;

if (values.only.includes('restart')) {
  const services = await stack.services(...own);
  const restart = await RollingRestart.start(stack);
  const restarts = services.map((service) => restart.of(service));
  await runLoaded(restarts, { stopsInOrder: true });
  tell(await restart.end());
}
if (values.only.includes('faults')) {
  const services = await stack.services(...own, 'nats', 'redis');
  await runLoaded(faultsOf(services), { stopsInOrder: false });
}
process.exit(faults > 0 ? 1 : 0);

async function runLoaded(
  inTurn: readonly Fault<Stack>[],
  { stopsInOrder }: { readonly stopsInOrder: boolean },
): Promise<void> {
  const report = await crashRun(stack, {
    lanes: [inTurn],
    senders: 2,
    stopsInOrder,
    secondsBetween: 3,
    catchesUp: true,
    onRound: (line) => console.log(line),
  });
  console.log(renderReport(report));
  tell(report.lost);
}

function tell(found: readonly string[]): void {
  faults += found.length;
  for (const line of found) console.log(`  ${line}`);
}
