import { generateKeyPairSync } from 'node:crypto';
import { type AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import type { CardSignature } from '@relay/protocol';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  type FlattenedJWS,
  flattenedVerify,
  type JSONWebKeySet,
} from 'jose';
import { canonicalize } from 'json-canonicalize';
import { describe, expect, it } from 'vitest';
import { adminToken, startTestGateway } from '../../support/gateway.ts';
import { GatewayClient, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const publicUrl = 'https://relay.example';
const jku = `${publicUrl}/.well-known/jwks.json`;

const newKey = (type: 'EdDSA' | 'ES256') =>
  type === 'EdDSA'
    ? generateKeyPairSync('ed25519').privateKey
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const edKey = newKey('EdDSA');
const relay = useGateway({ config: { publicUrl, cardSigningKey: [edKey] } });

interface SignedCard extends Record<string, unknown> {
  readonly signatures: readonly CardSignature[];
}

const current = { 'a2a-version': '1.0' };

async function keysOf(client: GatewayClient): Promise<JSONWebKeySet> {
  const { text } = await client.send('GET', '/.well-known/jwks.json');
  const keys: JSONWebKeySet = JSON.parse(text);
  return keys;
}

async function cardOf(
  agent: Pick<TestAgent, 'handle'>,
  { client = relay.client, path = '/agent-card.json', headers = {}, token = '' } = {},
) {
  const options = { headers, ...(token ? { token } : {}) };
  const answer = await client.send('GET', `/${agent.handle}${path}`, options);
  const card: SignedCard = JSON.parse(answer.text);
  return { ...answer, card };
}

/** Whether one of the signatures holds for this text. */
async function isSigned(text: string, card: SignedCard, keys: JSONWebKeySet): Promise<boolean> {
  const payload = Buffer.from(text).toString('base64url');
  const verified = card.signatures.map((signature) => {
    const jws: FlattenedJWS = { ...signature, payload };
    return flattenedVerify(jws, createLocalJWKSet(keys)).then(
      () => true,
      () => false,
    );
  });
  return (await Promise.all(verified)).includes(true);
}

/** As the A2A SDK reads it, given the JSON: of a card that it has parsed it loses the security schemes. */
async function verifyBySdk(card: SignedCard, keys: JSONWebKeySet): Promise<void> {
  const verify = verifyAgentCardSignature(async (kid, url) => {
    const key = keys.keys.find((each) => each.kid === kid);
    if (!key || url !== jku) throw new Error('The key is unknown');
    return key;
  });
  const json: AgentCard = JSON.parse(JSON.stringify(card));
  await verify(json);
}

const served = ({ signatures: _signatures, ...card }: SignedCard) => canonicalize(card);

/** An agent with fields that are empty, and text that is not ASCII. */
const createSparse = () =>
  relay.client.createAgent({
    display_name: 'Übersetzerin 世界',
    skills: [{ id: 's', name: 'S', description: '', tags: [], examples: [] }],
    extended_skills: [{ id: 'more', name: 'More', description: 'x', tags: ['x'] }],
  });

describe('a card of a relay that signs', () => {
  it('says by which key it is signed, and where that is', async () => {
    const { card } = await cardOf(relay.worker);
    const { keys } = await keysOf(relay.client);
    expect(keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        kid: expect.any(String),
        alg: 'EdDSA',
        use: 'sig',
      },
    ]);
    for (const signature of card.signatures) {
      const header = { alg: 'EdDSA', typ: 'JOSE', kid: keys[0]?.kid, jku };
      expect(decodeProtectedHeader(signature)).toEqual(header);
    }
  });

  it('is what was signed, in every form, as whoever verifies it reads it', async () => {
    const agent = await createSparse();
    const keys = await keysOf(relay.client);
    const { token } = relay.planner;
    for (const place of [
      { headers: current },
      { headers: { 'a2a-version': '0.3' } },
      { path: '/.well-known/agent.json' },
      { path: '/extendedAgentCard', token },
      { path: '/v1/card', token },
    ]) {
      const { card } = await cardOf(agent, place);
      expect([place, await isSigned(served(card), card, keys)]).toEqual([place, true]);
      await verifyBySdk(card, keys);
    }
    for (const method of ['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard']) {
      const { text } = await relay.client.rpc({ from: relay.planner, to: agent, method });
      const { result: card }: { result: SignedCard } = JSON.parse(text);
      expect(await isSigned(served(card), card, keys)).toBe(true);
      await verifyBySdk(card, keys);
    }
  });

  it('is signed without fields that have their default, unless they are required', async () => {
    const agent = await createSparse();
    const { card } = await cardOf(agent, { headers: current });
    const { signatures: _signatures, ...rest } = card;
    const text = canonicalize({
      ...rest,
      skills: [{ id: 's', name: 'S', description: '', tags: [] }],
      securityRequirements: [{ schemes: { relay: {} } }],
    });
    expect(text).toContain('"description":""');
    expect(text).not.toContain('"examples"');
    expect(await isSigned(text, card, await keysOf(relay.client))).toBe(true);
  });

  it('does not hold with anything changed, or by another key', async () => {
    const { card } = await cardOf(relay.worker, { headers: current });
    const keys = await keysOf(relay.client);
    const changed = { ...card, name: 'Another' };
    expect(await isSigned(served(changed), changed, keys)).toBe(false);
    await expect(verifyBySdk(changed, keys)).rejects.toThrow('No valid signatures');
    const [key] = keys.keys;
    const other = newKey('EdDSA').export({ format: 'jwk' });
    const others = { keys: [{ ...key, kty: 'OKP', x: String(other['x']) }] };
    expect(await isSigned(served(card), card, others)).toBe(false);
  });

  it('names no origin but its own, whatever a request says of that', async () => {
    const { text } = await cardOf(relay.worker, { headers: { host: 'evil.example' } });
    expect(text).not.toContain('evil.example');
    expect(text).toContain(`"url":"${publicUrl}/${relay.worker.handle}"`);
  });
});

