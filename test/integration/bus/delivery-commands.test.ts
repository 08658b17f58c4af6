import { randomUUID } from 'node:crypto';
import type { DeliveryCommand, DeliveryOperation } from '@relay/domain';
import { agentIdSchema, subscriptionIdSchema, timestampAt } from '@relay/protocol';
import { expect, it } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';
import { everything } from '../../support/webhooks.ts';

const fields = { agentId: agentIdSchema.parse(randomUUID()), at: timestampAt(Date.now()) };
const subscriptionId = subscriptionIdSchema.parse(randomUUID());
interface Case {
  readonly command: DeliveryCommand;
  readonly times: number;
  readonly why: string;
}

it.each([
  {
    command: { ...fields, type: 'get-subscription', subscriptionId },
    times: 2,
    why: 'is sent again',
  },
  {
    command: { ...fields, type: 'test-subscription', subscriptionId },
    times: 1,
    why: 'is not, as it would send one more event',
  },
  {
    command: {
      ...fields,
      type: 'redrive-deliveries',
      filter: everything,
      isDryRun: false,
      perSecond: 1,
    },
    times: 1,
    why: 'is not, as it would find less to tell of',
  },
] satisfies Case[])('$command.type without an answer $why', async ({ command, times }) => {
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
  const reply = await port.execute<DeliveryOperation>(command, Date.now() + 4_000);
  expect(reply).toMatchObject({ type: 'refused', refusal: { error: 'unavailable' } });
  expect(seen).toEqual(Array.from({ length: times }, () => command.type));
});
