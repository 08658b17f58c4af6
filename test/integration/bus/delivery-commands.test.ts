import { randomUUID } from 'node:crypto';
import type { DeliveryCommand } from '@relay/domain';
import { agentIdSchema, subscriptionIdSchema, timestampAt } from '@relay/protocol';
import { expect, it } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const command = <Type extends 'get-subscription' | 'test-subscription'>(type: Type) => ({
  type,
  agentId: agentIdSchema.parse(randomUUID()),
  at: timestampAt(Date.now()),
  subscriptionId: subscriptionIdSchema.parse(randomUUID()),
});

it.each([
  { type: 'get-subscription', times: 2, why: 'is sent again' },
  { type: 'test-subscription', times: 1, why: 'is not, as it would send one more event' },
] as const)('a $type that gets no answer $why', async ({ type, times }) => {
  const nats = await natsForTest();
  const seen: DeliveryCommand['type'][] = [];
  const server = await busForTest(nats);
  server.serveDeliveryCommands(
    {
      execute: (taken) => {
        seen.push(taken.type);
        return new Promise(() => undefined);
      },
    },
    () => undefined,
  );
  const { deliveryCommands: port } = await busForTest(nats);
  const reply = await port.execute(command(type), Date.now() + 4_000);
  expect(reply).toMatchObject({ type: 'refused', refusal: { error: 'unavailable' } });
  expect(seen).toEqual(Array.from({ length: times }, () => type));
});
