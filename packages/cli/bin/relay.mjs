#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error(
    'relay: it has not been built yet; run "npm run build", or start a relay by "npm start"',
  );
  process.exitCode = 1;
}
