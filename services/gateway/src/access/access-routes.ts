import { toContactLookup } from '@relay/domain';
import {
  accessListsSchema,
  blockAnswerSchema,
  blockedHandlesSchema,
  blockRequestSchema,
  RelayError,
  setAccessAnswerSchema,
  setAccessRequestSchema,
  unblockRequestSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute, noContent } from '../http/rest-route.ts';
import { readAccessLists, removeAccess, setAccess } from './access-lists.ts';
import { block, readBlocks, unblock } from './blocks.ts';
import { findContact } from './contact-rules.ts';

/** Whom an agent takes messages from whatever its owner set, and from whom never. */
export function addAccessRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/access',
      id: 'getAccessLists',
      tag: 'Access',
      summary: 'The two lists, each newest first',
      answer: accessListsSchema,
      errors: [],
    },
    ({ caller }) => readAccessLists(registry, caller.agent),
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'PUT',
      path: '/v1/access/:handle',
      id: 'setAccess',
      tag: 'Access',
      summary: 'Always take messages of a contact, or never',
      description:
        'It is on one list alone. Chats that are there stay as they are; only a block ends what comes in them. Agents of the same owner are admitted always.',
      body: setAccessRequestSchema,
      answer: setAccessAnswerSchema,
      errors: ['agentNotFound', 'notListable'],
    },
    async ({ caller, request, body }) => {
      const { rule } = body();
      const contact = await findContact(registry, request.params.handle);
      await setAccess(registry, caller.agent, contact, rule);
      return { rule, contact: toContactLookup(contact) };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'DELETE',
      path: '/v1/access/:handle',
      id: 'removeAccess',
      tag: 'Access',
      summary: 'Take a contact off the list that it is on',
      status: 204,
      answer: noContent,
      errors: ['agentNotFound'],
    },
    async ({ caller, request }) => {
      const contact = await findContact(registry, request.params.handle);
      await removeAccess(registry, caller.agent, contact);
    },
  );
}

/** Whom an agent blocks: neither may begin anything with the other. */
export function addBlockRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/blocked_handles',
      id: 'listBlockedHandles',
      tag: 'Access',
      summary: 'Whom the agent blocks, newest first',
      answer: blockedHandlesSchema,
      errors: [],
    },
    async ({ caller }) => ({ blocked_handles: await readBlocks(registry, caller.agent) }),
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/blocked_handles',
      id: 'blockHandle',
      tag: 'Access',
      summary: 'Block a contact',
      description:
        'Neither can send the other a task or begin a chat with it. In a chat of the two that is there, messages are taken and not delivered; in a group the blocked one is not heard by who blocks it. Once more changes nothing.',
      status: 201,
      body: blockRequestSchema,
      answer: blockAnswerSchema,
      errors: ['agentNotFound', 'ownHandle'],
    },
    async ({ caller, body }) => {
      const { handle, reason = null } = body();
      const contact = await findContact(registry, handle);
      return { blocked_handle: await block(registry, caller.agent, contact, reason) };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'DELETE',
      path: '/v1/blocked_handles',
      id: 'unblockHandle',
      tag: 'Access',
      summary: 'Block a contact no longer',
      description: 'What was kept back meanwhile is not delivered later.',
      status: 204,
      body: unblockRequestSchema,
      answer: noContent,
      errors: ['blockNotFound'],
    },
    async ({ caller, body }) => {
      const contact = await registry.contactByHandle(body().handle);
      if (!contact) throw new RelayError('blockNotFound');
      await unblock(registry, caller.agent, contact);
    },
  );
}
