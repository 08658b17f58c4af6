import { createSigningSecret } from '@relay/outbound';
import {
  changeSubscriptionRequestSchema,
  createSubscriptionRequestSchema,
  newSubscriptionSchema,
  subscriptionIdSchema,
  subscriptionSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { noContent } from '../http/rest-route.ts';
import { addOwnRoute } from '../registry/own-route.ts';
import { commandFields } from './delivery-commands.ts';
import { subscriptionFields } from './subscription-fields.ts';

/** An agent's webhook subscriptions (contract §5). */
export function addSubscriptionRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { deliveryCommands: delivery } = context;
  addOwnRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/webhook-subscriptions',
      id: 'createWebhookSubscription',
      tag: 'Webhooks',
      summary: 'Receive events by webhook',
      description:
        'The first subscription closes the WebSockets of the agent, and there are none until the last is deleted. The target must be public https, unless the operator allows its network. The signing secret is shown only here.',
      body: createSubscriptionRequestSchema,
      status: 201,
      answer: newSubscriptionSchema,
      errors: ['targetRefused', 'conflict'],
    },
    async ({ agent, body, reply }) => {
      const { target_url, subscribed_events, headers } = body();
      const subscription = await delivery.execute<'create-subscription'>({
        ...commandFields(agent.id),
        type: 'create-subscription',
        subscriptionId: subscriptionIdSchema.parse(uuidv7()),
        targetUrl: target_url,
        subscribedEvents: subscribed_events,
        headers,
        signingSecret: createSigningSecret(),
      });
      reply.header('cache-control', 'no-store');
      return subscription;
    },
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/webhook-subscriptions',
      id: 'listWebhookSubscriptions',
      tag: 'Webhooks',
      summary: 'All subscriptions of the agent, oldest first',
      answer: z.object({ subscriptions: z.array(subscriptionSchema) }),
      errors: [],
    },
    async ({ agent }) => ({
      subscriptions: await delivery.execute<'list-subscriptions'>({
        ...commandFields(agent.id),
        type: 'list-subscriptions',
      }),
    }),
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/webhook-subscriptions/:subscriptionId',
      id: 'getWebhookSubscription',
      tag: 'Webhooks',
      summary: 'One subscription',
      answer: subscriptionSchema,
      errors: ['notFound'],
    },
    ({ agent, request }) =>
      delivery.execute<'get-subscription'>({
        ...subscriptionFields(agent, request.params),
        type: 'get-subscription',
      }),
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'PUT',
      path: '/webhook-subscriptions/:subscriptionId',
      id: 'changeWebhookSubscription',
      tag: 'Webhooks',
      summary: 'Change a subscription',
      description:
        'What is named changes; what still waits to be delivered goes where the subscription points then.',
      body: changeSubscriptionRequestSchema,
      answer: subscriptionSchema,
      errors: ['notFound', 'targetRefused'],
    },
    ({ agent, request, body }) => {
      const { target_url, subscribed_events, is_active, headers } = body();
      return delivery.execute<'change-subscription'>({
        ...subscriptionFields(agent, request.params),
        type: 'change-subscription',
        targetUrl: target_url,
        subscribedEvents: subscribed_events,
        isActive: is_active,
        headers,
      });
    },
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'DELETE',
      path: '/webhook-subscriptions/:subscriptionId',
      id: 'deleteWebhookSubscription',
      tag: 'Webhooks',
      summary: 'Delete a subscription',
      description: 'With the last one, events that were not delivered go on over the WebSocket.',
      status: 204,
      answer: noContent,
      errors: ['notFound'],
    },
    async ({ agent, request }) => {
      const fields = subscriptionFields(agent, request.params);
      // The deletion itself may be repeated, and then finds nothing.
      await delivery.execute<'get-subscription'>({ ...fields, type: 'get-subscription' });
      await delivery.execute<'delete-subscription'>({ ...fields, type: 'delete-subscription' });
    },
  );
}
