import { toAgentMe } from '@relay/domain';
import { changeMeRequestSchema, eventTypes, validate } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { readJsonBody } from '../http/body.ts';
import { originOf } from '../http/origin.ts';
import { setAcceptsTasks } from '../registry/change-agent.ts';

/** What an agent reads and sets of itself. */
export function addMeRoutes(
  server: FastifyInstance,
  { authentication, config, registry }: GatewayContext,
): void {
  server.get(
    '/v1/me',
    authentication.forAgent(({ agent }) => toAgentMe(agent)),
  );
  server.patch(
    '/v1/me',
    authentication.forAgent(async ({ agent }, request) => {
      const { accepts_tasks } = validate(changeMeRequestSchema, readJsonBody(request));
      await setAcceptsTasks(registry, agent, accepts_tasks);
      return { accepts_tasks };
    }),
  );
  server.get(
    '/v1/webhook-events',
    authentication.forAgent((_caller, request) => ({
      events: eventTypes,
      doc_url: `${originOf(request, config)}/docs/events`,
    })),
  );
}
