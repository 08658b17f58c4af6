import { toContactCardItem } from '@relay/domain';
import {
  type AgentRecord,
  changeContactCardRequestSchema,
  contactCardItemSchema,
  contactCardsSchema,
  RelayError,
  setContactCardRequestSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addAgentRoute } from '../http/rest-route.ts';
import { changeCard } from '../registry/change-card.ts';
import { readAgent } from '../registry/read-contact.ts';

/** The agent's own card, as it reads and changes it itself. */
export function addContactCardRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/contact_card',
      id: 'getContactCard',
      tag: 'Me',
      summary: "The agent's own card",
      query: z.strictObject({ handle: z.string().optional() }),
      answer: contactCardsSchema,
      errors: ['agentNotFound'],
    },
    async ({ caller, query }) => {
      const { handle } = query();
      if (handle !== undefined) requireOwn(caller.agent, handle);
      const owned = await readAgent(registry, caller.agent.id);
      if (!owned) throw new RelayError('agentNotFound');
      return { contact_cards: [toContactCardItem(owned)] };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/contact_card',
      id: 'setContactCard',
      tag: 'Me',
      summary: "Replace the name and the image of the agent's card",
      description: 'What is left out is cleared.',
      body: setContactCardRequestSchema,
      answer: contactCardItemSchema,
      errors: ['agentNotFound'],
    },
    async ({ caller, body }) => {
      const { handle, ...card } = body();
      requireOwn(caller.agent, handle);
      const agent = await changeCard(registry, caller.agent, card);
      return toContactCardItem({ ...caller, agent });
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'PATCH',
      path: '/v1/contact_card',
      id: 'changeContactCard',
      tag: 'Me',
      summary: "Change the agent's card",
      description:
        'What is named changes, `null` clears. With `visibility` the agent enters the directory and leaves it.',
      query: z.strictObject({ handle: z.string() }),
      body: changeContactCardRequestSchema,
      answer: contactCardItemSchema,
      errors: ['agentNotFound'],
    },
    async ({ caller, query, body }) => {
      const change = body();
      requireOwn(caller.agent, query().handle);
      const agent = await changeCard(registry, caller.agent, change);
      return toContactCardItem({ ...caller, agent });
    },
  );
}

/** @throws RelayError forbidden for any other handle, whether it is taken or not */
function requireOwn(agent: AgentRecord, handle: string): void {
  if (handle === agent.handle) return;
  const message = 'An agent reads and changes only its own card.';
  throw new RelayError({ error: 'forbidden', message });
}
