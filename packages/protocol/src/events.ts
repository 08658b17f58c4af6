import { z } from 'zod';
import { type Message, storedMessageSchema } from './a2a.ts';
import { type Task, taskSchema } from './a2a-results.ts';
import { documentedAs } from './documented-as.ts';
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
  event_id: z.uuid().meta({ description: 'The same on every copy: the key to know repeats by.' }),
  created_at: timestampSchema.meta({ description: 'When the change was recorded.' }),
  trace_id: traceIdSchema.meta({
    description: 'Of the request that caused it (W3C Trace Context).',
  }),
  agent_id: agentIdSchema.meta({ description: 'The receiving agent.' }),
};

const taskData = z.looseObject({
  task: documentedAs(taskSchema, z.custom<Task>(isJsonObject)),
});

/** Reads an event on the receiving side. Data stays as it came but for its discriminating fields. */
export const eventEnvelopeSchema = z
  .discriminatedUnion('event_type', [
    z.object({ ...envelopeFields, event_type: z.literal('task.created'), data: taskData }).meta({
      id: 'TaskCreated',
      description: 'To the agent that is to do the task: here is a new one.',
    }),
    z.object({ ...envelopeFields, event_type: z.literal('task.updated'), data: taskData }).meta({
      id: 'TaskUpdated',
      description:
        'To the agent that sent the task: the whole task after a new status or artifact.',
    }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('task.message'),
        data: z.looseObject({
          task_id: taskIdSchema,
          message: documentedAs(storedMessageSchema, z.custom<Message>(isJsonObject)),
        }),
      })
      .meta({
        id: 'TaskMessage',
        description: 'To the agent that does the task: the requester says more on it.',
      }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('task.canceled'),
        data: z.looseObject({ task_id: taskIdSchema }),
      })
      .meta({
        id: 'TaskCanceled',
        description: 'To the agent that does the task: the requester has canceled it, so stop.',
      }),
  ])
  .meta({ id: 'Event', description: 'One event, told apart by its event_type.' });
