import type { Task, TaskId } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import { readTaskId } from '../tasks/task-reads.ts';

export interface TaskRoute {
  Params: { taskId: string };
}

export interface TaskAnswer {
  readonly task: Task;
}

/**
 * The task that the path names, noted for the log.
 * @throws RelayError taskNotFound
 */
export function noteTaskId(request: FastifyRequest<TaskRoute>): TaskId {
  const taskId = readTaskId(request.params.taskId);
  request.record.taskId = taskId;
  return taskId;
}
