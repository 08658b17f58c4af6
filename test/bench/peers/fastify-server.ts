import fastify from 'fastify';
import { serveCalls } from '../remote/serve-calls.ts';
import { peerOrderSchema } from './orders.ts';

/** What any server in Node could reach at most: it reads the JSON and answers some of its own. */
serveCalls({
  listen: async (order) => {
    const { agent } = peerOrderSchema.parse(order);
    const state = agent === 'idle' ? 'TASK_STATE_SUBMITTED' : 'TASK_STATE_COMPLETED';
    const server = fastify();
    server.post('/', async () => ({ jsonrpc: '2.0', result: { task: { status: { state } } } }));
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    return { port: Number(new URL(address).port) };
  },
});
