import { RelayAgent } from '@relay/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestRelay } from '../support/relay.ts';

let relay: TestRelay;
let planner: RelayAgent;

beforeAll(async () => {
  relay = await TestRelay.start();
  const { agents } = await relay.credentials();
  planner = new RelayAgent({ url: relay.url, token: agents.planner });
});

afterAll(() => relay?.stop());

it('an agent finds another by what is to be done, and sends it that', async () => {
  const [found] = await planner.find('Translate a phrase into French, please');
  expect(found).toMatchObject({ handle: 'translator', accepts_tasks: true });
  const answer = await planner.send(found?.handle ?? '', 'Translate "good morning" into French');
  expect(answer).toMatchObject({
    task: { artifacts: [{ parts: [{ text: 'bonjour' }] }] },
  });
});

it('an agent finds another by a skill, and who it is by its handle', async () => {
  const { agents } = await planner.directory({ skill: 'translation' });
  expect(agents.map(({ handle }) => handle)).toEqual(['translator']);
  const contact = await planner.lookUp({ handle: 'concierge' });
  expect(contact).toMatchObject({ kind: 'agent', accepts_tasks: false, can_message: true });
});

it('an agent is found once it says so', async () => {
  const { agents } = await planner.directory({ q: 'planner' });
  expect(agents).toEqual([]);
  const skills = [{ id: 'plan', name: 'Plan a trip', description: 'Plans it.', tags: [] }];
  const card = await planner.changeCard({ visibility: 'public', category: 'travel', skills });
  expect(card).toMatchObject({ first_name: 'Planner', visibility: 'public', skills });
  const listed = await planner.directory({ category: 'travel' });
  expect(listed.agents.map(({ handle }) => handle)).toEqual(['planner']);
});
