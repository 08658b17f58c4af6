import type { EventEnvelope } from '@relay/protocol';

/** Takes the events of a socket. They come in order, without waiting for one to be handled. */
export interface EventConsumer {
  /** Resolves when the event is handled and may be acknowledged; rejects when it must come again. */
  handle(event: EventEnvelope): Promise<void>;
  /** Resolves when nothing is being handled any more. */
  settled(): Promise<void>;
}

/** Tasks that are worked on at the same time. */
export const maximumConcurrentTasks = 16;

/** The task or chat that an event is about. */
export function laneOf({ data }: EventEnvelope): string {
  if ('task' in data) return data.task.id;
  if ('task_id' in data) return data.task_id;
  return 'chat_id' in data ? data.chat_id : data.id;
}
