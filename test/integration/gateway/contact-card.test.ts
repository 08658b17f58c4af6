import type { ContactCardItem } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { listedHandles } from '../../support/directory-calls.ts';
import type { TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { ownersAt } from '../../support/owners.ts';

const relay = useGateway();
const { admin, organization, createAgent } = ownersAt(relay);

const send = ({ token }: Pick<TestAgent, 'token'>, method: string, query: string, body?: unknown) =>
  relay.client.send(method, `/v1/contact_card${query}`, {
    token,
    ...(body === undefined ? {} : { body }),
  });

async function read(agent: Pick<TestAgent, 'token'>): Promise<ContactCardItem | undefined> {
  const { text } = await send(agent, 'GET', '');
  const { contact_cards }: { contact_cards: readonly ContactCardItem[] } = JSON.parse(text);
  expect(contact_cards).toHaveLength(1);
  return contact_cards[0];
}

async function patch(agent: TestAgent, change: unknown): Promise<unknown> {
  const { status, text } = await send(agent, 'PATCH', `?handle=${agent.handle}`, change);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return JSON.parse(text);
}

const bare = (handle: string) => ({
  handle,
  kind: 'agent',
  first_name: handle,
  last_name: null,
  subtitle: null,
  description: null,
  category: null,
  skills: [],
  input_modes: [],
  output_modes: [],
  visibility: 'unlisted',
  image_url: null,
  image_color: null,
  is_active: true,
  is_verified: false,
});

describe('the card of an agent', () => {
  it('is read by the agent, and by nobody else', async () => {
    const agent = await relay.client.createAgent();
    const answer = await send(agent, 'GET', `?handle=${agent.handle}`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ contact_cards: [bare(agent.handle)] });
    expect(await read(agent)).toEqual(bare(agent.handle));
    for (const handle of [relay.worker.handle, 'nobody_here', 'x y']) {
      const query = `?handle=${encodeURIComponent(handle)}`;
      for (const [method, body] of [['GET'], ['PATCH', { subtitle: 'x' }]] as const) {
        const { status, body: refused } = await send(agent, method, query, body);
        expect([status, refused.error.code]).toEqual([403, 2003]);
      }
      const whole = await send(agent, 'POST', '', { handle, first_name: 'x' });
      expect([whole.status, whole.body.error.code]).toEqual([403, 2003]);
    }
    expect(await read(relay.worker)).toEqual(bare(relay.worker.handle));
  });

  it('says whether its owner is verified', async () => {
    const acme = await organization();
    const agent = await createAgent(acme.token);
    await admin('PATCH', `/v1/owners/${acme.id}`, { verified: true });
    expect(await read(agent)).toMatchObject({ is_verified: true });
  });

  it('changes by what is named, and shows that everywhere at once', async () => {
    const agent = await relay.client.createAgent({ description: 'Kept.' });
    const skills = [{ id: 'sew', name: 'Sew', description: 'Sews.', tags: ['thread'] }];
    const change = {
      first_name: 'Ada',
      last_name: 'Lovelace',
      subtitle: ' Sews ',
      category: 'lifestyle',
      skills,
      input_modes: ['image/*'],
      output_modes: ['image/svg+xml'],
      visibility: 'public',
      image_url: 'https://x.example/ada.png',
    };
    const card = { ...bare(agent.handle), ...change, subtitle: 'Sews', description: 'Kept.' };
    expect(await patch(agent, change)).toEqual(card);
    expect(await read(agent)).toEqual(card);
    expect(await listedHandles(relay.client, { skill: 'sew' })).toEqual([agent.handle]);
    const { body } = await admin('GET', `/v1/agents/${agent.handle}`);
    expect(body.agent).toMatchObject({
      display_name: 'Ada Lovelace',
      skills,
      category: 'lifestyle',
    });
    await patch(agent, { visibility: 'unlisted' });
    expect(await listedHandles(relay.client, { skill: 'sew' })).toEqual([]);
  });

  it('keeps the parts of a name that was given in two, until it is given as a whole', async () => {
    const agent = await relay.client.createAgent();
    const names = async () => {
      const { first_name, last_name } = (await read(agent)) ?? {};
      return [first_name, last_name];
    };
    await patch(agent, { first_name: 'Ada', last_name: 'King Lovelace' });
    expect(await names()).toEqual(['Ada', 'King Lovelace']);
    await patch(agent, { first_name: 'Augusta' });
    expect(await names()).toEqual(['Augusta', 'King Lovelace']);
    await patch(agent, { last_name: null });
    expect(await names()).toEqual(['Augusta', null]);
    await patch(agent, { last_name: 'Byron' });
    await admin('PATCH', `/v1/agents/${agent.handle}`, { display_name: 'Augusta Ada' });
    expect(await names()).toEqual(['Augusta Ada', null]);
  });

  it('is replaced as a whole: what is left out is cleared', async () => {
    const agent = await relay.client.createAgent({ subtitle: 'Kept' });
    const { handle } = agent;
    await patch(agent, { last_name: 'X', image_url: 'https://x.example/x.png' });
    const answer = await send(agent, 'POST', '', { handle, first_name: 'Weather' });
    expect(answer.status).toBe(200);
    const card = { ...bare(handle), first_name: 'Weather', subtitle: 'Kept' };
    expect(JSON.parse(answer.text)).toEqual(card);
    expect(await read(agent)).toEqual(card);
  });

  it.each([
    ['PATCH', {}],
    ['PATCH', { first_name: '' }],
    ['PATCH', { first_name: 'x'.repeat(31) }],
    ['PATCH', { first_name: null }],
    ['PATCH', { subtitle: 'x'.repeat(61) }],
    ['PATCH', { description: 'x'.repeat(2001) }],
    ['PATCH', { category: 'gardening' }],
    ['PATCH', { visibility: 'private' }],
    ['PATCH', { accepts_tasks: true }],
    ['PATCH', { handle: 'another' }],
    ['POST', { first_name: 'x' }],
    ['POST', { handle: 'x' }],
  ])('refuses %s of %j, and changes nothing', async (method, body) => {
    const agent = await relay.client.createAgent();
    const query = method === 'PATCH' ? `?handle=${agent.handle}` : '';
    const { status, body: refused } = await send(agent, method, query, body);
    expect([status, refused.error.code]).toEqual([400, 1005]);
    expect(await read(agent)).toEqual(bare(agent.handle));
  });

  it('is for agents alone, and names its handle where it is changed', async () => {
    expect((await send({ token: 'x' }, 'GET', '')).status).toBe(401);
    expect((await send(await organization(), 'GET', '')).status).toBe(403);
    expect((await send(relay.worker, 'PATCH', '', { subtitle: 'x' })).status).toBe(400);
  });
});
