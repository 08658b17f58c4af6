import { runMain } from '@relay/runtime';
import { startTaskManagerProcess } from './app.ts';

await runMain({
  service: 'task-manager',
  environment: process.env,
  defaultPort: 8082,
  start: startTaskManagerProcess,
});
