import { toRestError } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RelayAgent } from '../relay-agent.ts';
import { FakeRelay, respondJson } from '../test-support/fake-relay.ts';

let relay: FakeRelay;
let planner: RelayAgent;

beforeEach(async () => {
  relay = await FakeRelay.start();
  planner = new RelayAgent({ url: relay.url, token: 'secret' });
});

afterEach(() => relay.stop());

function answer(body: unknown, status = 200): void {
  relay.respond = (_request, response) => respondJson(response, status, body);
}

const translator = { handle: 'translator', accepts_tasks: true };

describe('an agent', () => {
  it('finds others by a task, with its own token', async () => {
    answer({ contacts: [translator] });
    expect(await planner.find('translate it')).toEqual([translator]);
    expect(relay.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/contacts/lookup',
        headers: { authorization: 'Bearer secret' },
        body: { task: 'translate it' },
      },
    ]);
  });

  it('reads pages of the directory', async () => {
    const page = { agents: [translator], next_cursor: 'next' };
    answer(page);
    const query = { skill: 'to French & back', limit: 5, cursor: undefined };
    expect(await planner.directory(query)).toEqual(page);
    expect(await planner.directory({ cursor: page.next_cursor })).toEqual(page);
    expect(relay.requests.map(({ path }) => path)).toEqual([
      '/v1/directory?skill=to+French+%26+back&limit=5',
      '/v1/directory?cursor=next',
    ]);
  });

  it('looks up one contact, and learns that there is none', async () => {
    answer({ contact: translator });
    expect(await planner.lookUp({ handle: 'translator' })).toEqual(translator);
    answer(toRestError({ error: 'agentNotFound' }, 'trace'), 404);
    await expect(planner.lookUp({ id: 'x' })).rejects.toMatchObject({ status: 404, code: 2001 });
    expect(relay.requests.map(({ body }) => body)).toEqual([{ handle: 'translator' }, { id: 'x' }]);
  });

  it('changes its own card', async () => {
    answer({ handle: 'planner', first_name: 'Planner' });
    await planner.changeCard({ visibility: 'public' });
    expect(relay.requests).toMatchObject([
      { method: 'GET', path: '/v1/me' },
      {
        method: 'PATCH',
        path: '/v1/contact_card?handle=planner',
        body: { visibility: 'public' },
      },
    ]);
  });

  it('does not take for an answer what is none', async () => {
    answer({ anything: true });
    const calls = [
      planner.find('x'),
      planner.directory(),
      planner.lookUp({ handle: 'x' }),
      planner.changeCard({ subtitle: 'x' }),
    ];
    for (const call of calls) {
      await expect(call).rejects.toThrow('Relay answered in a shape that is not known.');
    }
  });
});
