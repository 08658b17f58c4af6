import { type Handle, type MessageContent, RelayError } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import { refusalToMessage } from '../access/may-message.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { Caller } from '../http/authentication.ts';
import { findAgent } from '../registry/find-agent.ts';
import { contactOf } from './chat-commands.ts';
import { type SentToChat, sendChatMessage } from './send-chat-message.ts';

interface ToAgents {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly to: readonly Handle[];
  readonly content: MessageContent;
}

/**
 * Sends a message to the chat of exactly these agents. Who may message whom is asked only where there is
 * none yet (contract §1.6).
 * @throws RelayError agentNotFound, invalidParams, blocked, notMessageable, or as sendChatMessage does
 */
export async function sendToAgents(
  context: GatewayContext,
  { caller, request, to, content }: ToAgents,
): Promise<SentToChat> {
  const { chats, registry } = context;
  const agents = await Promise.all([...new Set(to)].map((handle) => findAgent(registry, handle)));
  if (agents.some(({ id }) => id === caller.agent.id)) {
    throw new RelayError({ error: 'invalidParams', message: "An agent can't message itself." });
  }
  const members = [
    contactOf(caller),
    ...(await Promise.all(agents.map((agent) => chats.contactOf(agent)))),
  ];
  const findChat = () => chats.findChat(members.map(({ id }) => id));
  const refusals = agents.map((agent) => refusalToMessage(registry, caller.agent, agent));
  const refusal = (await Promise.all(refusals)).find((each) => each !== undefined);
  if (refusal && !(await chats.isThere(caller.agent.id, await findChat()))) {
    throw new RelayError(refusal);
  }
  const isGroup = members.length > 2;
  return sendChatMessage(context, {
    caller,
    request,
    content,
    target: to,
    findChat,
    beginning: refusal ? undefined : { isGroup, members },
    others: agents.map(({ id }) => id),
    isGroup,
  });
}
