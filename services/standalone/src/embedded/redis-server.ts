import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** The kernel takes 107 bytes; some systems less. */
const LONGEST_SOCKET_PATH = 100;

export const redisRecordPath = (dataDir: string) => join(dataDir, 'redis.pid');

/** Redis cannot pick a free port, so it listens on a Unix socket. */
export interface RedisSocket {
  readonly path: string;
  remove(): Promise<void>;
}

export async function chooseRedisSocket(dataDir: string): Promise<RedisSocket> {
  const path = join(dataDir, 'redis.sock');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) {
    return { path, remove: () => rm(path, { force: true }) };
  }
  const shortDirectory = await mkdtemp(join(tmpdir(), 'relay-'));
  return {
    path: join(shortDirectory, 'redis.sock'),
    remove: () => rm(shortDirectory, { recursive: true, force: true }),
  };
}

/** Without persistence: all that Redis holds is rebuilt from NATS. */
export async function launchRedis(
  dataDir: string,
  socketPath: string,
): Promise<ServerProcess<true>> {
  const directory = join(dataDir, 'redis');
  await mkdir(directory, { recursive: true });
  return startServerProcess({
    program: 'redis-server',
    arguments: redisArguments(directory, socketPath),
    directory,
    recordPath: redisRecordPath(dataDir),
    probe: async () => (await answersPing(socketPath)) || undefined,
  });
}

function redisArguments(directory: string, socketPath: string): string[] {
  const settings = {
    port: '0',
    unixsocket: socketPath,
    unixsocketperm: '700',
    dir: directory,
    save: '',
    appendonly: 'no',
    // It has hardly any work between commands, and would wake up ten times a second for it.
    hz: '1',
    // Or Redis rewrites its command line, by which an orphan is known.
    'set-proc-title': 'no',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

function answersPing(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => {
      resolve(reply.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
