import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import { GatewayClient, type TestAgent } from './gateway-client.ts';
import { startNats, startRedis, type TestServer } from './servers.ts';

export interface GatewayFixture {
  readonly nats: TestServer;
  readonly redis: TestServer;
  readonly gateway: TestGateway;
  readonly client: GatewayClient;
  /** Sends tasks. */
  readonly planner: TestAgent;
  /** Does them. */
  readonly worker: TestAgent;
}

/** Servers, a gateway and two agents for the tests of a file. Read it inside tests. */
export function useGateway(
  options: Omit<TestGatewayOptions, 'natsUrl' | 'redisUrl'> = {},
): GatewayFixture {
  let fixture: GatewayFixture | undefined;
  beforeAll(async () => {
    const [nats, redis] = await Promise.all([startNats(), startRedis()]);
    const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url, ...options });
    const client = new GatewayClient(gateway.url);
    const [planner, worker] = [await client.createAgent(), await client.createAgent()];
    fixture = { nats, redis, gateway, client, planner, worker };
  });
  afterAll(async () => {
    await fixture?.gateway.close();
    await Promise.all([fixture?.nats.stop(), fixture?.redis.stop()]);
  });
  const running = () => {
    if (!fixture) throw new Error('The gateway has not started');
    return fixture;
  };
  return {
    get nats() {
      return running().nats;
    },
    get redis() {
      return running().redis;
    },
    get gateway() {
      return running().gateway;
    },
    get client() {
      return running().client;
    },
    get planner() {
      return running().planner;
    },
    get worker() {
      return running().worker;
    },
  };
}
