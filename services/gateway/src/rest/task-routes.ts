import type { OwnedAgent } from '@relay/domain';
import {
  type AgentRecord,
  createTaskRequestSchema,
  type ErrorKey,
  type ListTasksPage,
  listTasksPageSchema,
  listTasksQuerySchema,
  type Task,
  taskAnswerSchema,
} from '@relay/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute } from '../http/rest-route.ts';
import { findAgent } from '../registry/find-agent.ts';
import { admitMessage } from '../tasks/admit-message.ts';
import { readTaskPage } from '../tasks/task-lists.ts';
import { readTaskOfAgent } from '../tasks/task-reads.ts';
import { noteTaskId } from './task-route.ts';

const sendErrors: readonly ErrorKey[] = [
  'agentNotFound',
  'blocked',
  'notMessageable',
  'tooManyMessages',
  'tasksNotAccepted',
  'contentTypeNotSupported',
  'taskNotFound',
  'contextMismatch',
  'taskFinished',
  'taskTooLarge',
];

/** Relay's REST twin of the A2A operations (contract §2.3). */
export function addTaskRoutes(server: FastifyInstance, context: GatewayContext): void {
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/tasks',
      id: 'createTask',
      tag: 'Tasks',
      summary: 'Send a task',
      description:
        'A new task, or a follow-up where the message names a task. It does not wait for an answer.',
      body: createTaskRequestSchema,
      answer: taskAnswerSchema,
      errors: sendErrors,
    },
    async ({ caller, request, body }) => ({
      task: await createTask(context, caller, request, body()),
    }),
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/tasks',
      id: 'listTasks',
      tag: 'Tasks',
      summary: 'The tasks that the agent does, or that it has sent',
      description: 'Without artifacts and history. A page ends early at 8 MiB.',
      query: listTasksQuerySchema,
      answer: listTasksPageSchema,
      errors: [],
    },
    ({ caller, query }) => listTasks(context, caller.agent, query()),
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/tasks/:taskId',
      id: 'getTask',
      tag: 'Tasks',
      summary: 'One task, for either side of it',
      answer: taskAnswerSchema,
      errors: ['taskNotFound'],
    },
    async ({ caller, request }) => {
      const taskId = noteTaskId(request);
      const { snapshot } = await readTaskOfAgent(context.record, taskId, caller.agent.id);
      return { task: snapshot.task };
    },
  );
}

async function createTask(
  context: GatewayContext,
  sender: OwnedAgent,
  { record }: FastifyRequest,
  { to, message, metadata }: z.output<typeof createTaskRequestSchema>,
): Promise<Task> {
  const { registry, commands } = context;
  const callee = await findAgent(registry, to);
  record.handle = callee.handle;
  const { traceId } = record;
  const sent = { sender, callee, message, metadata, traceId };
  const command = await admitMessage(context, sent, () => commands.forMessage(sent));
  record.taskId = command.taskId;
  const { snapshot } = await commands.execute(command);
  return snapshot.task;
}

async function listTasks(
  { taskLists, record }: GatewayContext,
  agent: AgentRecord,
  { role, state, page_size, page_token }: z.output<typeof listTasksQuerySchema>,
): Promise<ListTasksPage> {
  const side = role === 'callee' ? { calleeId: agent.id } : { requesterId: agent.id };
  const query = { state, pageSize: page_size, pageToken: page_token || undefined, ...side };
  const { tasks, nextPageToken } = await readTaskPage(taskLists, record, query, {});
  return { tasks, next_page_token: nextPageToken };
}
