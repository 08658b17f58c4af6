import type { TaskCommand } from '@relay/domain';
import {
  type AgentId,
  addArtifactRequestSchema,
  type ErrorKey,
  replyRequestSchema,
  setStatusRequestSchema,
  type Task,
  taskAnswerSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute } from '../http/rest-route.ts';
import { type CommandFields, commandFields, withMessageId } from '../tasks/task-commands.ts';
import { noteTaskId } from './task-route.ts';

type CalleeFields = CommandFields & { readonly calleeId: AgentId };

/** What only the agent that does a task may ask for. */
interface CalleeRoute<Body extends z.ZodType> {
  readonly path: `/v1/tasks/:taskId/${'status' | 'artifacts' | 'reply'}`;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  readonly errors: readonly ErrorKey[];
  readonly toCommand: (fields: CalleeFields, body: z.output<Body>) => TaskCommand;
}

/** The changes that the two sides of a task may make. Each answers the task after it. */
export function addTaskChangeRoutes(server: FastifyInstance, context: GatewayContext): void {
  addCalleeRoute(server, context, {
    path: '/v1/tasks/:taskId/status',
    id: 'setTaskStatus',
    summary: 'Say how the task stands',
    description: 'For the agent that does the task. The same state again is progress, and is told.',
    body: setStatusRequestSchema,
    errors: ['answeredInChat', 'taskFinished', 'taskTooLarge'],
    toCommand: (fields, { state, message }) => ({
      type: 'set-status',
      state,
      message: message && withMessageId(message),
      ...fields,
    }),
  });
  addCalleeRoute(server, context, {
    path: '/v1/tasks/:taskId/artifacts',
    id: 'addArtifact',
    summary: 'Add an artifact',
    description: 'For the agent that does the task. The same artifact again changes nothing.',
    body: addArtifactRequestSchema,
    errors: ['answeredInChat', 'artifactTaken', 'taskFinished', 'taskTooLarge'],
    toCommand: (fields, { artifact }) => ({ type: 'add-artifact', artifact, ...fields }),
  });
  addCalleeRoute(server, context, {
    path: '/v1/tasks/:taskId/reply',
    id: 'replyToTask',
    summary: 'Answer with a message, and be done',
    description: 'For the agent that does the task, as its first answer.',
    body: replyRequestSchema,
    errors: ['answeredInChat', 'taskAnswered', 'taskFinished', 'taskTooLarge'],
    toCommand: (fields, { message }) => ({
      type: 'reply',
      message: withMessageId(message),
      ...fields,
    }),
  });
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/tasks/:taskId/cancel',
      id: 'cancelTask',
      tag: 'Tasks',
      summary: 'Cancel a task',
      description: 'For the agent that sent the task. A canceled task is answered as it is.',
      answer: taskAnswerSchema,
      errors: ['taskNotFound', 'taskNotCancelable'],
    },
    async ({ caller, request }) => {
      const fields = commandFields(noteTaskId(request), request.record.traceId);
      const requesterId = caller.agent.id;
      return execute(context, { type: 'cancel', requesterId, calleeId: undefined, ...fields });
    },
  );
}

function addCalleeRoute<Body extends z.ZodType>(
  server: FastifyInstance,
  context: GatewayContext,
  { toCommand, errors, ...route }: CalleeRoute<Body>,
): void {
  addAgentRoute(
    server,
    context,
    {
      ...route,
      method: 'POST',
      tag: 'Tasks',
      answer: taskAnswerSchema,
      errors: ['taskNotFound', ...errors],
    },
    async ({ caller, request, body }) => {
      const fields = commandFields(noteTaskId(request), request.record.traceId);
      return execute(context, toCommand({ calleeId: caller.agent.id, ...fields }, body()));
    },
  );
}

async function execute(
  { commands }: GatewayContext,
  command: TaskCommand,
): Promise<{ readonly task: Task }> {
  const { snapshot } = await commands.execute(command);
  return { task: snapshot.task };
}
