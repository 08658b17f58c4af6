import { startBus } from '@relay/bus';
import { type MainContext, tellOperator } from '@relay/runtime';
import { startEmbeddedNats, startEmbeddedRedis } from './embedded/servers.ts';
import { findRedisProblem } from './reachability.ts';

/** NATS and Redis: those that were given, else children of this process. */
export async function startFoundation(context: MainContext) {
  const [natsUrl, redisUrl] = await Promise.all([findNats(context), findRedis(context)]);
  const { bus, registry } = await startBus(context, { natsUrl, name: 'relay' });
  if (context.config.natsUrl === undefined) await bus.clearLeases();
  if (context.config.redisUrl !== undefined) await warnWithoutRedis(redisUrl);
  return { bus, registry, natsUrl, redisUrl };
}

async function findNats({ config, logger, lifecycle }: MainContext): Promise<string> {
  const { natsUrl, dataDir } = config;
  if (natsUrl !== undefined) return natsUrl;
  const server = await lifecycle.start(
    'nats-server',
    () => startEmbeddedNats({ dataDir, logger }),
    (started) => started.stop(),
  );
  return server.url;
}

async function findRedis({ config, logger, lifecycle }: MainContext): Promise<string> {
  const { redisUrl, dataDir } = config;
  if (redisUrl !== undefined) return redisUrl;
  const server = await lifecycle.start(
    'redis-server',
    () => startEmbeddedRedis({ dataDir, logger }),
    (started) => started.stop(),
  );
  return server.url;
}

/** Redis holds nothing that cannot be rebuilt, so Relay serves what it can without it. */
async function warnWithoutRedis(redisUrl: string): Promise<void> {
  const problem = await findRedisProblem(redisUrl);
  if (problem !== undefined) tellOperator(`Redis cannot be reached, starting degraded: ${problem}`);
}
