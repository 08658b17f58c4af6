import { listTaskChangesQuerySchema, taskChangesPageSchema } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addOwnRoute } from '../registry/own-route.ts';
import { readTaskChanges } from '../tasks/task-history.ts';
import { noteTaskId } from './task-route.ts';

/** What became of a task, step by step. */
export function addTaskHistoryRoutes(server: FastifyInstance, context: GatewayContext): void {
  addOwnRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/tasks/:taskId/changes',
      id: 'listTaskChanges',
      tag: 'Tasks',
      summary: 'The changes of a task, newest first',
      description: 'Without their content. A page may hold less than was asked for.',
      query: listTaskChangesQuerySchema,
      answer: taskChangesPageSchema,
      errors: ['taskNotFound'],
    },
    ({ agent, request, query }) =>
      readTaskChanges(context.record, { taskId: noteTaskId(request), agentId: agent.id }, query()),
  );
}
