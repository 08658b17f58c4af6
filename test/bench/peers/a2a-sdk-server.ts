import { once } from 'node:events';
import { createServer } from 'node:http';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { Redis } from 'ioredis';
import { serveCalls } from '../remote/serve-calls.ts';
import { executorFor } from './agents.ts';
import { peerOrderSchema } from './orders.ts';
import { RedisTaskStore } from './redis-task-store.ts';

const card = AgentCard.fromJSON({
  name: 'peer',
  description: 'An agent of the benchmarks',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
});

/** The official SDK's server as its samples set it up. */
serveCalls({
  listen: async (order) => {
    const { agent, redisUrl } = peerOrderSchema.parse(order);
    const store = redisUrl ? new RedisTaskStore(new Redis(redisUrl)) : new InMemoryTaskStore();
    const requestHandler = new DefaultRequestHandler(card, store, executorFor(agent));
    const app = express();
    app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { port: address.port };
  },
});
