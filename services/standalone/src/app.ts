import { type Bus, connectBus } from '@relay/bus';
import { type Config, type MainContext, StartupError, tellOperator } from '@relay/runtime';
import { isLoopback, localOrigin } from './address.ts';
import { renderBanner } from './banner.ts';
import { type Credentials, loadOrCreateCredentials } from './credentials.ts';
import { lockDataDirectory } from './embedded/data-directory.ts';
import { startEmbeddedNats, startEmbeddedRedis } from './embedded/servers.ts';
import { findRedisProblem } from './reachability.ts';

export async function startRelay(context: MainContext): Promise<void> {
  const { config, lifecycle } = context;
  warnBeyondLoopback(config);
  await lifecycle.start(
    'data directory',
    () => lockDataDirectory(config.dataDir),
    (unlock) => unlock(),
  );
  const [natsUrl, redisUrl] = await Promise.all([startNats(context), startRedis(context)]);
  const bus = await lifecycle.start(
    'bus',
    () => openBus(natsUrl, config),
    (bus) => bus.close(),
  );
  const credentials = loadOrCreateCredentials({
    dataDir: config.dataDir,
    url: config.publicUrl ?? localOrigin(config.host, config.port),
    adminToken: config.adminToken,
  });
  await startServices(context, { bus, redisUrl, credentials });
  process.stdout.write(`\n${renderBanner({ ...config, url: credentials.url })}\n`);
}

interface Foundation {
  readonly bus: Bus;
  readonly redisUrl: string;
  readonly credentials: Credentials;
}

/** The three services in this process, then the demo agents as clients of them. */
async function startServices(_context: MainContext, _foundation: Foundation): Promise<void> {}

async function startNats({ config, logger, lifecycle }: MainContext): Promise<string> {
  if (config.natsUrl) return config.natsUrl;
  const { dataDir } = config;
  const server = await lifecycle.start(
    'nats-server',
    () => startEmbeddedNats({ dataDir, logger }),
    (server) => server.stop(),
  );
  return server.url;
}

async function startRedis({ config, logger, lifecycle }: MainContext): Promise<string> {
  if (config.redisUrl) return await warnWithoutRedis(config.redisUrl);
  const { dataDir } = config;
  const server = await lifecycle.start(
    'redis-server',
    () => startEmbeddedRedis({ dataDir, logger }),
    (server) => server.stop(),
  );
  return server.url;
}

async function openBus(servers: string, config: Config): Promise<Bus> {
  try {
    return await connectBus({ servers, name: 'relay', replicas: config.natsReplicas });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`NATS cannot be used: ${reason}`);
  }
}

/** Redis holds nothing that cannot be rebuilt, so Relay serves what it can without it. */
async function warnWithoutRedis(redisUrl: string): Promise<string> {
  const problem = await findRedisProblem(redisUrl);
  if (problem !== undefined) tellOperator(`Redis cannot be reached, starting degraded: ${problem}`);
  return redisUrl;
}

function warnBeyondLoopback({ host }: Config): void {
  if (isLoopback(host)) return;
  tellOperator(`warning: listening on ${host}, which others can reach; put TLS in front of it`);
}
