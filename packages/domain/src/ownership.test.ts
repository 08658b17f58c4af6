import { type AgentRecord, agentRecordSchema, ownerRecordSchema } from '@relay/protocol';
import { expect, it } from 'vitest';
import { haveSameOwner, manages } from './ownership.ts';

const ids = {
  acme: '01a0537e-27a7-757c-a614-000000000001',
  ada: '01a0537e-27a7-757c-a614-000000000002',
  bob: '01a0537e-27a7-757c-a614-000000000003',
};
const at = '2026-11-30T00:00:00.000Z';
const record = { created_at: at, updated_at: at, tokens: [] };

const acme = ownerRecordSchema.parse({
  ...record,
  id: ids.acme,
  kind: 'organization',
  name: 'Acme',
  website: null,
  verified: false,
});
const ada = ownerRecordSchema.parse({
  ...record,
  id: ids.ada,
  kind: 'user',
  handle: 'ada',
  display_name: 'Ada',
  organizations: [ids.acme],
});
const bob = ownerRecordSchema.parse({ ...ada, id: ids.bob, handle: 'bob', organizations: [] });

function agentOf(owner_id: string | null): AgentRecord {
  return agentRecordSchema.parse({
    ...record,
    id: '01a0537e-27a7-757c-a614-c28ca730478d',
    handle: 'scribe',
    display_name: 'Scribe',
    subtitle: null,
    description: null,
    category: null,
    skills: [],
    image_url: null,
    visibility: 'public',
    owner_id,
    accepts_tasks: true,
  });
}

it.each([
  { owner: acme, managed: [ids.acme] },
  { owner: ada, managed: [ids.ada, ids.acme] },
  { owner: bob, managed: [ids.bob] },
])('$owner.id manages its own agents and those of its organizations', ({ owner, managed }) => {
  for (const id of [...Object.values(ids), null]) {
    expect([id, manages(owner, agentOf(id))]).toEqual([id, id !== null && managed.includes(id)]);
  }
});

it('two agents have one owner only where they have one at all', () => {
  expect(haveSameOwner(agentOf(ids.ada), agentOf(ids.ada))).toBe(true);
  expect(haveSameOwner(agentOf(ids.ada), agentOf(ids.acme))).toBe(false);
  expect(haveSameOwner(agentOf(null), agentOf(null))).toBe(false);
});
