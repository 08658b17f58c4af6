import { randomUUID } from 'node:crypto';
import { createSigningSecret } from '@relay/outbound';
import {
  eventTypes,
  type SubscriptionId,
  subscriptionIdSchema,
  timestampAt,
} from '@relay/protocol';
import type { TestAgent, TestDelivery } from './delivery.ts';

/** Saves a webhook subscription to everything, at an address where nobody listens unless one is given. */
export async function subscribe(
  { commands }: TestDelivery,
  { id: agentId }: TestAgent,
  targetUrl = 'http://127.0.0.1:8/',
): Promise<SubscriptionId> {
  const subscriptionId = subscriptionIdSchema.parse(randomUUID());
  const { at, deadline } = soon();
  const reply = await commands.execute(
    {
      type: 'create-subscription',
      agentId,
      at,
      subscriptionId,
      targetUrl,
      subscribedEvents: eventTypes,
      headers: {},
      signingSecret: createSigningSecret(),
    },
    deadline,
  );
  if (reply.type === 'refused') throw new Error(JSON.stringify(reply.refusal));
  return subscriptionId;
}

export async function unsubscribe(
  { commands }: TestDelivery,
  { id: agentId }: TestAgent,
  subscriptionId: SubscriptionId,
): Promise<void> {
  const { at, deadline } = soon();
  const command = { type: 'delete-subscription', agentId, at, subscriptionId } as const;
  const reply = await commands.execute(command, deadline);
  if (reply.type === 'refused') throw new Error(JSON.stringify(reply.refusal));
}

function soon() {
  const now = Date.now();
  return { at: timestampAt(now), deadline: now + 10_000 };
}
