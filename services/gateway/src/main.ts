import { runMain } from '@relay/runtime';
import { startGatewayProcess } from './app.ts';

await runMain({
  service: 'gateway',
  environment: process.env,
  start: startGatewayProcess,
});
