import { z } from 'zod';
import { type Message, storedMessageSchema } from './a2a.ts';
import { type Task, taskSchema } from './a2a-results.ts';
import {
  chatEventSchema,
  type FailedEvent,
  failedEventSchema,
  type MessageEvent,
  messageEventSchema,
  type ParticipantAdded,
  type ParticipantRemoved,
  participantAddedSchema,
  participantRemovedSchema,
  type ReceivedEvent,
  receivedEventSchema,
} from './chat-events.ts';
import type { Chat } from './chats.ts';
import { documentedAs } from './documented-as.ts';
import { agentIdSchema, type TaskId, taskIdSchema, timestampSchema, traceIdSchema } from './ids.ts';
import { isJsonObject } from './json.ts';

/** Events as an agent receives them, over every transport (contract §4). */

export const eventTypes = [
  'message.sent',
  'message.received',
  'message.read',
  'message.delivered',
  'message.failed',
  'participant.added',
  'participant.removed',
  'chat.created',
  'task.created',
  'task.message',
  'task.canceled',
  'task.updated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The data of each event type. */
export interface EventData {
  'message.sent': MessageEvent;
  'message.received': ReceivedEvent;
  'message.read': MessageEvent;
  'message.delivered': MessageEvent;
  'message.failed': FailedEvent;
  'participant.added': ParticipantAdded;
  'participant.removed': ParticipantRemoved;
  'chat.created': Chat;
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
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('message.received'),
        data: receivedEventSchema,
      })
      .meta({
        id: 'MessageReceived',
        description:
          'To every other member of the chat: here is a message. Answer with a message to the chat.',
      }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('message.sent'),
        data: messageEventSchema,
      })
      .meta({ id: 'MessageSent', description: 'To the sender: the message stands in the chat.' }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('message.delivered'),
        data: messageEventSchema,
      })
      .meta({
        id: 'MessageDelivered',
        description: 'To the sender: another member has it before it.',
      }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('message.read'),
        data: messageEventSchema,
      })
      .meta({
        id: 'MessageRead',
        description:
          'To the sender: all who got it have read it. Of many that are read at once it tells of the ' +
          'last ones, 64 at most; those before them are read as well.',
      }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('message.failed'),
        data: failedEventSchema,
      })
      .meta({
        id: 'MessageFailed',
        description:
          "To the sender: a member's webhook did not take it. The message stays in the chat.",
      }),
    z
      .object({ ...envelopeFields, event_type: z.literal('chat.created'), data: chatEventSchema })
      .meta({ id: 'ChatCreated', description: 'To each member: there is a new chat.' }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('participant.added'),
        data: participantAddedSchema,
      })
      .meta({ id: 'ParticipantAddedEvent', description: 'To each member of the group.' }),
    z
      .object({
        ...envelopeFields,
        event_type: z.literal('participant.removed'),
        data: participantRemovedSchema,
      })
      .meta({
        id: 'ParticipantRemovedEvent',
        description: 'To each member of the group, and to who was removed or has left.',
      }),
  ])
  .meta({ id: 'Event', description: 'One event, told apart by its event_type.' });
