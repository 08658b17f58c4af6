import { parseArgs } from 'node:util';
import { strike } from './faults.ts';
import { restartInTurn } from './rolling-restart.ts';
import { Stack } from './stack.ts';

/** Against a stack that is up: restarts each service under load, then kills each, NATS too, and empties Redis. */
const { values } = parseArgs({
  options: {
    compose: { type: 'string', default: 'docker compose -f infra/compose.yaml' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    only: { type: 'string', default: 'restart,faults' },
  },
});
const stack = new Stack(values.compose);
const own = ['task-manager', 'delivery', 'gateway'];
const wrong: string[] = [];

if (values.only.includes('restart')) {
  const services = await stack.services(...own);
  const { lines, faults } = await restartInTurn(stack, values.url, services);
  for (const line of lines) console.log(line);
  wrong.push(...faults);
}
if (values.only.includes('faults')) {
  const services = await stack.services(...own, 'nats', 'redis');
  const tell = (line: string) => console.log(line);
  const { acknowledged, lost } = await strike(stack, values.url, services, tell);
  console.log(`acknowledged ${acknowledged}, lost ${lost.length}`);
  wrong.push(...lost);
}
for (const line of wrong) console.log(`  ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);
