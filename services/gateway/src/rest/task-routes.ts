import {
  type AgentRecord,
  createTaskRequestSchema,
  type ListTasksPage,
  listTasksQuerySchema,
  validate,
} from '@relay/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { readJsonBody } from '../http/body.ts';
import { findAgent } from '../registry/find-agent.ts';
import { readTaskPage } from '../tasks/task-lists.ts';
import { readTaskOfAgent } from '../tasks/task-reads.ts';
import { noteTaskId, type TaskAnswer, type TaskRoute } from './task-route.ts';

/** Relay's REST twin of the A2A operations (contract §2.3). */
export function addTaskRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { authentication, record } = context;
  server.post(
    '/v1/tasks',
    authentication.forAgent(({ agent }, request) => createTask(context, agent, request)),
  );
  server.get(
    '/v1/tasks',
    authentication.forAgent(({ agent }, request) => listTasks(context, agent, request)),
  );
  server.get<TaskRoute>(
    '/v1/tasks/:taskId',
    authentication.forAgent<TaskRoute>(async ({ agent }, request) => {
      const { snapshot } = await readTaskOfAgent(record, noteTaskId(request), agent.id);
      return { task: snapshot.task };
    }),
  );
}

/** A new task, or a follow-up where the message names one. It does not wait for an answer. */
async function createTask(
  { registry, commands }: GatewayContext,
  sender: AgentRecord,
  request: FastifyRequest,
): Promise<TaskAnswer> {
  const { record } = request;
  const { to, message, metadata } = validate(createTaskRequestSchema, readJsonBody(request));
  const callee = await findAgent(registry, to);
  record.handle = callee.handle;
  const { traceId } = record;
  const command = commands.forMessage({ sender, callee, message, metadata, traceId });
  record.taskId = command.taskId;
  const { snapshot } = await commands.execute(command);
  return { task: snapshot.task };
}

/** Latest update first. */
async function listTasks(
  { taskLists, record }: GatewayContext,
  agent: AgentRecord,
  request: FastifyRequest,
): Promise<ListTasksPage> {
  const { role, state, page_size, page_token } = validate(listTasksQuerySchema, request.query);
  const side = role === 'callee' ? { calleeId: agent.id } : { requesterId: agent.id };
  const query = { ...side, state, pageSize: page_size, pageToken: page_token || undefined };
  const { tasks, nextPageToken } = await readTaskPage(taskLists, record, query, {});
  return { tasks, next_page_token: nextPageToken };
}
