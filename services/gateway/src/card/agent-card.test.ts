import type { OwnedAgent } from '@relay/domain';
import { agentRecordSchema, ownerRecordSchema } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { toAgentCard, toExtendedCard } from './agent-card.ts';
import { toAgentPage } from './agent-page.ts';

const address = {
  origin: 'https://relay.example',
  url: 'https://relay.example/a2a/scribe',
  hasPush: true,
};

const id = '01a0537e-27a7-757c-a614-c28ca730478d';

function agent(fields: Record<string, unknown> = {}, owner?: object): OwnedAgent {
  const record = agentRecordSchema.parse({
    id,
    handle: 'scribe',
    display_name: 'Scribe',
    subtitle: null,
    description: null,
    category: null,
    skills: [],
    image_url: null,
    visibility: 'public',
    owner_id: null,
    accepts_tasks: true,
    created_at: '2026-11-30T00:00:00.000Z',
    updated_at: '2026-11-30T00:00:00.001Z',
    tokens: [],
    ...fields,
  });
  return { agent: record, owner: owner && ownerRecordSchema.parse({ ...ownerFields, ...owner }) };
}

const ownerFields = {
  id,
  created_at: '2026-11-29T00:00:00.000Z',
  updated_at: '2026-11-29T00:00:00.000Z',
  website: null,
  verified: false,
  organizations: [],
  tokens: [],
};

describe('toAgentCard', () => {
  it('lists what answers under the address that was asked, the preferred one first', () => {
    const { url } = address;
    expect(toAgentCard(agent(), address).supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    ]);
  });

  it('says that there is an extended card where there are more skills', () => {
    const skills = [{ id: 'more', name: 'More', description: 'For agents', tags: [] }];
    const owned = agent({ extended_skills: skills });
    expect(toAgentCard(owned, address)).toMatchObject({
      capabilities: { extendedAgentCard: true },
      skills: [],
    });
    expect(toExtendedCard(owned, address)).toMatchObject({
      capabilities: { extendedAgentCard: true },
      skills,
    });
    expect(toExtendedCard(agent(), address)).toBeUndefined();
  });

  it('has the time of the last change in microseconds as its version', () => {
    expect(toAgentCard(agent(), address).version).toBe('1795996800001000');
    const owner = { kind: 'organization', name: 'Acme', updated_at: '2026-11-30T00:00:00.002Z' };
    expect(toAgentCard(agent({}, owner), address).version).toBe('1795996800002000');
  });

  it.each([
    [null, null, ''],
    ['Writes', null, 'Writes'],
    [null, 'All of it.', 'All of it.'],
    ['Writes', 'All of it.', 'Writes\n\nAll of it.'],
  ])('joins %j and %j', (subtitle, description, joined) => {
    expect(toAgentCard(agent({ subtitle, description }), address).description).toBe(joined);
  });

  it.each([
    [undefined, undefined],
    [{ kind: 'organization', name: 'Acme' }, undefined],
    [
      { kind: 'organization', name: 'Acme', website: 'https://acme.example' },
      { organization: 'Acme', url: 'https://acme.example' },
    ],
    [
      { kind: 'user', handle: 'ada', display_name: 'Ada' },
      { organization: 'Ada', url: 'https://relay.example/ada' },
    ],
  ])('of an agent of %j has the provider %j', (owner, provider) => {
    expect(toAgentCard(agent({}, owner), address).provider).toEqual(provider);
  });
});

describe('the page of an agent', () => {
  it('escapes what the agent says of itself, in text and in attributes', () => {
    const { title, main } = toAgentPage(
      agent(
        { display_name: '<script>"\'&', image_url: 'https://x.example/"onload="x' },
        { kind: 'organization', name: '<b>', website: 'https://x.example/"onclick="x' },
      ),
      address,
    );
    expect(title).toBe('&lt;script&gt;&quot;&#39;&amp;');
    expect(main).toContain('&lt;script&gt;&quot;&#39;&amp;');
    expect(main).not.toMatch(/<script>|<b>|"onload=|"onclick=/);
  });
});
