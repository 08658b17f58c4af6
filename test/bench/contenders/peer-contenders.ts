import { startRedis } from '../../support/servers.ts';
import type { TrackedProcess } from '../measure/processes.ts';
import { type Listening, listeningSchema, type PeerOrder } from '../peers/orders.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import { type Contender, type ContenderStart, headersFor } from './contender.ts';
import { Teardown } from './teardown.ts';

/** As long as the tokens that Relay makes. */
const token = 'relay_agent_'.padEnd(55, '0');

/** Servers that do the same work, or less, as far as they can. */
export function peerContenders(agent: PeerOrder['agent']): ContenderStart[] {
  return [
    { name: 'a2a-sdk, in memory', start: () => startPeer('a2a-sdk-server', { agent }) },
    { name: 'a2a-sdk, Redis', start: () => startPeerWithRedis('a2a-sdk-server', { agent }) },
    { name: 'fastify, nothing done', start: () => startPeer('fastify-server', { agent }) },
  ];
}

async function startPeerWithRedis(module: string, order: PeerOrder): Promise<Contender> {
  const teardown = new Teardown();
  const redis = await teardown.start(startRedis, (server) => server.stop());
  const peer = await teardown.start(
    () => startPeer(module, { ...order, redisUrl: redis.url }),
    (started) => started.stop(),
  );
  const server: TrackedProcess = { name: 'redis-server', pid: redis.pid };
  return { ...peer, processes: [...peer.processes, server], stop: () => teardown.run() };
}

async function startPeer(module: string, order: PeerOrder): Promise<Contender> {
  const remote = RemoteProcess.start(module, new URL(`../peers/${module}.js`, import.meta.url));
  const { port }: Listening = await remote.call('listen', order, listeningSchema);
  return {
    target: { origin: `http://127.0.0.1:${port}`, path: '/', headers: headersFor(token) },
    processes: [{ name: module, pid: remote.pid }],
    helpers: [],
    settle: async () => undefined,
    stop: () => remote.stop(),
  };
}
