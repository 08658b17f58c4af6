import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AgentClient } from '../../support/ledger/agent-client.ts';
import { headersFor } from '../contenders/contender.ts';
import { type RelaySettings, relayVariants } from '../contenders/relays.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import type { SocketServer } from './measure-sockets.ts';

export type StartedServer = SocketServer & { stop(): Promise<void> };

const atOnce = 16;

/** A bare `ws` server. */
export async function startBareServer(): Promise<StartedServer> {
  const module = new URL('./bare-server-process.js', import.meta.url);
  const remote = RemoteProcess.start('bare ws', module);
  const port = await remote.call('listen', undefined, z.int());
  return {
    origin: `http://127.0.0.1:${port}`,
    process: { name: 'bare ws', pid: remote.pid },
    tokens: async (count) => Array.from({ length: count }, () => 'token'),
    broadcast: (events, bytes) => remote.call('broadcast', { events, bytes }, z.undefined()),
    stop: () => remote.stop(),
  };
}

/** Relay as one process. Its events are new tasks. */
export async function startRelayServer(settings: RelaySettings): Promise<StartedServer> {
  const [variant] = relayVariants;
  if (!variant) throw new Error('there is no Relay');
  const relay = await variant.start(settings);
  const { origin, adminToken, processes } = relay;
  const [process] = processes;
  if (!process) throw new Error('Relay has no process');
  const register = () => AgentClient.register([origin], adminToken, true);
  const caller = await register();
  let callee = caller;
  return {
    origin,
    process,
    tokens: async (count) => {
      const agents = await repeat(count, register);
      callee = agents.at(-1) ?? callee;
      return agents.map(({ token }) => token);
    },
    broadcast: async (events, bytes) => {
      const url = `${origin}/${callee.handle}`;
      const headers = headersFor(caller.token);
      const text = 'x'.repeat(bytes / 2);
      await repeat(events, async () => {
        const response = await fetch(url, { method: 'POST', headers, body: taskOf(text) });
        await response.body?.cancel();
      });
    },
    stop: () => relay.stop(),
  };
}

function taskOf(text: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: {
      message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
      configuration: { returnImmediately: true },
    },
  });
}

async function repeat<Result>(count: number, act: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let started = 0;
  const actSome = async () => {
    while (started < count) {
      started += 1;
      results.push(await act());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, actSome));
  return results;
}
