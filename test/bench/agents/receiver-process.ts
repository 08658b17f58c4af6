import { serveCalls } from '../remote/serve-calls.ts';
import { receiveTasks } from './event-socket.ts';
import { finishTasks } from './finish-tasks.ts';
import { type Agent, agentSchema, finishSchema, settleSchema } from './orders.ts';
import { ReceivedTasks } from './received-tasks.ts';

const tasks = new ReceivedTasks();
let agent: Agent | undefined;

serveCalls({
  connect: (order) => {
    agent = agentSchema.parse(order);
    return receiveTasks(agent, (task) => tasks.add(task));
  },
  settle: (order) => {
    const { sent, timeoutMilliseconds } = settleSchema.parse(order);
    return tasks.settle(sent, timeoutMilliseconds);
  },
  finish: (order) => {
    const { sent, connections } = finishSchema.parse(order);
    if (!agent) throw new Error('the agent is not connected');
    return finishTasks(agent, tasks.of(sent), connections);
  },
});
