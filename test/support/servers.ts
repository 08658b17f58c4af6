import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { launchNats, launchRedis } from '@relay/standalone';
import { SpawnedServer } from './spawned-server.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

/** A real server. It is gone when the test process ends, however that ends. */
export interface TestServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** SIGKILL; what was acknowledged is still in the store for `restart`. */
  kill(): Promise<void>;
  /** The same address and the same store. */
  restart(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
}

interface NatsOptions {
  /** Kept after the stop; without it the store is temporary. */
  readonly storeDir?: string;
}

export async function startNats({ storeDir }: NatsOptions = {}): Promise<TestServer> {
  const given = process.env['RELAY_TEST_NATS_URL'];
  if (given) return givenServer(given);
  const directory = storeDir ?? (await createTemporaryDirectory());
  let port: number | undefined;
  return SpawnedServer.start({
    directory,
    launch: async () => {
      const server = await launchNats(directory, port);
      port = server.ready.port;
      return { ...server, url: server.ready.url };
    },
    cleanUp: () => (storeDir ? Promise.resolve() : rm(directory, { recursive: true, force: true })),
  });
}

export async function startRedis(): Promise<TestServer> {
  const given = process.env['RELAY_TEST_REDIS_URL'];
  if (given) return givenServer(given);
  const directory = await createTemporaryDirectory();
  const socketPath = join(directory, 'redis.sock');
  return SpawnedServer.start({
    directory,
    launch: async () => ({ ...(await launchRedis(directory, socketPath)), url: socketPath }),
    cleanUp: () => rm(directory, { recursive: true, force: true }),
  });
}

function givenServer(url: string): TestServer {
  const refuse = (): never => {
    throw new Error(`the server at ${url} was given and is not ours to stop`);
  };
  return {
    url,
    get pid() {
      return refuse();
    },
    stop: async () => undefined,
    kill: async () => refuse(),
    restart: async () => refuse(),
    pause: refuse,
    resume: refuse,
  };
}
