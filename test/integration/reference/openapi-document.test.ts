import { validate } from '@readme/openapi-parser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';

/** Without any check of answers by the reference, as it may have to be written anew. */
let servers: TestServer[];
let gateway: TestGateway;

beforeAll(async () => {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  servers = [nats, redis];
  gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
});

afterAll(async () => {
  await gateway?.close();
  await Promise.all(servers?.map((server) => server.stop()) ?? []);
});

it('docs/openapi.json is what a gateway says of itself (npm run docs writes it anew)', async () => {
  const response = await fetch(`${gateway.url}/openapi.json`);
  const text = `${JSON.stringify(await response.json(), null, 2)}\n`;
  const path = '../../../docs/openapi.json';
  await expect(text).toMatchFileSnapshot(path);
});

it('docs/openapi.json is valid OpenAPI 3.1', async () => {
  const result = await validate(new URL('../../../docs/openapi.json', import.meta.url).pathname);
  expect(result).toEqual({ valid: true, specification: 'OpenAPI', warnings: [] });
});
