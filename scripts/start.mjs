import { ensureBuild } from './bootstrap/build.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { ensurePackages } from './bootstrap/packages.mjs';
import { ensureServers } from './bootstrap/servers.mjs';

const { RELAY_NATS_URL, RELAY_REDIS_URL } = process.env;

requireNode();
ensurePackages();
ensureServers([
  ...(RELAY_NATS_URL ? [] : ['nats-server']),
  ...(RELAY_REDIS_URL ? [] : ['redis-server']),
]);
ensureBuild();

// In this process and not in a child of it: signals and the exit code need no passing on.
await import('../services/standalone/dist/main.js');
