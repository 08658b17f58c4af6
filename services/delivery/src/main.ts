import { runMain } from '@relay/runtime';
import { startDeliveryProcess } from './app.ts';

await runMain({
  service: 'delivery',
  environment: process.env,
  defaultPort: 8081,
  start: startDeliveryProcess,
});
