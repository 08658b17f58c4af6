import { createSigningSecret } from '@relay/outbound';
import { deliveryAttemptSchema, rotatedSecretSchema } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addOwnRoute } from '../registry/own-route.ts';
import { subscriptionFields } from './subscription-fields.ts';

/** What is asked of a subscription beside its fields. */
export function addSubscriptionActionRoutes(
  server: FastifyInstance,
  context: GatewayContext,
): void {
  const { deliveryCommands: delivery } = context;
  addOwnRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/webhook-subscriptions/:subscriptionId/rotate-secret',
      id: 'rotateWebhookSecret',
      tag: 'Webhooks',
      summary: 'Replace the signing secret',
      description:
        'For 24 hours the one before signs, too, but never more than five. The new one is shown only here.',
      answer: rotatedSecretSchema,
      errors: ['notFound'],
    },
    async ({ agent, request, reply }) => {
      const rotated = await delivery.execute<'rotate-secret'>({
        ...subscriptionFields(agent, request.params),
        type: 'rotate-secret',
        signingSecret: createSigningSecret(),
      });
      reply.header('cache-control', 'no-store');
      return rotated;
    },
  );
  addOwnRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/webhook-subscriptions/:subscriptionId/test',
      id: 'testWebhookSubscription',
      tag: 'Webhooks',
      summary: 'Send a made-up event at once, and see what comes of it',
      description:
        'It is of the first type that is subscribed, and has the header `relay-test: true`, the nil UUID as its task and `metadata.relay.test`. It is sent once.',
      answer: deliveryAttemptSchema,
      errors: ['notFound'],
    },
    ({ agent, request }) =>
      delivery.execute<'test-subscription'>({
        ...subscriptionFields(agent, request.params),
        type: 'test-subscription',
      }),
  );
}
