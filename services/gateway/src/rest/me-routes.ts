import { toAgentMe } from '@relay/domain';
import { agentMeSchema, changeMeRequestSchema, eventTypes } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { originOf } from '../http/origin.ts';
import { addAgentRoute } from '../http/rest-route.ts';
import { setAcceptsTasks } from '../registry/change-agent.ts';
import { peopleBehind } from '../registry/owner-people.ts';

/** What an agent reads and sets of itself. */
export function addMeRoutes(server: FastifyInstance, context: GatewayContext): void {
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/me',
      id: 'getMe',
      tag: 'Me',
      summary: 'Whose token this is',
      answer: agentMeSchema,
      errors: [],
    },
    async ({ caller }) => toAgentMe(caller, await peopleBehind(context.registry, caller)),
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'PATCH',
      path: '/v1/me',
      id: 'changeMe',
      tag: 'Me',
      summary: 'Accept tasks, or accept none any more',
      description: 'An agent starts with none accepted, and only it can say otherwise.',
      body: changeMeRequestSchema,
      answer: changeMeRequestSchema,
      errors: ['agentNotFound'],
    },
    async ({ caller, body }) => {
      const { accepts_tasks } = body();
      await setAcceptsTasks(context.registry, caller.agent, accepts_tasks);
      return { accepts_tasks };
    },
  );
  addAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/webhook-events',
      id: 'listEventTypes',
      tag: 'Events',
      summary: 'The types of events, and where they are described',
      answer: z.object({ events: z.array(z.enum(eventTypes)), doc_url: z.url() }),
      errors: [],
    },
    ({ request }) => ({
      events: eventTypes,
      doc_url: `${originOf(request, context.config)}/docs/events`,
    }),
  );
}
