import type { AgentCard } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { adminToken, startTestGateway } from '../../support/gateway.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const get = (path: string, headers: Record<string, string> = {}) =>
  relay.client.send('GET', path, { headers });

const profile = {
  display_name: 'Translator & <b>Co</b>',
  subtitle: 'Translates',
  description: 'Three languages.\n<script>alert(1)</script>',
  image_url: 'https://x.example/a.png?"onerror="x',
  skills: [{ id: 'translate', name: '<i>Translate</i>', description: 'Words', tags: ['words'] }],
};

async function createOwnedAgent() {
  const { body } = await relay.client.send('POST', '/v1/owners', {
    token: adminToken,
    body: { kind: 'organization', name: 'Acme', website: 'https://acme.example' },
  });
  return relay.client.createAgent({ ...profile, owner_id: body.owner.id });
}

const current = { 'a2a-version': '1.0' };

const interfacesAt = (url: string) => [
  { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
];

describe('the card of an agent', () => {
  it('is built from its profile, the same at both places and at the address', async () => {
    const { handle } = await createOwnedAgent();
    const { url } = relay.gateway;
    const card = await get(`/${handle}/agent-card.json`, current);
    expect(card.status).toBe(200);
    expect(card.body).toEqual({
      name: 'Translator & <b>Co</b>',
      description: 'Translates\n\nThree languages.\n<script>alert(1)</script>',
      supportedInterfaces: interfacesAt(`${url}/${handle}`),
      provider: { organization: 'Acme', url: 'https://acme.example' },
      version: expect.stringMatching(/^\d{16}$/),
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
      securitySchemes: {
        relay: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'Relay agent token' } },
      },
      securityRequirements: [{ schemes: { relay: { list: [] } } }],
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      skills: profile.skills,
      iconUrl: profile.image_url,
    });
    for (const headers of [current, { 'a2a-version': '' }]) {
      const { text } = await get(`/${handle}/agent-card.json`, headers);
      expect((await get(`/${handle}/.well-known/agent-card.json`, headers)).text).toBe(text);
      expect((await get(`/${handle}`, headers)).text).toBe(text);
      expect((await get(`/${handle}/`, { accept: '*/*', ...headers })).text).toBe(text);
    }
    const long = await get(`/a2a/${handle}/agent-card.json`);
    expect(long.body).toMatchObject({
      supportedInterfaces: interfacesAt(`${url}/a2a/${handle}`),
      url: `${url}/a2a/${handle}`,
    });
  });

  it('has the fields of 0.3 beside where 1.0 is not asked for by name', async () => {
    const { handle } = await createOwnedAgent();
    const url = `${relay.gateway.url}/${handle}`;
    const path = `/${handle}/agent-card.json`;
    const currentCard = await get(path, current);
    for (const version of ['', '0.3', 'unknown']) {
      const card = await get(path, { 'a2a-version': version });
      expect(card.headers.get('vary')).toBe('A2A-Version');
      expect(card.body).toEqual({
        ...currentCard.body,
        url,
        protocolVersion: '0.3.0',
        preferredTransport: 'JSONRPC',
        additionalInterfaces: [
          { url, transport: 'JSONRPC' },
          { url, transport: 'HTTP+JSON' },
        ],
        security: [{ relay: [] }],
        securitySchemes: {
          relay: {
            httpAuthSecurityScheme: { scheme: 'Bearer', description: 'Relay agent token' },
            type: 'http',
            scheme: 'Bearer',
            description: 'Relay agent token',
          },
        },
        supportsAuthenticatedExtendedCard: false,
      });
      expect(card.headers.get('etag')).not.toBe(currentCard.headers.get('etag'));
    }
    expect((await get(`${path}?A2A-Version=1.0`)).text).toBe(currentCard.text);
  });

  it('is where clients before 0.3 look for it, with how they are to authenticate', async () => {
    const { handle } = await createOwnedAgent();
    const card = await get(`/${handle}/agent-card.json`);
    for (const prefix of ['', '/a2a']) {
      const oldest = await get(`${prefix}/${handle}/.well-known/agent.json`);
      expect(oldest.body).toMatchObject({
        name: profile.display_name,
        url: `${relay.gateway.url}${prefix}/${handle}`,
        authentication: { schemes: ['Bearer'] },
        capabilities: { streaming: true, pushNotifications: true },
        skills: profile.skills,
      });
      expect(oldest.headers.get('etag')).not.toBe(card.headers.get('etag'));
    }
  });

  it('lists what the agent takes and gives beside text and JSON', async () => {
    const modes = { input_modes: ['Image/PNG', 'text/plain'], output_modes: ['audio/*'] };
    const { handle } = await relay.client.createAgent(modes);
    expect((await get(`/${handle}/agent-card.json`)).body).toMatchObject({
      defaultInputModes: ['text/plain', 'application/json', 'image/png'],
      defaultOutputModes: ['text/plain', 'application/json', 'audio/*'],
    });
  });

  it('says what an agent takes that accepts no tasks', async () => {
    const { handle } = await relay.client.createAgent({ acceptsTasks: false });
    const { body } = await get(`/${handle}/agent-card.json`);
    expect(body).toMatchObject({
      description: '',
      defaultInputModes: ['text/plain', 'application/a2ui+json'],
      defaultOutputModes: ['text/plain', 'application/json', 'application/a2ui+json'],
    });
    expect(body).not.toHaveProperty('provider');
    expect(body).not.toHaveProperty('iconUrl');
  });

  it('is not sent again to who has it, and has another version after a change', async () => {
    const { handle } = await relay.client.createAgent();
    const path = `/${handle}/agent-card.json`;
    const first = await get(path);
    const { version }: AgentCard = JSON.parse(first.text);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(first.headers.get('last-modified')).toMatch(/GMT$/);
    expect(first.headers.get('vary')).toBe('A2A-Version');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await get(path, { 'if-none-match': tag });
      expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    await relay.client.send('PATCH', `/v1/agents/${handle}`, {
      token: adminToken,
      body: { subtitle: 'new' },
    });
    const second = await get(path, { 'if-none-match': etag });
    expect(second.status).toBe(200);
    expect(second.body).not.toMatchObject({ version });
  });

  it('names the origin that clients use', async () => {
    const { nats, redis, worker } = relay;
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example' };
    const urlOf = async (config: { publicUrl?: string; trustProxy?: boolean }) => {
      const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url, config });
      const client = new GatewayClient(gateway.url);
      const path = `/${worker.handle}/agent-card.json`;
      const card = await client.send('GET', path, { headers: forwarded });
      await gateway.close();
      const { supportedInterfaces }: AgentCard = JSON.parse(card.text);
      return supportedInterfaces[0]?.url.replace(gateway.url, 'its own');
    };
    expect(await urlOf({})).toBe(`its own/${worker.handle}`);
    expect(await urlOf({ trustProxy: true })).toBe(`https://public.example/${worker.handle}`);
    expect(await urlOf({ publicUrl: 'https://relay.example', trustProxy: true })).toBe(
      `https://relay.example/${worker.handle}`,
    );
  });

  it("is there for HEAD, and in Relay's form not there for a handle that is nobody's", async () => {
    const head = await relay.client.send('HEAD', `/${relay.worker.handle}/agent-card.json`);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const path of ['/no_such_agent/agent-card.json', '/no_such_agent', '/v1', '/NO']) {
      const answer = await get(path);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 2001]);
    }
  });

  it('is not at the root, which says where the cards are', async () => {
    for (const path of ['/.well-known/agent-card.json', '/.well-known/agent.json']) {
      const { status, body } = await get(path);
      expect(status).toBe(404);
      expect(body.error.message).toContain(`/<handle>${path}`);
    }
  });
});

describe('the page of an agent', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it('is for browsers, and escapes all that the agent says of itself', async () => {
    const { handle } = await createOwnedAgent();
    const page = await get(`/${handle}`, { accept: browser });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(page.text).toContain('Translator &amp; &lt;b&gt;Co&lt;/b&gt;');
    expect(page.text).toContain('&lt;i&gt;Translate&lt;/i&gt;');
    expect(page.text).not.toMatch(/<script|<b>|<i>|"onerror=/);
  });

  it('is not what a client gets that asks for JSON', async () => {
    const accept = 'text/html;q=0.5, application/json';
    const answer = await get(`/${relay.worker.handle}`, { accept });
    expect(answer.headers.get('content-type')).toContain('application/json');
  });
});
