import { randomUUID } from 'node:crypto';
import { type Message, Role, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type RequestContext } from '@a2a-js/sdk/server';
import type { PeerOrder } from './orders.ts';

const publishSubmitted: AgentExecutor['execute'] = async (request, bus) => {
  bus.publish(AgentEvent.task(submittedTask(request)));
};

const completeAtOnce: AgentExecutor['execute'] = async (request, bus) => {
  const { taskId, contextId } = request;
  const message = answerTo(request, 'done');
  bus.publish(AgentEvent.task(submittedTask(request)));
  bus.publish(
    AgentEvent.statusUpdate({
      taskId,
      contextId,
      status: statusNow(TaskState.TASK_STATE_COMPLETED, message),
      metadata: undefined,
    }),
  );
};

const answerAtOnce: AgentExecutor['execute'] = async (request, bus) => {
  const { taskId: _taskId, ...message } = answerTo(request, 'done');
  bus.publish(AgentEvent.message({ ...message, taskId: '' }));
};

const executors = {
  idle: publishSubmitted,
  completing: completeAtOnce,
  answering: answerAtOnce,
} satisfies Record<PeerOrder['agent'], AgentExecutor['execute']>;

/** The agent in a peer's own process. */
export function executorFor(agent: PeerOrder['agent']): AgentExecutor {
  return {
    execute: executors[agent],
    cancelTask: async () => undefined,
  };
}

function submittedTask({ taskId: id, contextId, userMessage }: RequestContext) {
  return {
    id,
    contextId,
    status: statusNow(TaskState.TASK_STATE_SUBMITTED),
    artifacts: [],
    history: [userMessage],
    metadata: undefined,
  };
}

function answerTo({ taskId, contextId }: RequestContext, value: string): Message {
  return {
    messageId: randomUUID(),
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts: [
      { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function statusNow(state: TaskState, message?: Message): TaskStatus {
  return { state, message, timestamp: new Date().toISOString() };
}
