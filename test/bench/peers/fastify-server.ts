import fastify from 'fastify';
import { serveCalls } from '../remote/serve-calls.ts';
import { type PeerOrder, peerOrderSchema } from './orders.ts';

const taskIn = (state: string) => ({ task: { status: { state } } });

const results: Record<PeerOrder['agent'], object> = {
  idle: taskIn('TASK_STATE_SUBMITTED'),
  completing: taskIn('TASK_STATE_COMPLETED'),
  answering: { message: { role: 'ROLE_AGENT', parts: [{ text: 'done' }] } },
};

/** What any server in Node could reach at most: it reads the JSON and answers some of its own. */
serveCalls({
  listen: async (order) => {
    const { agent } = peerOrderSchema.parse(order);
    const result = results[agent];
    const server = fastify();
    server.post('/', async () => ({ jsonrpc: '2.0', result }));
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    return { port: Number(new URL(address).port) };
  },
});
