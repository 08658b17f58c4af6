import type { Logger } from '@relay/runtime';
import { launchNats, natsRecordPath } from './nats-server.ts';
import { stopOrphan } from './orphans.ts';
import { chooseRedisSocket, launchRedis, redisRecordPath } from './redis-server.ts';
import { Supervisor } from './supervisor.ts';

export interface EmbeddedServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

interface EmbeddedOptions {
  readonly dataDir: string;
  readonly logger: Logger;
}

export async function startEmbeddedNats({
  dataDir,
  logger,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  await stopOrphan(natsRecordPath(dataDir), logger);
  let port: number | undefined;
  const supervisor = new Supervisor('nats-server', logger, () => launchNats(dataDir, port));
  const ready = await supervisor.start();
  port = ready.port;
  return { url: ready.url, stop: () => supervisor.stop() };
}

/** The URL is the path of the Unix socket, which the Redis client takes as it is. */
export async function startEmbeddedRedis({
  dataDir,
  logger,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  await stopOrphan(redisRecordPath(dataDir), logger);
  const socket = await chooseRedisSocket(dataDir);
  const supervisor = new Supervisor('redis-server', logger, () =>
    launchRedis(dataDir, socket.path),
  );
  await supervisor.start();
  return {
    url: socket.path,
    stop: async () => {
      await supervisor.stop();
      await socket.remove();
    },
  };
}
