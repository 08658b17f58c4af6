import type { AccessLists, BlockedHandle } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { block, list, unblock } from '../../support/access-calls.ts';
import { type Answer, message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { newHandle, ownersAt } from '../../support/owners.ts';
import { busForTest } from '../../support/test-bus.ts';

const relay = useGateway();
const { send, admin, organization, createAgent } = ownersAt(relay);

const newAgent = () => relay.client.createAgent();

const call = ({ token }: Pick<TestAgent, 'token'>, method: string, path: string, body?: unknown) =>
  send(token, method, path, body);

async function listsOf(agent: TestAgent) {
  const { text } = await call(agent, 'GET', '/v1/access');
  const { allow, deny }: AccessLists = JSON.parse(text);
  return { allow: allow.map(({ handle }) => handle), deny: deny.map(({ handle }) => handle) };
}

async function blocksOf(agent: TestAgent): Promise<readonly BlockedHandle[]> {
  const { text } = await call(agent, 'GET', '/v1/blocked_handles');
  const body: { readonly blocked_handles: readonly BlockedHandle[] } = JSON.parse(text);
  return body.blocked_handles;
}

const refusal = ({ status, body }: Answer) => [status, body.error?.code];

/** A person with a handle of its own, member of the organizations. */
async function newPerson(organizations: readonly string[] = []) {
  const handle = newHandle('person');
  const profile = { kind: 'user', handle, display_name: 'Ada', organizations };
  const { body } = await admin('POST', '/v1/owners', profile);
  return { handle, id: body.owner.id };
}

describe('the two lists of an agent', () => {
  it('hold contacts, each on one alone, newest first', async () => {
    const [agent, one, two] = [await newAgent(), await newAgent(), await newAgent()];
    expect(await listsOf(agent)).toEqual({ allow: [], deny: [] });
    const set = await call(agent, 'PUT', `/v1/access/${one.handle}`, { rule: 'allow' });
    expect([set.status, set.body]).toEqual([
      200,
      {
        rule: 'allow',
        contact: {
          id: one.id,
          handle: one.handle,
          display_name: one.handle,
          name: one.handle,
          kind: 'agent',
          subtitle: null,
          description: null,
          category: null,
          skills: [],
          visibility: 'unlisted',
          creator: null,
          image_url: null,
          image_color: null,
          verified: false,
        },
      },
    ]);
    await list(relay.client, agent, two, 'allow');
    expect(await listsOf(agent)).toEqual({ allow: [two.handle, one.handle], deny: [] });
    // Once more changes nothing, and so no order.
    await list(relay.client, agent, one, 'allow');
    expect(await listsOf(agent)).toEqual({ allow: [two.handle, one.handle], deny: [] });
    await list(relay.client, agent, one, 'deny');
    expect(await listsOf(agent)).toEqual({ allow: [two.handle], deny: [one.handle] });
    const path = `/v1/access/${one.handle}`;
    expect((await call(agent, 'DELETE', path)).status).toBe(204);
    expect(refusal(await call(agent, 'DELETE', path))).toEqual([404, 2001]);
    expect(await listsOf(agent)).toEqual({ allow: [two.handle], deny: [] });
    expect(await listsOf(one)).toEqual({ allow: [], deny: [] });
  });

  it('take people too, and nobody who may not stand there', async () => {
    const acme = await organization();
    const [stranger, member] = [await newPerson(), await newPerson([acme.id])];
    const [agent, sibling] = [await createAgent(acme.token), await createAgent(acme.token)];
    const set = (handle: string, rule: unknown) =>
      call(agent, 'PUT', `/v1/access/${handle}`, { rule });
    expect((await set(stranger.handle, 'deny')).body).toEqual({
      rule: 'deny',
      contact: {
        id: stranger.id,
        handle: stranger.handle,
        display_name: 'Ada',
        kind: 'user',
        image_url: null,
        image_color: null,
        verified: false,
      },
    });
    expect((await set(member.handle, 'allow')).status).toBe(200);
    expect((await set(sibling.handle, 'deny')).status).toBe(200);
    expect(refusal(await set(member.handle, 'deny'))).toEqual([409, 2032]);
    expect(refusal(await set(agent.handle, 'allow'))).toEqual([409, 2032]);
    expect(refusal(await set(agent.handle, 'deny'))).toEqual([409, 2032]);
    for (const unknown of ['no_such_agent', 'x', '%00', 'UPPER_CASE']) {
      expect(refusal(await set(unknown, 'deny'))).toEqual([404, 2001]);
      expect(refusal(await call(agent, 'DELETE', `/v1/access/${unknown}`))).toEqual([404, 2001]);
    }
    expect(refusal(await set(stranger.handle, 'communities'))).toEqual([400, 1005]);
    expect(await listsOf(agent)).toEqual({
      allow: [member.handle],
      deny: [sibling.handle, stranger.handle],
    });
  });

  it('name nobody who is gone, and nobody who got a handle anew', async () => {
    const [agent, other] = [await newAgent(), await newAgent()];
    await list(relay.client, agent, other, 'deny');
    await block(relay.client, agent, other);
    await admin('DELETE', `/v1/agents/${other.handle}?free_handle=true`);
    await expect.poll(() => listsOf(agent)).toEqual({ allow: [], deny: [] });
    expect(await blocksOf(agent)).toEqual([]);
    await admin('POST', '/v1/agents', { handle: other.handle });
    expect(await listsOf(agent)).toEqual({ allow: [], deny: [] });
    expect(await blocksOf(agent)).toEqual([]);
    expect((await unblock(relay.client, agent, other)).status).toBe(404);
  });
});

it('nothing is kept of what agents and persons said, or was said of them, once they are deleted', async () => {
  const [agent, other, person] = [await newAgent(), await newAgent(), await newPerson()];
  await list(relay.client, agent, other, 'allow');
  await block(relay.client, agent, relay.planner);
  await block(relay.client, other, agent);
  await list(relay.client, other, relay.planner, 'deny');
  await list(relay.client, other, person, 'deny');
  const rules = (await busForTest(relay.nats)).bucket('registry', 'contact-rule.', z.unknown());
  const kept = async () => {
    const keys = await rules.keys();
    const ids = [agent.id, other.id];
    return keys.filter((key) => ids.some((id) => key.includes(id))).toSorted();
  };
  expect(await kept()).toHaveLength(5);
  await admin('DELETE', `/v1/agents/${agent.handle}`);
  const left = [relay.planner.id, person.id].map((id) => `${other.id}.${id}`);
  expect(await kept()).toEqual(left.toSorted());
  await admin('DELETE', `/v1/owners/${person.id}`);
  expect(await kept()).toEqual([`${other.id}.${relay.planner.id}`]);
  await admin('DELETE', `/v1/agents/${other.handle}?free_handle=true`);
  expect(await kept()).toEqual([]);
});

describe('the handles that an agent blocks', () => {
  it('stay blocked as they are when they are blocked again, newest first', async () => {
    const [agent, one, two] = [await newAgent(), await newAgent(), await newAgent()];
    const path = '/v1/blocked_handles';
    const first = await call(agent, 'POST', path, { handle: `@${one.handle}`, reason: 'spam' });
    const blocked = { handle: one.handle, reason: 'spam', blocked_at: expect.any(String) };
    expect([first.status, first.body]).toEqual([201, { blocked_handle: blocked }]);
    const again = await call(agent, 'POST', path, { handle: one.handle, reason: 'other' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    await block(relay.client, agent, two);
    expect(await blocksOf(agent)).toEqual([
      { handle: two.handle, reason: null, blocked_at: expect.any(String) },
      blocked,
    ]);
    expect((await unblock(relay.client, agent, one)).status).toBe(204);
    expect(refusal(await unblock(relay.client, agent, one))).toEqual([404, 2025]);
    expect(refusal(await unblock(relay.client, agent, { handle: 'no_such_agent' }))).toEqual([
      404, 2025,
    ]);
    expect((await blocksOf(agent)).map(({ handle }) => handle)).toEqual([two.handle]);
  });

  it('are others that are there, with a short reason', async () => {
    const [agent, other] = [await newAgent(), await newAgent()];
    const post = async (body: unknown) =>
      refusal(await call(agent, 'POST', '/v1/blocked_handles', body));
    expect(await post({ handle: agent.handle })).toEqual([422, 1005]);
    expect(await post({ handle: 'no_such_agent' })).toEqual([404, 2001]);
    expect(await post({ handle: other.handle, reason: '' })).toEqual([400, 1005]);
    expect(await post({ handle: other.handle, reason: 'x'.repeat(501) })).toEqual([400, 1005]);
    expect(await post({ handle: other.handle, reason: null })).toEqual([400, 1005]);
    expect(await post({})).toEqual([400, 1005]);
    expect(await blocksOf(agent)).toEqual([]);
  });

  it('are kept beside the lists', async () => {
    const [agent, other] = [await newAgent(), await newAgent()];
    await list(relay.client, agent, other, 'allow');
    await block(relay.client, agent, other);
    await list(relay.client, agent, other, 'deny');
    await unblock(relay.client, agent, other);
    expect(await listsOf(agent)).toEqual({ allow: [], deny: [other.handle] });
    await block(relay.client, agent, other);
    await call(agent, 'DELETE', `/v1/access/${other.handle}`);
    expect((await blocksOf(agent)).map(({ handle }) => handle)).toEqual([other.handle]);
  });

  it('are all there when many are blocked at once', async () => {
    const agent = await newAgent();
    const others = await Promise.all(Array.from({ length: 12 }, newAgent));
    await Promise.all(others.map((other) => block(relay.client, agent, other)));
    const handles = (await blocksOf(agent)).map(({ handle }) => handle);
    expect(handles.toSorted()).toEqual(others.map(({ handle }) => handle).toSorted());
  });
});

describe('who may message an agent', () => {
  const mayMessage = async (from: Pick<TestAgent, 'token'>, to: TestAgent) =>
    refusal(await call(from, 'POST', '/v1/tasks', { to: to.handle, message: message() }));

  it('is for its owner and the administrator to say, not for the agent', async () => {
    const acme = await organization();
    const [agent, sibling] = [await createAgent(acme.token), await createAgent(acme.token)];
    await call(agent, 'PATCH', '/v1/me', { accepts_tasks: true });
    const path = `/v1/agents/${agent.handle}`;
    const settings = { agents_can_message: 'everyone', people_can_message: true };
    expect((await send(acme.token, 'GET', path)).body.agent).toMatchObject(settings);
    for (const token of [acme.token, undefined]) {
      const change = (body: object) =>
        token ? send(token, 'PATCH', path, body) : admin('PATCH', path, body);
      const closed = { agents_can_message: 'nobody', people_can_message: false };
      expect((await change(closed)).body.agent).toMatchObject(closed);
      expect(await mayMessage(relay.planner, agent)).toEqual([403, 2031]);
      expect(await mayMessage(sibling, agent)).toEqual([200, undefined]);
      await list(relay.client, agent, relay.planner, 'allow');
      expect(await mayMessage(relay.planner, agent)).toEqual([200, undefined]);
      await call(agent, 'DELETE', `/v1/access/${relay.planner.handle}`);
      expect((await change(settings)).body.agent).toMatchObject(settings);
      expect(await mayMessage(relay.planner, agent)).toEqual([200, undefined]);
    }
    for (const refused of [{ agents_can_message: 'communities' }, { people_can_message: null }]) {
      expect(refusal(await admin('PATCH', path, refused))).toEqual([400, 1005]);
    }
    const closing = { agents_can_message: 'nobody' };
    expect(refusal(await call(agent, 'PATCH', '/v1/me', closing))).toEqual([400, 1005]);
    expect(refusal(await call(agent, 'PATCH', path, closing))).toEqual([403, 2003]);
    expect((await send(acme.token, 'GET', path)).body.agent).toMatchObject(settings);
  });

  it('can be said when the agent is made', async () => {
    const closed = await relay.client.createAgent({ agents_can_message: 'nobody' });
    expect(await mayMessage(relay.planner, closed)).toEqual([403, 2031]);
    const made = await admin('POST', '/v1/agents', {
      handle: newHandle('closed'),
      agents_can_message: 'communities',
    });
    expect(refusal(made)).toEqual([400, 1005]);
  });
});
