import {
  type ChatBeginning,
  type ChatMessage,
  type ChatSnapshot,
  type MessageReference,
  viewMember,
  viewSentMessage,
} from '@relay/domain';
import {
  type AgentId,
  a2uiMediaType,
  type ChatHandle,
  type ChatId,
  type ChatMessageId,
  type MessageContent,
  RelayError,
  type SentMessage,
  type Timestamp,
} from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import { keptFrom } from '../access/may-message.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { Caller } from '../http/authentication.ts';
import { chatCommandFields, contactOf } from './chat-commands.ts';

export interface MessageToSend {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly content: MessageContent;
  /** What else the request says: with the same idempotency key it must be the same. */
  readonly target: unknown;
  readonly findChat: () => Promise<ChatId>;
  /** With whom the chat begins, where it may be a new one. */
  readonly beginning: ChatBeginning | undefined;
  /** Who else is in the chat. */
  readonly others: readonly AgentId[];
  readonly isGroup: boolean;
}

export interface SentToChat {
  readonly chat: ChatSnapshot;
  readonly handles: readonly ChatHandle[];
  readonly message: SentMessage;
  readonly isFirst: boolean;
}

/**
 * Sends a message to a chat; one with an idempotency key once.
 * @throws RelayError contentNotProcessable, conflict, notFound, invalidParams, tooManyMessages
 */
export async function sendChatMessage(
  context: GatewayContext,
  { caller, request, content, target, findChat, beginning, others, isGroup }: MessageToSend,
): Promise<SentToChat> {
  requireCards(content);
  const { chats, idempotency, rates } = context;
  const { agent } = caller;
  const key = keyOf(request, content);
  // The same key is the same request, whether it stands in the header or in the message.
  const { idempotency_key: _key, ...asked } = content;
  const { chatId, messageId, sentAt, isRepeat } = await idempotency.identify(
    { senderId: agent.id, key, content: { target, content: asked } },
    async () => {
      const chatId = await findChat();
      const receiverId = isGroup ? undefined : others[0];
      const refusal = await rates.countChatMessage({ senderId: agent.id, receiverId }, chatId);
      if (refusal) throw new RelayError(refusal);
      return chatId;
    },
  );
  const earlier = isRepeat ? await findEarlier(context, agent.id, messageId) : undefined;
  if (earlier) return earlier;
  const kept = await keptFrom(context.registry, agent, { others, isGroup });
  const message = {
    ...toNewMessage(content, messageId, key),
    ...(kept.length > 0 ? { keptFrom: kept } : {}),
  };
  const fields = chatCommandFields(chatId, request.record.traceId);
  const sender = contactOf(caller);
  const command = { type: 'send', sender, beginning, message, ...fields } as const;
  const chat = await chats
    .execute({ firstSentAt: sentAt, ...command })
    .catch(async (error: unknown) => {
      const reply = { agentId: agent.id, chatId, replyTo: message.replyTo };
      const thread = await findOldThread(context, reply, error);
      const threaded = { ...command, message: { ...message, thread } };
      return chats.execute({ firstSentAt: sentAt, ...threaded });
    });
  const taken = chat.recentMessages.find(({ id }) => id === messageId);
  const at = taken?.at ?? sentAt;
  const stored: ChatMessage = { ...message, senderId: agent.id, thread: taken?.thread ?? null };
  return toSent(chat, stored, { at, asSent: chat, isFirst: at === chat.createdAt });
}

/** The message as it was sent before, however long ago; undefined where it is not there, or not to be found now. */
async function findEarlier(
  { chatPages }: GatewayContext,
  agentId: AgentId,
  messageId: ChatMessageId,
): Promise<SentToChat | undefined> {
  const found = await chatPages.message(agentId, messageId).catch(() => undefined);
  const change = found?.recorded.change;
  if (!found || change?.type !== 'message-sent') return undefined;
  const { message, at, beginning } = change;
  const { chat, recorded } = found;
  return toSent(chat, message, { at, asSent: recorded.snapshot, isFirst: beginning !== undefined });
}

function toSent(
  chat: ChatSnapshot,
  message: ChatMessage,
  {
    at,
    asSent,
    isFirst,
  }: { readonly at: Timestamp; readonly asSent: ChatSnapshot; readonly isFirst: boolean },
): SentToChat {
  return {
    chat,
    handles: chat.members.map((member) => viewMember(member, message.senderId)),
    message: viewSentMessage(message, at, asSent),
    isFirst,
  };
}

interface ReplyToFind {
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly replyTo: MessageReference | null;
}

/**
 * The thread of a message that is too far back for the chat to remember.
 * @throws the error where it is another one, or the message is not in the chat
 */
async function findOldThread(
  { chatPages }: GatewayContext,
  { agentId, chatId, replyTo }: ReplyToFind,
  error: unknown,
): Promise<MessageReference> {
  const isUnknown = error instanceof RelayError && error.refusal.error === 'invalidParams';
  if (!isUnknown || !replyTo) throw error;
  const found = await chatPages.message(agentId, replyTo.messageId).catch(() => undefined);
  const change = found?.recorded.change;
  if (found?.chat.chatId !== chatId || change?.type !== 'message-sent') throw error;
  return change.message.thread ?? replyTo;
}

function toNewMessage(
  { parts, reply_to, silent, metadata }: MessageContent,
  id: ChatMessage['id'],
  idempotencyKey: string | null,
) {
  const replyTo = reply_to
    ? { messageId: reply_to.message_id, partIndex: reply_to.part_index }
    : null;
  return {
    id,
    parts,
    replyTo,
    thread: null,
    silent,
    metadata: metadata ?? null,
    idempotencyKey,
    a2a: null,
  };
}

function requireCards({ parts }: MessageContent): void {
  const isOther = parts.some((part) => part.type === 'data' && part.media_type !== a2uiMediaType);
  if (!isOther) return;
  throw new RelayError({
    error: 'contentNotProcessable',
    message: `Data in a chat has the media type ${a2uiMediaType}.`,
  });
}

/** By header or in the body; where both are there, the same. */
function keyOf({ headers }: FastifyRequest, { idempotency_key }: MessageContent): string | null {
  const header = headers['idempotency-key'];
  const isValid = header === undefined || (typeof header === 'string' && header.length <= 255);
  const isSame =
    header === undefined || idempotency_key === undefined || header === idempotency_key;
  if (!isValid || header === '' || !isSame) {
    throw new RelayError({ error: 'invalidParams', message: 'The idempotency key is not valid.' });
  }
  return header ?? idempotency_key ?? null;
}
