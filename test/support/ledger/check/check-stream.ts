import type { StreamLedger } from '../event-stream.ts';

/** From its first event to the last one nothing is lost and nothing comes twice, however often it was cut. */
export function checkStream({ taskId, ids, states }: StreamLedger): string[] {
  const isContiguous = ids.every((id, index) => id === (ids[0] ?? 0) + index);
  const isWhole = isContiguous && states.at(-1) === 'TASK_STATE_COMPLETED';
  return isWhole ? [] : [`the stream of ${taskId} told ${ids.join(', ')}: ${states.join(', ')}`];
}