describe('the keys of cards', () => {
  it.each(['EdDSA', 'ES256'] as const)(
    'leave the ETag of a card as it is until the card changes: %s',
    async (type) => {
      const { nats, redis } = relay;
      const config = { publicUrl, cardSigningKey: [newKey(type)] } as const;
      const options = { natsUrl: nats.url, redisUrl: redis.url, config };
      const gateways = await Promise.all([startTestGateway(options), startTestGateway(options)]);
      const agent = await relay.client.createAgent();
      const tags = [];
      for (const { url } of gateways) {
        const client = new GatewayClient(url);
        const { headers, card } = await cardOf(agent, { client });
        expect(await isSigned(served(card), card, await keysOf(client))).toBe(true);
        const etag = headers.get('etag') ?? '';
        tags.push(etag);
        const again = { 'if-none-match': etag };
        const known = await client.send('GET', `/${agent.handle}/agent-card.json`, {
          headers: again,
        });
        expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
      }
      expect(new Set(tags).size).toBe(1);
      await relay.client.send('PATCH', `/v1/agents/${agent.handle}`, {
        token: adminToken,
        body: { subtitle: 'new' },
      });
      expect((await cardOf(agent)).headers.get('etag')).not.toBe(tags[0]);
      for (const gateway of gateways) await gateway.close();
    },
  );

  it('can be replaced: the new one signs, and what the old one signed still holds', async () => {
    const before = await cardOf(relay.worker);
    const { nats, redis } = relay;
    const config = { publicUrl, cardSigningKey: [newKey('ES256'), edKey] } as const;
    const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url, config });
    const client = new GatewayClient(gateway.url);
    const after = await cardOf(relay.worker, { client });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const keys = await keysOf(client);
    expect(keys.keys.map(({ alg }) => alg)).toEqual(['ES256', 'EdDSA']);
    for (const { card } of [before, after]) await verifyBySdk(card, keys);
    const [signature] = after.card.signatures;
    expect(signature && decodeProtectedHeader(signature).alg).toBe('ES256');
    await gateway.close();
  });

  it('are none where the relay does not sign, and cards hold no signatures', async () => {
    const { nats, redis } = relay;
    const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
    const client = new GatewayClient(gateway.url);
    expect(await keysOf(client)).toEqual({ keys: [] });
    expect((await cardOf(relay.worker, { client })).card).not.toHaveProperty('signatures');
    await gateway.close();
  });
});
