import { createHash } from 'node:crypto';
import { z } from 'zod';

/** One event as an agent got it once, by whatever way. */
export interface ReceivedEvent {
  readonly eventId: string;
  readonly type: string;
  /** Whom it says it is for. */
  readonly agentId: string;
  /** Of the task, or of the chat. */
  readonly taskId: string;
  /** What tells the changes of one task or chat apart that events of this type tell of. */
  readonly mark: string;
  /** The text that the task began with, or of the message. */
  readonly order: string;
  /** Who sent the task, or the message. */
  readonly requesterId: string;
  /** Of a message that came to the A2A address: the id that its sender gave it. */
  readonly askedId?: string | undefined;
  /** Of the exact bytes. */
  readonly digest: string;
  /** Milliseconds by the monotonic clock. */
  readonly at: number;
}

const taskSchema = z.object({
  id: z.string(),
  status: z.object({ state: z.string() }),
  artifacts: z.array(z.unknown()).default([]),
  history: z
    .tuple([z.object({ parts: z.tuple([z.object({ text: z.string() })]) })])
    .rest(z.unknown()),
  metadata: z.object({ relay: z.object({ requester: z.object({ id: z.string() }) }) }),
});
const chatMessageSchema = z.object({
  chat_id: z.string(),
  id: z.string(),
  from_handle: z.object({ id: z.string() }),
  parts: z.tuple([z.object({ value: z.string() })]),
  a2a: z.object({ message_id: z.string() }).nullish(),
});
const dataSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ task_id: z.string(), message: z.object({ messageId: z.string() }) }),
  chatMessageSchema,
  z.object({ chat_id: z.string(), message_id: z.string() }),
  /** A new chat. */
  z.object({ id: z.string(), handles: z.array(z.unknown()) }),
]);
const eventSchema = z.object({
  event_id: z.string(),
  event_type: z.string(),
  agent_id: z.string(),
  data: dataSchema,
});

/** @param bytes the event alone, to the letter @throws where it is none */
export function readEvent(bytes: Buffer | string, at: number): ReceivedEvent {
  const { event_id, event_type, agent_id, data } = eventSchema.parse(JSON.parse(bytes.toString()));
  return {
    eventId: event_id,
    type: event_type,
    agentId: agent_id,
    ...readData(data),
    digest: createHash('sha256').update(bytes).digest('base64'),
    at,
  };
}

function readData(data: z.infer<typeof dataSchema>) {
  if ('task_id' in data) {
    return { taskId: data.task_id, mark: data.message.messageId, order: '', requesterId: '' };
  }
  if ('parts' in data) {
    const { chat_id: taskId, id: mark, from_handle, parts, a2a } = data;
    const [{ value: order }] = parts;
    return { taskId, mark, order, requesterId: from_handle.id, askedId: a2a?.message_id };
  }
  if ('message_id' in data) {
    return { taskId: data.chat_id, mark: data.message_id, order: '', requesterId: '' };
  }
  if ('handles' in data) return { taskId: data.id, mark: '', order: '', requesterId: '' };
  const { id, status, artifacts, history, metadata } = data.task;
  return {
    taskId: id,
    mark: taskMark(status.state, artifacts.length),
    order: history[0].parts[0].text,
    requesterId: metadata.relay.requester.id,
  };
}

/** A task in this state with so many artifacts. */
export function taskMark(state: string, artifacts: number): string {
  return `${state} ${artifacts}`;
}
