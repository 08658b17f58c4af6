import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { residentBytes, type TrackedProcess } from '../measure/processes.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import { tell } from '../report/tell.ts';
import { type CrowdOrder, type Received, receivedSchema } from './orders.ts';

/** A server of WebSockets, however it does it. */
export interface SocketServer {
  readonly origin: string;
  readonly process: TrackedProcess;
  /** Tokens of so many agents. */
  tokens(count: number): Promise<readonly string[]>;
  /** Gets so many events to all sockets of the last token. */
  broadcast(events: number, bytes: number): Promise<void>;
}

export interface SocketsResult {
  readonly sockets: number;
  readonly bytesEach: number;
  readonly openMilliseconds: number;
  readonly reopenMilliseconds: number;
  readonly framesPerSecond: number;
}

/** Garbage of what went before is mostly collected then. */
const quietMilliseconds = 8_000;
const broadcastSockets = 1_000;
const broadcastEvents = 100;
/** About what the event of a new task takes. */
const eventBytes = 1_200;

export async function measureSockets(
  server: SocketServer,
  sockets: number,
): Promise<SocketsResult> {
  const tokens = await server.tokens(sockets);
  const idle = await measureIdle(server, tokens);
  return { sockets, ...idle, framesPerSecond: await measureBroadcast(server) };
}

async function measureIdle(server: SocketServer, tokens: readonly string[]) {
  const before = await restingBytes(server.process);
  const crowd = new CrowdProcess();
  try {
    const openMilliseconds = await crowd.open({ origin: server.origin, tokens: [...tokens] });
    tell(`${tokens.length} sockets are open`);
    const bytesEach = ((await restingBytes(server.process)) - before) / tokens.length;
    const reopenMilliseconds = await crowd.reopen();
    return { bytesEach, openMilliseconds, reopenMilliseconds };
  } finally {
    await crowd.stop();
  }
}

async function measureBroadcast(server: SocketServer): Promise<number> {
  const [token = ''] = await server.tokens(1);
  const crowd = new CrowdProcess();
  try {
    const tokens = Array.from({ length: broadcastSockets }, () => token);
    await crowd.open({ origin: server.origin, tokens });
    const received = crowd.receive(broadcastEvents);
    await server.broadcast(broadcastEvents, eventBytes);
    const { frames, first, last } = await received;
    return (frames * 1_000) / (last - first);
  } finally {
    await crowd.stop();
  }
}

async function restingBytes(process: TrackedProcess): Promise<number> {
  await sleep(quietMilliseconds);
  return residentBytes(process);
}

/** The clients, in a process of their own. */
class CrowdProcess {
  readonly #remote = RemoteProcess.start('crowd', new URL('./crowd-process.js', import.meta.url));

  open(order: CrowdOrder): Promise<number> {
    return this.#remote.call('open', order, z.number());
  }

  reopen(): Promise<number> {
    return this.#remote.call('reopen', undefined, z.number());
  }

  receive(events: number): Promise<Received> {
    return this.#remote.call('receive', { events }, receivedSchema);
  }

  stop(): Promise<void> {
    return this.#remote.stop();
  }
}
