import { z } from 'zod';
import type { Message, Task } from './a2a.ts';
import { agentIdSchema, type TaskId, taskIdSchema, timestampSchema, traceIdSchema } from './ids.ts';
import { isJsonObject } from './json.ts';

/** Events as an agent receives them, over every transport (contract §4). */

export const eventTypes = [
  'task.created',
  'task.message',
  'task.canceled',
  'task.updated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The data of each event type. */
export interface EventData {
  'task.created': { readonly task: Task };
  'task.message': { readonly task_id: TaskId; readonly message: Message };
  'task.canceled': { readonly task_id: TaskId };
  'task.updated': { readonly task: Task };
}

interface EnvelopeOf<Type extends EventType> {
  readonly api_version: 'v1';
  readonly webhook_version: '2026-08-30';
  readonly event_type: Type;
  readonly event_id: string;
  readonly created_at: string;
  readonly trace_id: string;
  /** The receiving agent. */
  readonly agent_id: string;
  readonly data: EventData[Type];
}

export type EventEnvelope = { [Type in EventType]: EnvelopeOf<Type> }[EventType];

const envelopeFields = {
  api_version: z.literal('v1'),
  webhook_version: z.literal('2026-08-30'),
  event_id: z.uuid(),
  created_at: timestampSchema,
  trace_id: traceIdSchema,
  agent_id: agentIdSchema,
};

const taskData = z.looseObject({ task: z.custom<Task>(isJsonObject) });

/** Reads an event on the receiving side. Data stays as it came but for its discriminating fields. */
export const eventEnvelopeSchema = z.discriminatedUnion('event_type', [
  z.object({ ...envelopeFields, event_type: z.literal('task.created'), data: taskData }),
  z.object({ ...envelopeFields, event_type: z.literal('task.updated'), data: taskData }),
  z.object({
    ...envelopeFields,
    event_type: z.literal('task.message'),
    data: z.looseObject({
      task_id: taskIdSchema,
      message: z.custom<Message>(isJsonObject),
    }),
  }),
  z.object({
    ...envelopeFields,
    event_type: z.literal('task.canceled'),
    data: z.looseObject({ task_id: taskIdSchema }),
  }),
]);
