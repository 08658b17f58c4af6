import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestDelivery, type TestDelivery } from './delivery.ts';
import type { TestGatewayOptions } from './gateway.ts';
import type { TestAgent } from './gateway-client.ts';
import { useGateway } from './gateway-fixture.ts';
import { WebhookClient } from './webhook-client.ts';

export interface WebhookFixture {
  /** Of an agent that is new in each test. */
  readonly webhooks: WebhookClient;
  readonly agent: TestAgent;
  /** Of another agent. */
  readonly others: WebhookClient;
  /** Where split: those that listen. */
  readonly deliveries: readonly TestDelivery[];
}

/** A gateway whose delivery is in its own process, or two that it asks over NATS. Read it inside tests. */
export function useWebhooks(
  options: Pick<TestGatewayOptions, 'isSplit' | 'config'> = {},
): WebhookFixture {
  const relay = useGateway(options);
  const deliveries: TestDelivery[] = [];
  let agents: readonly [TestAgent, TestAgent] | undefined;
  beforeAll(async () => {
    for (let n = 0; options.isSplit && n < 2; n += 1) {
      const delivery = await startTestDelivery(relay.nats.url);
      delivery.bus.serveDeliveryCommands(delivery.commands, () => undefined);
      deliveries.push(delivery);
    }
  });
  beforeEach(async () => {
    agents = [await relay.client.createAgent(), await relay.client.createAgent()];
  });
  afterAll(async () => {
    await Promise.all(deliveries.map((delivery) => delivery.close()));
  });
  const agentAt = (at: 0 | 1): TestAgent => {
    if (!agents) throw new Error('There are no agents before the test');
    return agents[at];
  };
  return {
    deliveries,
    get agent() {
      return agentAt(0);
    },
    get webhooks() {
      return new WebhookClient(relay.client, agentAt(0));
    },
    get others() {
      return new WebhookClient(relay.client, agentAt(1));
    },
  };
}
