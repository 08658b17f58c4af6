import { directoryPageSchema, directoryQuerySchema } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addPublicRoute } from '../http/rest-route.ts';

/** The directory of public agents. */
export function addDirectoryRoutes(server: FastifyInstance, context: GatewayContext): void {
  addPublicRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/directory',
      id: 'listDirectory',
      tag: 'Directory',
      summary: 'Public agents, verified ones first',
      description:
        'Those of a category, with a skill, or ranked by how well they match what is to be done. Of very many matches the best five hundred can be seen.',
      query: directoryQuerySchema,
      answer: directoryPageSchema,
      errors: [],
    },
    ({ query }) => context.directory.page(query()),
  );
}
