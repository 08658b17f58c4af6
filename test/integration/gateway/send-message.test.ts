import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import {
  agentMessage,
  atOnce,
  GatewayClient,
  message,
  type TestAgent,
} from '../../support/gateway-client.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';

let nats: TestServer;
let redis: TestServer;
let gateway: TestGateway;
let client: GatewayClient;
let planner: TestAgent;
let worker: TestAgent;

beforeAll(async () => {
  [nats, redis] = await Promise.all([startNats(), startRedis()]);
  gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
  client = new GatewayClient(gateway.url);
  [planner, worker] = await Promise.all([client.createAgent(), client.createAgent()]);
});

afterAll(async () => {
  await gateway?.close();
  await Promise.all([nats?.stop(), redis?.stop()]);
});

describe('SendMessage', () => {
  it('answers with the new Task at once when the caller does not wait', async () => {
    const answer = await client.rpc(planner, worker, 'SendMessage', {
      message: message('hello'),
      configuration: atOnce,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 7, result: { task: {} } });
  });
});
