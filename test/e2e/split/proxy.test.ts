import { once } from 'node:events';
import { createServer } from 'node:http';
import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import { errorCatalogue } from '@relay/protocol';
import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectA2aClient, messageRequest } from '../../support/a2a-client.ts';
import { Balancer } from '../../support/balancer.ts';
import { Caddy, clusterHealth, type ProxySettings } from '../../support/caddy.ts';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { agentMessage, GatewayClient, message } from '../../support/gateway-client.ts';
import { freePort } from '../../support/relay.ts';

const relay = useCluster({ settings: { RELAY_TRUST_PROXY: 'true' } });

const addressesOf = (services: readonly { readonly url: string }[]) =>
  services.map(({ url }) => new URL(url).host);

/** As compose.yaml has it: one of each, over plain HTTP. */
function single(): ProxySettings {
  const { gateway, delivery } = relay.cluster.services;
  const [[GATEWAYS = ''], [DELIVERIES = '']] = [addressesOf(gateway), addressesOf(delivery)];
  return { STACK_DOMAIN: 'http://', GATEWAYS, DELIVERIES };
}

/** As compose.cluster.yaml has it, with a name for which Caddy makes a certificate itself. */
async function pairs(): Promise<ProxySettings> {
  const { gateway, delivery } = relay.cluster.services;
  return {
    STACK_DOMAIN: 'localhost',
    GATEWAYS: addressesOf(gateway).join(' '),
    DELIVERIES: addressesOf(delivery).join(' '),
    UPSTREAM_HEALTH: await clusterHealth(),
  };
}

/** The text of a status, from the event that tells it. */
function statusTextOf({ payload }: StreamResponse): string | undefined {
  if (payload?.$case !== 'statusUpdate') return;
  const content = payload.value.status?.message?.parts[0]?.content;
  return content?.$case === 'text' ? content.value : undefined;
}

describe.each([
  ['plain HTTP', single, 'http:'],
  ['TLS', pairs, 'https:'],
] as const)('behind the proxy over %s', (_, settings, protocol) => {
  const usual = getGlobalDispatcher();
  let proxy: Caddy;
  let client: GatewayClient;

  beforeAll(async () => {
    proxy = await Caddy.start(await settings());
    client = new GatewayClient(proxy.url);
    // What NODE_EXTRA_CA_CERTS would do for a process of its own.
    setGlobalDispatcher(new Agent({ connect: { ca: proxy.authority } }));
  });

  afterAll(async () => {
    setGlobalDispatcher(usual);
    await proxy?.stop();
  });

  const socketOfWorker = () => openSocket(client, relay.worker, { ca: proxy.authority });
  const connect = () =>
    connectA2aClient(`${proxy.url}/${relay.worker.handle}/`, relay.planner.token);
  const setStatus = (taskId: string, state: string, text: string) =>
    client.send('POST', `/v1/tasks/${taskId}/status`, {
      token: relay.worker.token,
      body: { state, message: agentMessage(text) },
    });

  it('an unmodified @a2a-js/sdk client gets a card whose addresses are those of the proxy', async () => {
    expect(new URL(proxy.url).protocol).toBe(protocol);
    const card = await (await connect()).getAgentCard();
    expect(card.supportedInterfaces.length).toBeGreaterThan(1);
    for (const { url } of card.supportedInterfaces) expect(new URL(url).origin).toBe(proxy.url);
  });

  it.each([
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'ftp'],
    ['forwarded', 'host=evil.example;proto=ftp'],
  ])('a caller that sends %s does not change the addresses of a card', async (name, value) => {
    const path = `/${relay.worker.handle}/.well-known/agent-card.json`;
    const plain = await client.send('GET', path);
    const forged = await client.send('GET', path, { headers: { [name]: value } });
    expect(plain.text).toContain(proxy.url);
    expect(forged.text).toBe(plain.text);
  });

  it('a client hears each status before the agent, on its socket, makes the next one', async () => {
    const socket = await socketOfWorker();
    const heard: string[] = [];
    for await (const event of (await connect()).sendMessageStream(messageRequest('count'))) {
      const { payload } = event;
      if (payload?.$case === 'task') {
        await socket.untilEvents(1);
        await setStatus(payload.value.id, 'WORKING', '1');
      }
      const text = statusTextOf(event);
      if (text === undefined || payload?.$case !== 'statusUpdate') continue;
      heard.push(text);
      const isDone = payload.value.status?.state === TaskState.TASK_STATE_COMPLETED;
      const next = heard.length + 1;
      const state = next < 5 ? 'WORKING' : 'COMPLETED';
      if (!isDone) await setStatus(payload.value.taskId, state, String(next));
    }
    expect(heard).toEqual(['1', '2', '3', '4', '5']);
    socket.acknowledge();
    await socket.close();
  });

  it('a client that leaves its stream is not waited for', async () => {
    const waits = async () => {
      const counts = relay.cluster.gatewayUrls.map(async (url) => {
        const text = await (await fetch(`${url}/metrics`)).text();
        return Number(/^relay_waits (\d+)$/m.exec(text)?.[1]);
      });
      return (await Promise.all(counts)).reduce((sum, count) => sum + count);
    };
    await expect.poll(waits).toBe(0);
    const stream = await client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'SendStreamingMessage',
      params: { message: message() },
    });
    await stream.next();
    expect(await waits()).toBe(1);
    stream.disconnect();
    await expect.poll(waits).toBe(0);
  });

  it.each(['/metrics', '/metrics/', '/metrics?x', '/%6detrics', '//metrics', '/x/../metrics'])(
    'metrics cannot be had as %s',
    async (path) => {
      const request = { method: 'GET', origin: proxy.url, path } as const;
      const { statusCode, body } = await getGlobalDispatcher().request(request);
      expect([statusCode, await body.text()]).toEqual([404, '']);
    },
  );
});

