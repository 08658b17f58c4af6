import { runMain } from '@relay/runtime';
import { startRelay } from './app.ts';

await runMain({ service: 'relay', environment: process.env, start: startRelay });
