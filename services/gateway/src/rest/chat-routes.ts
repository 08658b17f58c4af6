import { viewChat } from '@relay/domain';
import { changeChatRequestSchema, chatChangeAnswerSchema, chatSchema } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { chatCommandFields } from '../chats/chat-commands.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute, noContent } from '../http/rest-route.ts';

/** What members do with a chat beside writing. */
export function addChatRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { chats } = context;
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/chats/:chatId',
      id: 'getChat',
      tag: 'Chats',
      summary: 'One chat, for its members',
      answer: chatSchema,
      errors: ['notFound'],
    },
    async ({ caller, request }) =>
      viewChat(await chats.readFor(caller.agent.id, request.params.chatId), caller.agent.id),
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'PUT',
      path: '/v1/chats/:chatId',
      id: 'changeChat',
      tag: 'Chats',
      summary: 'Name a group, or give it an icon',
      status: 202,
      body: changeChatRequestSchema,
      answer: chatChangeAnswerSchema,
      errors: ['notFound', 'conflict'],
    },
    async ({ caller, request, body }) => {
      const { display_name: displayName, group_chat_icon: iconUrl } = body();
      const { chatId } = await chats.readFor(caller.agent.id, request.params.chatId);
      const fields = chatCommandFields(chatId, request.record.traceId);
      const byId = caller.agent.id;
      await chats.execute({ type: 'change-group', byId, displayName, iconUrl, ...fields });
      return { status: 'accepted', chat_id: chatId } as const;
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/chats/:chatId/read',
      id: 'markAsRead',
      tag: 'Chats',
      summary: 'Mark a chat as read as far as it goes',
      status: 204,
      answer: noContent,
      errors: ['notFound'],
    },
    async ({ caller, request }) => {
      const agentId = caller.agent.id;
      const { chatId } = await chats.readFor(agentId, request.params.chatId);
      const fields = chatCommandFields(chatId, request.record.traceId);
      await chats.execute({ type: 'mark-read', agentId, ...fields });
    },
  );
}
