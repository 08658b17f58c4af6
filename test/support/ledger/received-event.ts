import { createHash } from 'node:crypto';
import { z } from 'zod';

/** One event as an agent got it once, by whatever way. */
export interface ReceivedEvent {
  readonly eventId: string;
  readonly type: string;
  /** Whom it says it is for. */
  readonly agentId: string;
  readonly taskId: string;
  /** What tells the changes of one task apart that events of this type tell of. */
  readonly mark: string;
  /** The text that the task began with. */
  readonly order: string;
  readonly requesterId: string;
  /** Of the exact bytes. */
  readonly digest: string;
  /** Milliseconds by the monotonic clock. */
  readonly at: number;
}

const eventSchema = z.object({
  event_id: z.string(),
  event_type: z.string(),
  agent_id: z.string(),
  data: z.object({
    task: z
      .object({
        id: z.string(),
        status: z.object({ state: z.string() }),
        artifacts: z.array(z.unknown()).default([]),
        history: z
          .tuple([z.object({ parts: z.tuple([z.object({ text: z.string() })]) })])
          .rest(z.unknown()),
        metadata: z.object({ relay: z.object({ requester: z.object({ id: z.string() }) }) }),
      })
      .optional(),
    task_id: z.string().optional(),
    message: z.object({ messageId: z.string() }).optional(),
  }),
});

/** @param bytes the event alone, to the letter @throws where it is none */
export function readEvent(bytes: Buffer | string, at: number): ReceivedEvent {
  const { event_id, event_type, agent_id, data } = eventSchema.parse(JSON.parse(bytes.toString()));
  const { task, message } = data;
  return {
    eventId: event_id,
    type: event_type,
    agentId: agent_id,
    taskId: task?.id ?? data.task_id ?? '',
    mark: task ? taskMark(task.status.state, task.artifacts.length) : (message?.messageId ?? ''),
    order: task?.history[0].parts[0].text ?? '',
    requesterId: task?.metadata.relay.requester.id ?? '',
    digest: createHash('sha256').update(bytes).digest('base64'),
    at,
  };
}

/** A task in this state with so many artifacts. */
export function taskMark(state: string, artifacts: number): string {
  return `${state} ${artifacts}`;
}