describe('a proxy with a domain', () => {
  let proxy: Caddy;
  let dispatcher: Agent;

  beforeAll(async () => {
    proxy = await Caddy.start(await pairs());
    dispatcher = new Agent({ connect: { ca: proxy.authority } });
  });

  afterAll(() => proxy?.stop());

  it('sends plain HTTP over to https, and opens no socket there', async () => {
    const path = `/${relay.worker.handle}/?x=1`;
    const { statusCode, headers } = await request(proxy.httpUrl + path, { method: 'POST' });
    expect([statusCode, headers['location']]).toEqual([308, proxy.url + path]);
    const socket = openSocket(new GatewayClient(proxy.httpUrl), relay.worker);
    await expect(socket).rejects.toThrow('refused with 308');
  });

  it('offers no HTTP/3, for which no port is published', async () => {
    const { headers } = await request(`${proxy.url}/healthz`, { dispatcher });
    expect(headers).not.toHaveProperty('alt-svc');
  });

  it('goes on with the other gateway when one is killed', async () => {
    const [gateway] = relay.cluster.services.gateway;
    await gateway.kill();
    onTestFinished(() => gateway.restart());
    for (let n = 0; n < 4; n += 1) {
      const { statusCode } = await request(`${proxy.url}/v1/me`, {
        dispatcher,
        headers: { authorization: `Bearer ${relay.worker.token}` },
      });
      expect(statusCode).toBe(200);
    }
  });
});

describe('while no gateway is there', () => {
  let proxy: Caddy;
  let client: GatewayClient;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    proxy = await Caddy.start({ ...single(), GATEWAYS: `127.0.0.1:${port}` });
    client = new GatewayClient(proxy.url);
  });

  afterAll(() => proxy?.stop());

  const whoAmI = () => client.send('GET', '/v1/me', { token: relay.worker.token });

  it('sockets go to delivery all the same', async () => {
    const socket = await openSocket(client, relay.worker);
    await socket.ping();
    await socket.close();
  });

  it('a request is answered after 20 seconds that it may be tried again', async () => {
    const since = performance.now();
    const { status, headers, body } = await whoAmI();
    expect(performance.now() - since).toBeGreaterThan(19_000);
    const { code, message: text } = errorCatalogue.unavailable;
    expect(body).toEqual({
      success: false,
      error: { status: 503, code, message: text, retry_after: 5 },
      trace_id: expect.stringMatching(/^\w+$/),
    });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('a request waits, and is answered when one is back', async () => {
    // Without a body: before 2.11.2 Caddy lost that of a request which waits.
    const answered = whoAmI();
    // The proxy has read it when it has answered one that came later.
    await fetch(`${proxy.url}/metrics`);
    const back = await Balancer.start(relay.cluster.gatewayUrls, port);
    onTestFinished(() => back.close());
    expect((await answered).status).toBe(200);
  });
});

it('a request that was on its way when its gateway ended is refused for now, and not sent twice', async () => {
  let requests = 0;
  const ending = createServer(({ socket }) => {
    requests += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void ending.close());
  await once(ending, 'listening');
  const address = ending.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const proxy = await Caddy.start({ ...single(), GATEWAYS: `127.0.0.1:${address.port}` });
  onTestFinished(() => proxy.stop());
  const { status, headers } = await new GatewayClient(proxy.url).send('POST', '/v1/agents', {
    body: { handle: 'never' },
  });
  expect([status, headers.get('retry-after'), requests]).toEqual([503, '5', 1]);
});
