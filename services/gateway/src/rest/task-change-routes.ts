import type { TaskCommand } from '@relay/domain';
import {
  type AgentId,
  addArtifactRequestSchema,
  replyRequestSchema,
  setStatusRequestSchema,
  validate,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { readJsonBody } from '../http/body.ts';
import { type CommandFields, commandFields, withMessageId } from '../tasks/task-commands.ts';
import { noteTaskId, type TaskAnswer, type TaskRoute } from './task-route.ts';

type CalleeFields = CommandFields & { readonly calleeId: AgentId };

/** What the agent that does a task asks for, by the last segment of the path. */
const calleeCommands: Readonly<
  Record<string, (fields: CalleeFields, body: unknown) => TaskCommand>
> = {
  status: (fields, body) => {
    const { state, message } = validate(setStatusRequestSchema, body);
    return { ...fields, type: 'set-status', state, message: message && withMessageId(message) };
  },
  artifacts: (fields, body) => {
    const { artifact } = validate(addArtifactRequestSchema, body);
    return { ...fields, type: 'add-artifact', artifact };
  },
  reply: (fields, body) => {
    const { message } = validate(replyRequestSchema, body);
    return { ...fields, type: 'reply', message: withMessageId(message) };
  },
};

/** The changes that the two sides of a task may make. Each answers the task after it. */
export function addTaskChangeRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { authentication, commands } = context;
  const execute = async (command: TaskCommand): Promise<TaskAnswer> => {
    const { snapshot } = await commands.execute(command);
    return { task: snapshot.task };
  };
  for (const [segment, toCommand] of Object.entries(calleeCommands)) {
    server.post<TaskRoute>(
      `/v1/tasks/:taskId/${segment}`,
      authentication.forAgent<TaskRoute>(({ agent }, request) => {
        const fields = commandFields(noteTaskId(request), request.record.traceId);
        return execute(toCommand({ ...fields, calleeId: agent.id }, readJsonBody(request)));
      }),
    );
  }
  server.post<TaskRoute>(
    '/v1/tasks/:taskId/cancel',
    authentication.forAgent<TaskRoute>(({ agent }, request) => {
      const fields = commandFields(noteTaskId(request), request.record.traceId);
      return execute({ ...fields, type: 'cancel', requesterId: agent.id, calleeId: undefined });
    }),
  );
}
