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
  /** From the other agent, to the one whose webhooks these are. */
  readonly sendTask: (message: unknown) => Promise<void>;
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
    sendTask: async (message) => {
      const body = { to: agentAt(0).handle, message };
      const { token } = agentAt(1);
      const { status, text } = await relay.client.send('POST', '/v1/tasks', { token, body });
      if (status !== 200) throw new Error(text);
    },
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
