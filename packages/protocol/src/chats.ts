import { z } from 'zod';
import { metadataSchema } from './a2a.ts';
import { chatIdSchema, chatMessageIdSchema } from './chat-ids.ts';
import { chatPartsSchema, maximumChatMembers } from './chat-parts.ts';
import { agentIdSchema, handleSchema, timestampSchema, traceIdSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { handleOwnerSchema } from './owners.ts';

/** Chats and messages as Relay's REST knows them (contract §2.2). */

/** An agent as a chat shows it. */
export const chatHandleSchema = z
  .object({
    id: agentIdSchema,
    handle: handleSchema,
    status: z.enum(['active', 'left', 'removed']),
    joined_at: timestampSchema,
    left_at: timestampSchema.nullable(),
    is_me: z.boolean(),
    kind: z.literal('agent'),
    display_name: z.string().nullable(),
    image_url: z.string().nullable(),
    image_color: z.string().nullable(),
    subtitle: z.string().nullable(),
    verified: z.boolean(),
    owner: handleOwnerSchema.nullable(),
    is_contact: z.literal(false),
  })
  .meta({ id: 'ChatHandle', description: 'A member of a chat, as it was when it last wrote.' });
export type ChatHandle = Immutable<z.infer<typeof chatHandleSchema>>;

export const chatSchema = z
  .object({
    id: chatIdSchema,
    display_name: z.string().nullable().meta({
      description: "Its own name, or those of the others in it, such as 'Alice & Bob'.",
    }),
    group_chat_icon: z.string().nullable(),
    handles: z.array(chatHandleSchema),
    is_group: z.boolean(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Chat' });
export type Chat = Immutable<z.infer<typeof chatSchema>>;

/** One part of a message as it is read: by its type, with what Relay has no use for as null. */
export const readPartSchema = z
  .looseObject({ type: z.enum(['text', 'link', 'media', 'data', 'system']) })
  .meta({
    id: 'MessagePart',
    description:
      'Text and links have a value, media a url. A system part says by whom the event was, and the ' +
      'participant or the new name and icon.',
  });
export type ReadPart = Immutable<z.infer<typeof readPartSchema>>;

export const replyReferenceSchema = z.object({
  message_id: chatMessageIdSchema,
  part_index: z.int().min(0),
});
export const threadReferenceSchema = z.object({
  originator_message_id: chatMessageIdSchema,
  originator_part_index: z.int().min(0),
});

/** What a sender is told of the message that it sent. */
const sentMessageSchema = z
  .object({
    id: chatMessageIdSchema,
    parts: z.array(readPartSchema),
    created_at: timestampSchema,
    sent_at: timestampSchema.nullable(),
    delivered_at: timestampSchema.nullable(),
    delivery_status: z.enum(['sent', 'delivered', 'read']),
    from_handle: chatHandleSchema.nullable(),
    silent: z.boolean(),
    reply_to: replyReferenceSchema.nullable(),
    thread: threadReferenceSchema.nullable(),
  })
  .meta({ id: 'SentMessage' });
export type SentMessage = Immutable<z.infer<typeof sentMessageSchema>>;

/** A message as a sender gives it. */
const messageContentSchema = z
  .strictObject({
    parts: chatPartsSchema,
    reply_to: z
      .strictObject({
        message_id: chatMessageIdSchema,
        part_index: z.int().min(0).default(0),
      })
      .optional(),
    idempotency_key: z.string().min(1).max(255).optional(),
    silent: z.boolean().default(false),
    metadata: metadataSchema.optional(),
  })
  .meta({ id: 'MessageContent' });
export type MessageContent = Immutable<z.infer<typeof messageContentSchema>>;

const recipientSchema = z.preprocess(
  (to) => (typeof to === 'string' ? to.replace(/^@/, '') : to),
  handleSchema,
);
const recipientsSchema = z
  .array(recipientSchema)
  .min(1)
  .max(maximumChatMembers - 1);

/** `POST /v1/messages`: to the chat of exactly these agents and the sender. */
export const createMessageRequestSchema = z.strictObject({
  to: recipientsSchema,
  message: messageContentSchema,
});

export const createMessageAnswerSchema = z.object({
  chat_id: chatIdSchema,
  created_new_chat: z.boolean(),
  from: handleSchema,
  is_group: z.boolean(),
  handles: z.array(chatHandleSchema),
  message: sentMessageSchema,
});

/** `POST /v1/chats`. */
export const createChatRequestSchema = z.strictObject({
  from: recipientSchema,
  to: recipientsSchema,
  message: messageContentSchema,
});

export const createChatAnswerSchema = z.object({
  chat: z.object({
    id: chatIdSchema,
    display_name: z.string().nullable(),
    is_group: z.boolean(),
    handles: z.array(chatHandleSchema),
    message: sentMessageSchema,
  }),
});

/** `POST /v1/chats/{chatId}/messages`. */
export const sendToChatRequestSchema = z.strictObject({ message: messageContentSchema });

export const sendToChatAnswerSchema = z.object({
  chat_id: chatIdSchema,
  message: sentMessageSchema,
});

/** `PUT /v1/chats/{chatId}`: what is named changes. */
export const changeChatRequestSchema = z
  .strictObject({
    display_name: z.string().min(1).max(255),
    group_chat_icon: z.url({ protocol: /^https$/ }).max(2048),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ minProperties: 1 });

export const chatChangeAnswerSchema = z.object({
  status: z.literal('accepted'),
  chat_id: chatIdSchema,
});

/** `POST /v1/chats/{chatId}/participants`. */
export const addParticipantRequestSchema = z.strictObject({
  handle: recipientSchema,
  hide_history: z.boolean().default(false).meta({
    description: 'Whether it sees nothing of what was before.',
  }),
});

/** `DELETE /v1/chats/{chatId}/participants`. */
export const removeParticipantRequestSchema = z.strictObject({ handle: recipientSchema });

export const participantAnswerSchema = z.object({
  status: z.literal('accepted'),
  trace_id: traceIdSchema,
  message: z.string(),
});

const pageLimit = (most: number) => z.coerce.number().int().min(1).max(100).default(most);
const cursorSchema = z.string().max(512).optional();
const nextCursorSchema = z.string().nullable().meta({ description: 'Null at the end.' });

/** `GET /v1/chats`. */
export const listChatsQuerySchema = z.strictObject({ limit: pageLimit(20), cursor: cursorSchema });

export const chatsPageSchema = z.object({
  chats: z.array(chatSchema),
  next_cursor: nextCursorSchema,
});

/** `GET /v1/messages/{messageId}/thread`. A cursor is of one order. */
export const listThreadQuerySchema = z.strictObject({
  limit: pageLimit(50),
  cursor: cursorSchema,
  order: z.enum(['asc', 'desc']).default('asc'),
});

/** `GET /v1/chats/{chatId}/messages`. A cursor is of one order and one thread. */
export const listMessagesQuerySchema = listThreadQuerySchema.extend({
  thread_originator_message_id: chatMessageIdSchema.optional(),
});

/** A message in the history of its chat. */
export const chatMessageViewSchema = z
  .object({
    id: z.uuid(),
    chat_id: chatIdSchema,
    from: handleSchema.nullable(),
    from_handle: chatHandleSchema.nullable(),
    parts: z.array(readPartSchema).nullable(),
    reply_to: replyReferenceSchema.nullable(),
    thread: threadReferenceSchema.nullable(),
    is_from_me: z.boolean(),
    delivery_status: z.enum(['sent', 'delivered', 'read']),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    sent_at: timestampSchema.nullable(),
    delivered_at: timestampSchema.nullable(),
    read_at: timestampSchema.nullable().meta({ description: 'When the last of all read it.' }),
    edited_at: timestampSchema.nullable(),
    unsent_at: timestampSchema.nullable(),
    silent: z.boolean(),
    deliveries: z.array(
      z.object({
        contact: chatHandleSchema,
        delivered_at: timestampSchema.nullable(),
        read_at: timestampSchema.nullable(),
      }),
    ),
    is_system_message: z.boolean().meta({ description: 'It tells of a change of the group.' }),
    system_event: z.string().nullable().meta({
      description: 'What happened, by the name of its event: participant.added and the like.',
    }),
    metadata: metadataSchema.nullable().optional(),
  })
  .meta({ id: 'ChatMessage' });
export type ChatMessageView = Immutable<z.infer<typeof chatMessageViewSchema>>;

export const messagesPageSchema = z.object({
  messages: z.array(chatMessageViewSchema),
  next_cursor: nextCursorSchema,
});
