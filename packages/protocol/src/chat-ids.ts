import { z } from 'zod';

/** Ids of chats. They grant nothing: who is no member learns nothing by one. */

export const chatIdSchema = z.uuid().brand<'ChatId'>();
export type ChatId = z.infer<typeof chatIdSchema>;

export const chatMessageIdSchema = z.uuid().brand<'ChatMessageId'>();
export type ChatMessageId = z.infer<typeof chatMessageIdSchema>;
