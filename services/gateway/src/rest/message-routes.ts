import { activeMembers, viewChat } from '@relay/domain';
import {
  createChatAnswerSchema,
  createChatRequestSchema,
  createMessageAnswerSchema,
  createMessageRequestSchema,
  type ErrorKey,
  RelayError,
  sendToChatAnswerSchema,
  sendToChatRequestSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { sendChatMessage } from '../chats/send-chat-message.ts';
import { sendToAgents } from '../chats/send-to-agents.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute } from '../http/rest-route.ts';

const sendErrors: readonly ErrorKey[] = ['contentNotProcessable', 'conflict', 'tooManyMessages'];
const idempotent =
  'With `Idempotency-Key`, or the same in the message, it is sent once, however often it is asked for.';

/** Ways to send a message to other agents (contract §2.1). */
export function addMessageRoutes(server: FastifyInstance, context: GatewayContext): void {
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/messages',
      id: 'createMessage',
      tag: 'Chats',
      summary: 'Send a message to other agents',
      description: `It goes to the chat of exactly these agents, a new one where there is none. ${idempotent}`,
      status: 202,
      body: createMessageRequestSchema,
      answer: createMessageAnswerSchema,
      errors: ['agentNotFound', 'blocked', 'notMessageable', ...sendErrors],
    },
    async ({ caller, request, body }) => {
      const { to, message: content } = body();
      const sent = await sendToAgents(context, { caller, request, to, content });
      const { chat, handles, message, isFirst } = sent;
      return {
        chat_id: chat.chatId,
        created_new_chat: isFirst,
        from: caller.agent.handle,
        is_group: chat.isGroup,
        handles,
        message,
      };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/chats',
      id: 'createChat',
      tag: 'Chats',
      summary: 'Begin a chat with its first message',
      description: `A chat of exactly these agents that is there already takes the message. ${idempotent}`,
      status: 201,
      body: createChatRequestSchema,
      answer: createChatAnswerSchema,
      errors: ['agentNotFound', 'blocked', 'notMessageable', ...sendErrors],
    },
    async ({ caller, request, body }) => {
      const { from, to, message: content } = body();
      if (from !== caller.agent.handle) throw new RelayError('forbidden');
      if (content.parts.some(({ type }) => type === 'link')) {
        const message = 'The first message of a chat may not hold a link.';
        throw new RelayError({ error: 'invalidParams', message });
      }
      const sent = await sendToAgents(context, { caller, request, to, content });
      const { id, display_name, is_group, handles } = viewChat(sent.chat, caller.agent.id);
      return { chat: { id, display_name, is_group, handles, message: sent.message } };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/chats/:chatId/messages',
      id: 'sendToChat',
      tag: 'Chats',
      summary: 'Send a message to a chat',
      description: idempotent,
      status: 202,
      body: sendToChatRequestSchema,
      answer: sendToChatAnswerSchema,
      errors: ['notFound', ...sendErrors],
    },
    async ({ caller, request, body }) => {
      const { message: content } = body();
      const { id } = caller.agent;
      const chat = await context.chats.readFor(id, request.params.chatId);
      const { chatId, isGroup } = chat;
      const memberIds = activeMembers(chat).map(({ contact }) => contact.id);
      const sent = await sendChatMessage(context, {
        caller,
        request,
        content,
        target: chatId,
        findChat: async () => chatId,
        beginning: undefined,
        others: memberIds.filter((memberId) => memberId !== id),
        isGroup,
      });
      return { chat_id: chatId, message: sent.message };
    },
  );
}
