import { viewChat } from '@relay/domain';
import {
  chatMessageViewSchema,
  chatsPageSchema,
  listChatsQuerySchema,
  listMessagesQuerySchema,
  listThreadQuerySchema,
  messagesPageSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { viewMessage } from '../chats/message-view.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute } from '../http/rest-route.ts';

/** Lists of chats, and their messages page by page. */
export function addChatPageRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { chats, chatPages } = context;
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/chats',
      id: 'listChats',
      tag: 'Chats',
      summary: 'The chats of the agent, latest message first',
      query: listChatsQuerySchema,
      answer: chatsPageSchema,
      errors: [],
    },
    async ({ caller, query }) => {
      const { id } = caller.agent;
      const page = await chatPages.chatsOf(id, query());
      return { chats: page.chats.map((chat) => viewChat(chat, id)), next_cursor: page.nextCursor };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/chats/:chatId/messages',
      id: 'listMessages',
      tag: 'Chats',
      summary: 'The messages of a chat, from either end',
      query: listMessagesQuerySchema,
      answer: messagesPageSchema,
      errors: ['notFound'],
    },
    async ({ caller, request, query }) => {
      const { id } = caller.agent;
      const { thread_originator_message_id: threadId, ...page } = query();
      const chat = await chats.readFor(id, request.params.chatId);
      const { recorded, reads, nextCursor } = await chatPages.messages(chat, id, {
        ...page,
        threadId,
      });
      const messages = recorded.map((each) => viewMessage(each, chat, id, reads));
      return { messages, next_cursor: nextCursor };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/messages/:messageId',
      id: 'getMessage',
      tag: 'Chats',
      summary: 'One message, for the members of its chat',
      answer: chatMessageViewSchema,
      errors: ['notFound'],
    },
    async ({ caller, request }) => {
      const { id } = caller.agent;
      const { chat, recorded } = await chatPages.message(id, request.params.messageId);
      return viewMessage(recorded, chat, id, await chatPages.readsFor(chat, [recorded]));
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/messages/:messageId/thread',
      id: 'listThread',
      tag: 'Chats',
      summary: 'The replies in the thread of a message',
      query: listThreadQuerySchema,
      answer: messagesPageSchema,
      errors: ['notFound'],
    },
    async ({ caller, request, query }) => {
      const { id } = caller.agent;
      const page = query();
      const { chat, recorded } = await chatPages.message(id, request.params.messageId);
      const { change } = recorded;
      const message = change.type === 'message-sent' ? change.message : undefined;
      const threadId = message?.thread?.messageId ?? message?.id;
      if (threadId === undefined) return { messages: [], next_cursor: null };
      const thread = await chatPages.messages(chat, id, { ...page, threadId });
      const messages = thread.recorded.map((each) => viewMessage(each, chat, id, thread.reads));
      return { messages, next_cursor: thread.nextCursor };
    },
  );
}
