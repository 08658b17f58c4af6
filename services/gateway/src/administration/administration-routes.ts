import {
  listStuckQuerySchema,
  RelayError,
  rewrapAnswerSchema,
  rewrapRequestSchema,
  stuckMessageIdSchema,
  stuckPageSchema,
  stuckRedriveAnswerSchema,
  timestampAt,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addAdministratorRoute } from '../http/rest-route.ts';

/** What the administrator asks of delivery as a whole. */
export function addAdministrationRoutes(server: FastifyInstance, context: GatewayContext): void {
  addStuckRoutes(server, context);
  const { deliveryCommands: delivery } = context;
  addAdministratorRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/secrets/rewrap',
      id: 'rewrapSecrets',
      tag: 'Administration',
      summary: 'Seal stored secrets anew with the newest key',
      description:
        'After a key was put in front of `RELAY_SECRET_KEY`. It does what there is time for: go on with `next_page_token`. What is sealed with that key already stays as it is.',
      body: rewrapRequestSchema,
      answer: rewrapAnswerSchema,
      errors: [],
    },
    ({ body }) =>
      delivery.execute<'rewrap-secrets'>({
        type: 'rewrap-secrets',
        at: timestampAt(Date.now()),
        pageToken: body().page_token || undefined,
      }),
  );
}

function addStuckRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { deliveryCommands: delivery } = context;
  addAdministratorRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/stuck-messages',
      id: 'listStuckMessages',
      tag: 'Administration',
      summary: 'Changes that could not be processed, the oldest first',
      description: 'They were set aside so that others go on. They are kept for 30 days.',
      query: listStuckQuerySchema,
      answer: stuckPageSchema,
      errors: [],
    },
    ({ query }) => {
      const { page_size, page_token } = query();
      return delivery.execute<'list-stuck'>({
        type: 'list-stuck',
        at: timestampAt(Date.now()),
        pageSize: page_size,
        pageToken: page_token || undefined,
      });
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/stuck-messages/:stuckId/redrive',
      id: 'redriveStuckMessage',
      tag: 'Administration',
      summary: 'Process such a change again',
      description: 'Its events come behind those that were sent since.',
      answer: stuckRedriveAnswerSchema,
      errors: ['notFound', 'conflict'],
    },
    ({ request }) => {
      const { data: stuckId } = stuckMessageIdSchema.safeParse(request.params.stuckId);
      if (stuckId === undefined) throw new RelayError('notFound');
      return delivery.execute<'redrive-stuck'>({
        type: 'redrive-stuck',
        at: timestampAt(Date.now()),
        stuckId,
      });
    },
  );
}
