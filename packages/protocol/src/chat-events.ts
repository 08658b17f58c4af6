import { z } from 'zod';
import { metadataSchema } from './a2a.ts';
import { chatIdSchema, chatMessageIdSchema } from './chat-ids.ts';
import {
  chatHandleSchema,
  chatSchema,
  readPartSchema,
  replyReferenceSchema,
  threadReferenceSchema,
} from './chats.ts';
import { handleSchema, taskIdSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';

/** What events of chats tell (contract §4.4). Old and new names are both sent. */

const messageFields = {
  chat_id: chatIdSchema,
  chat: z
    .looseObject({
      id: chatIdSchema,
      is_group: z.boolean(),
      owner_handle: chatHandleSchema.meta({ description: 'The receiving agent.' }),
    })
    .meta({ description: 'An older form of `chat_id`.' }),
  id: chatMessageIdSchema,
  idempotency_key: z.string().nullable(),
  direction: z.enum(['inbound', 'outbound']),
  from: handleSchema,
  from_handle: chatHandleSchema,
  sender_handle: chatHandleSchema.meta({ description: 'An older form of `from_handle`.' }),
  is_from_me: z.boolean(),
  parts: z.array(readPartSchema),
  sent_at: timestampSchema,
  delivered_at: timestampSchema.nullable(),
  read_at: timestampSchema.nullable(),
  silent: z.boolean(),
  reply_to: replyReferenceSchema.nullable(),
  thread: threadReferenceSchema.nullable(),
};

export const messageEventSchema = z.looseObject(messageFields);
export type MessageEvent = Immutable<z.infer<z.ZodObject<typeof messageFields>>>;

const receivedFields = {
  ...messageFields,
  metadata: metadataSchema.nullable(),
  a2a: z
    .object({ message_id: z.string(), task_id: taskIdSchema })
    .nullable()
    .meta({
      description:
        'Of a message that came to the A2A address: the id its sender gave it, and the id of the task ' +
        'that a status or an artifact makes of it.',
    }),
};

export const receivedEventSchema = z.looseObject(receivedFields);
export type ReceivedEvent = Immutable<z.infer<z.ZodObject<typeof receivedFields>>>;

const failedFields = {
  chat_id: chatIdSchema,
  message_id: chatMessageIdSchema,
  code: z.int(),
  reason: z.string(),
  detail_code: z.int().nullable(),
  failed_at: timestampSchema,
};
export const failedEventSchema = z.looseObject(failedFields);
export type FailedEvent = Immutable<z.infer<z.ZodObject<typeof failedFields>>>;

const participantFields = { chat_id: chatIdSchema, participant: chatHandleSchema };
export const participantAddedSchema = z.looseObject({
  ...participantFields,
  added_at: timestampSchema,
});
export const participantRemovedSchema = z.looseObject({
  ...participantFields,
  removed_at: timestampSchema,
});
export type ParticipantAdded = Immutable<
  z.infer<z.ZodObject<typeof participantFields & { added_at: typeof timestampSchema }>>
>;
export type ParticipantRemoved = Immutable<
  z.infer<z.ZodObject<typeof participantFields & { removed_at: typeof timestampSchema }>>
>;

export const chatEventSchema = z.looseObject(chatSchema.shape);
