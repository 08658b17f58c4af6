import { randomUUID } from 'node:crypto';
import type {
  DeliveryCommand,
  DeliveryFilter,
  DeliveryOperation,
  DeliveryOperations,
} from '@relay/domain';
import { createSigningSecret } from '@relay/outbound';
import {
  type EventType,
  eventTypes,
  type SubscriptionId,
  subscriptionIdSchema,
  timestampAt,
} from '@relay/protocol';
import type { TestAgent, TestDelivery } from './delivery.ts';

type Asked<Operation extends DeliveryOperation> = Omit<
  DeliveryCommand<Operation>,
  'type' | 'agentId' | 'at'
>;

/** The filter that all deliveries fit. */
export const everything: DeliveryFilter = {
  status: undefined,
  subscriptionId: undefined,
  eventType: undefined,
  createdAfter: undefined,
  createdBefore: undefined,
};

/** Asks delivery for something, as the gateway would for an agent. */
export async function ask<Operation extends DeliveryOperation>(
  { commands }: Pick<TestDelivery, 'commands'>,
  { id: agentId }: TestAgent,
  type: Operation,
  asked: Asked<Operation>,
): Promise<DeliveryOperations[Operation]['result']> {
  const now = Date.now();
  const command = { type, agentId, at: timestampAt(now), ...asked } as DeliveryCommand<Operation>;
  const reply = await commands.execute<Operation>(command, now + 10_000);
  if (reply.type === 'refused') throw new Error(JSON.stringify(reply.refusal));
  return reply.result;
}

export interface TestSubscription {
  readonly id: SubscriptionId;
  readonly secret: string;
}

interface WebhookOptions {
  /** All, where none are named. */
  readonly subscribedEvents?: readonly EventType[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Subscribes an agent's endpoint to events. */
export async function addWebhook(
  delivery: Pick<TestDelivery, 'commands'>,
  agent: TestAgent,
  targetUrl: string,
  { subscribedEvents = eventTypes, headers = {} }: WebhookOptions = {},
): Promise<TestSubscription> {
  const id = subscriptionIdSchema.parse(randomUUID());
  const secret = createSigningSecret();
  const asked = { subscriptionId: id, targetUrl, subscribedEvents, headers, signingSecret: secret };
  await ask(delivery, agent, 'create-subscription', asked);
  return { id, secret };
}
