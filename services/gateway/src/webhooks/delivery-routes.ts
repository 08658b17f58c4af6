import type { DeliveryFilter } from '@relay/domain';
import {
  type AgentRecord,
  deliveriesPageSchema,
  listDeliveriesQuerySchema,
  RelayError,
  redriveAnswerSchema,
  redriveRequestSchema,
  webhookDeliveryIdSchema,
  webhookDeliverySchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addOwnRoute } from '../registry/own-route.ts';
import { commandFields } from './delivery-commands.ts';

/** Events that webhooks did not take: waiting, held or given up. */
export function addDeliveryRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { deliveryCommands: delivery } = context;
  addOwnRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/webhook-deliveries',
      id: 'listWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'Events that webhooks have not taken, newest first',
      description: 'What was delivered leaves no record.',
      query: listDeliveriesQuerySchema,
      answer: deliveriesPageSchema,
      errors: [],
    },
    ({ agent, query }) => {
      const { page_size, page_token, ...filter } = query();
      return delivery.execute<'list-deliveries'>({
        ...commandFields(agent.id),
        type: 'list-deliveries',
        filter: toFilter(filter),
        pageSize: page_size,
        pageToken: page_token || undefined,
      });
    },
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/webhook-deliveries/:deliveryId',
      id: 'getWebhookDelivery',
      tag: 'Webhooks',
      summary: 'One such event, with its attempts',
      answer: webhookDeliverySchema,
      errors: ['notFound'],
    },
    ({ agent, request }) =>
      delivery.execute<'get-delivery'>({
        ...deliveryFields(agent, request.params),
        type: 'get-delivery',
      }),
  );
}

/** Sending again what is held or given up. */
export function addRedriveRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { deliveryCommands: delivery } = context;
  addOwnRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/webhook-deliveries/:deliveryId/redrive',
      id: 'redriveWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Send one event again',
      description: 'With the same id and body. It begins anew with its tries.',
      answer: webhookDeliverySchema,
      errors: ['notFound', 'conflict'],
    },
    ({ agent, request }) =>
      delivery.execute<'redrive-delivery'>({
        ...deliveryFields(agent, request.params),
        type: 'redrive-delivery',
      }),
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/webhook-deliveries/redrive',
      id: 'redriveWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'Send again all events that fit a filter',
      description: 'A dry run only counts them.',
      body: redriveRequestSchema,
      answer: redriveAnswerSchema,
      errors: ['conflict'],
    },
    ({ agent, body }) => {
      const { dry_run, per_second, ...filter } = body();
      return delivery.execute<'redrive-deliveries'>({
        ...commandFields(agent.id),
        type: 'redrive-deliveries',
        filter: toFilter(filter),
        isDryRun: dry_run,
        perSecond: per_second,
      });
    },
  );
}

type WireFilter = Omit<z.output<typeof redriveRequestSchema>, 'dry_run' | 'per_second'>;

function toFilter(filter: WireFilter): DeliveryFilter {
  return {
    status: filter.status,
    subscriptionId: filter.subscription_id,
    eventType: filter.event_type,
    createdAfter: filter.created_after,
    createdBefore: filter.created_before,
  };
}

/** @throws RelayError notFound for what is no id at all, as for one that nothing has */
function deliveryFields(
  { id }: Pick<AgentRecord, 'id'>,
  parameters: { readonly deliveryId: string },
) {
  const { data: deliveryId } = webhookDeliveryIdSchema.safeParse(parameters.deliveryId);
  if (deliveryId === undefined) throw new RelayError('notFound');
  return { ...commandFields(id), deliveryId };
}
