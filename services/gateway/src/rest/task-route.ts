import type { TaskId } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import { readTaskId } from '../tasks/task-reads.ts';

/**
 * The task that the path names, noted for the log.
 * @throws RelayError taskNotFound
 */
export function noteTaskId(
  request: Pick<FastifyRequest, 'record'> & { readonly params: { readonly taskId: string } },
): TaskId {
  const taskId = readTaskId(request.params.taskId);
  request.record.taskId = taskId;
  return taskId;
}
