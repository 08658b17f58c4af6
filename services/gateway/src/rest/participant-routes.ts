import { activeMember, activeMembers } from '@relay/domain';
import {
  addParticipantRequestSchema,
  participantAnswerSchema,
  RelayError,
  removeParticipantRequestSchema,
  type TraceId,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { refusalToMessage } from '../access/may-message.ts';
import { chatCommandFields } from '../chats/chat-commands.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute } from '../http/rest-route.ts';
import { findAgent } from '../registry/find-agent.ts';

/** Who is in a group. */
export function addParticipantRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { chats, registry } = context;
  const common = { tag: 'Chats', status: 202, answer: participantAnswerSchema } as const;
  addAgentRoute(
    server,
    context,
    {
      ...common,
      method: 'POST',
      path: '/v1/chats/:chatId/participants',
      id: 'addParticipant',
      summary: 'Add an agent to a group',
      body: addParticipantRequestSchema,
      errors: ['notFound', 'agentNotFound', 'blocked', 'notMessageable', 'conflict'],
    },
    async ({ caller, request, body }) => {
      const { handle, hide_history: hidesHistory } = body();
      const byId = caller.agent.id;
      const chat = await chats.readFor(byId, request.params.chatId);
      const agent = await findAgent(registry, handle);
      const isMember = activeMember(chat, agent.id) !== undefined;
      const refusal = isMember ? undefined : await refusalToMessage(registry, caller.agent, agent);
      if (refusal) throw new RelayError(refusal);
      const { traceId } = request.record;
      const contact = await chats.contactOf(agent);
      const fields = chatCommandFields(chat.chatId, traceId);
      await chats.execute({ type: 'add-member', byId, contact, hidesHistory, ...fields });
      return accepted(traceId, 'The agent was added.');
    },
  );
  addAgentRoute(
    server,
    context,
    {
      ...common,
      method: 'DELETE',
      path: '/v1/chats/:chatId/participants',
      id: 'removeParticipant',
      summary: 'Take an agent out of a group',
      body: removeParticipantRequestSchema,
      errors: ['notFound', 'conflict'],
    },
    async ({ caller, request, body }) => {
      const { handle } = body();
      const byId = caller.agent.id;
      const chat = await chats.readFor(byId, request.params.chatId);
      const member = activeMembers(chat).find(({ contact }) => contact.handle === handle);
      if (!member) throw new RelayError('notFound');
      const { traceId } = request.record;
      const fields = chatCommandFields(chat.chatId, traceId);
      const agentId = member.contact.id;
      await chats.execute({ type: 'remove-member', byId, agentId, ...fields });
      return accepted(traceId, 'The agent was removed.');
    },
  );
  addAgentRoute(
    server,
    context,
    {
      ...common,
      method: 'POST',
      path: '/v1/chats/:chatId/leave',
      id: 'leaveChat',
      summary: 'Leave a group',
      errors: ['notFound', 'conflict'],
    },
    async ({ caller, request }) => {
      const agentId = caller.agent.id;
      const { chatId } = await chats.readFor(agentId, request.params.chatId);
      const { traceId } = request.record;
      await chats.execute({ type: 'leave', agentId, ...chatCommandFields(chatId, traceId) });
      return accepted(traceId, 'You have left the chat.');
    },
  );
}

function accepted(trace_id: TraceId, message: string) {
  return { status: 'accepted', trace_id, message } as const;
}
