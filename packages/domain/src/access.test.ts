import {
  type AgentRecord,
  agentRecordSchema,
  type ContactRule,
  ownerRecordSchema,
  type PersonRecord,
  timestampSchema,
} from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkListable, checkMayMessage, isKeptFrom, type Sender } from './access.ts';

const at = timestampSchema.parse('2026-11-30T00:00:00.000Z');
const id = (last: number) => `01a0537e-27a7-757c-a614-00000000000${last}`;
const [acme, bravo] = [id(1), id(2)];

function agentOf(last: number, fields: Partial<Record<keyof AgentRecord, unknown>>): AgentRecord {
  return agentRecordSchema.parse({
    id: id(last),
    handle: `agent_${last}`,
    display_name: 'Agent',
    subtitle: null,
    description: null,
    category: null,
    skills: [],
    image_url: null,
    visibility: 'public',
    accepts_tasks: true,
    created_at: at,
    updated_at: at,
    tokens: [],
    ...fields,
  });
}

function personOf(last: number, organizations: readonly string[] = []): PersonRecord {
  const record = ownerRecordSchema.parse({
    id: id(last),
    kind: 'user',
    handle: `person_${last}`,
    display_name: 'Person',
    organizations,
    created_at: at,
    updated_at: at,
    tokens: [],
  });
  if (record.kind !== 'user') throw new Error('no person');
  return record;
}

const agent = (fields = {}): Sender => ({ kind: 'agent', agent: agentOf(8, fields) });
const person = (record = personOf(7)): Sender => ({ kind: 'user', person: record });

const list = (rule: 'allow' | 'deny' | null, isBlocked = false): ContactRule => ({
  access: rule && { rule, listed_at: at },
  block: isBlocked ? { reason: null, blocked_at: at } : null,
});

const owners = {
  nobody: { of: null, senders: [agent(), person()], isOwner: false },
  'the same owner': { of: acme, senders: [agent({ owner_id: acme })], isOwner: true },
  'another owner': { of: acme, senders: [agent({ owner_id: bravo })], isOwner: false },
  'the owner itself': { of: id(7), senders: [person()], isOwner: true },
  'a member of the owning organization': {
    of: acme,
    senders: [person(personOf(7, [acme]))],
    isOwner: true,
  },
  'a member of another organization': {
    of: acme,
    senders: [person(personOf(7, [bravo]))],
    isOwner: false,
  },
} as const;

/** Contract §1.6 in its own words: the first rule that matches decides. */
function expected(given: Given): string | undefined {
  if (given.blocks !== 'none') return 'blocked';
  if (owners[given.owner].isOwner) return undefined;
  if (given.listed === 'deny') return 'notMessageable';
  if (given.listed === 'allow') return undefined;
  const isOpen = given.kind === 'user' ? given.people : given.agents === 'everyone';
  return isOpen ? undefined : 'notMessageable';
}

interface Given {
  readonly kind: Sender['kind'];
  readonly owner: keyof typeof owners;
  readonly blocks: 'none' | 'receiver' | 'sender' | 'both';
  readonly listed: 'allow' | 'deny' | null;
  /** What the sender has on its own list says nothing here. */
  readonly lists: 'allow' | 'deny' | null;
  readonly people: boolean;
  readonly agents: 'everyone' | 'nobody';
}

const names = Object.keys(owners).filter((name): name is keyof typeof owners => name in owners);
const given = fc
  .record<Given>({
    kind: fc.constantFrom('agent', 'user'),
    owner: fc.constantFrom(...names),
    blocks: fc.constantFrom('none', 'none', 'none', 'receiver', 'sender', 'both'),
    listed: fc.constantFrom('allow', 'deny', null),
    lists: fc.constantFrom('allow', 'deny', null),
    people: fc.boolean(),
    agents: fc.constantFrom('everyone', 'nobody'),
  })
  .filter(({ kind, owner }) => owners[owner].senders.some((sender) => sender.kind === kind));

function refusalFor({ kind, owner, blocks, listed, lists, people, agents }: Given) {
  const sender = owners[owner].senders.find((each) => each.kind === kind);
  if (!sender) throw new Error(`${owner} is no ${kind}`);
  const receiver = agentOf(9, {
    owner_id: owners[owner].of,
    people_can_message: people,
    agents_can_message: agents,
  });
  return checkMayMessage(sender, receiver, {
    ofReceiver: list(listed, blocks === 'receiver' || blocks === 'both'),
    ofSender: list(lists, blocks === 'sender' || blocks === 'both'),
  });
}

describe('who may message an agent', () => {
  it('is decided by the first rule that matches, whatever the others say', () => {
    fc.assert(
      fc.property(given, (each) => {
        expect(refusalFor(each)?.error).toBe(expected(each));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, Partial<Given>, string | undefined]>([
    ['a stranger, of an agent that is open', {}, undefined],
    ['a stranger, of one that is not', { agents: 'nobody' }, 'notMessageable'],
    [
      'one that it allows, although it is not open',
      { agents: 'nobody', listed: 'allow' },
      undefined,
    ],
    ['one that it denies, although it is open', { listed: 'deny' }, 'notMessageable'],
    [
      'one that it denies, of its own owner',
      { listed: 'deny', owner: 'the same owner' },
      undefined,
    ],
    [
      'one that it blocks, of its own owner',
      { blocks: 'receiver', owner: 'the same owner' },
      'blocked',
    ],
    ['one that blocks it and that it allows', { blocks: 'sender', listed: 'allow' }, 'blocked'],
    ['a person, where only agents may', { kind: 'user', people: false }, 'notMessageable'],
    ['a person, where only people may', { kind: 'user', agents: 'nobody' }, undefined],
    [
      'its owner, where no person may',
      { kind: 'user', people: false, owner: 'the owner itself' },
      undefined,
    ],
  ])('%s', (_name, fields, error) => {
    const plain: Given = {
      kind: 'agent',
      owner: 'nobody',
      blocks: 'none',
      listed: null,
      lists: null,
      people: true,
      agents: 'everyone',
    };
    expect(refusalFor({ ...plain, ...fields })?.error).toBe(error);
  });

  it('says nothing of itself', () => {
    const itself = agentOf(8, { agents_can_message: 'nobody' });
    const rules = { ofReceiver: undefined, ofSender: undefined };
    expect(checkMayMessage(agent(), itself, rules)).toMatchObject({ error: 'invalidParams' });
  });

  it('is an open question for two agents that nobody owns', () => {
    const closed = agentOf(9, { agents_can_message: 'nobody' });
    const rules = { ofReceiver: undefined, ofSender: undefined };
    expect(checkMayMessage(agent(), closed, rules)?.error).toBe('notMessageable');
  });
});

it('a block keeps messages from both of two, and in a group from who blocks alone', () => {
  const [none, blocks] = [list(null), list('deny', true)];
  const between = (ofReceiver: ContactRule, ofSender: ContactRule) => ({ ofReceiver, ofSender });
  const table = [
    [between(none, none), false, false],
    [between(blocks, none), true, true],
    [between(none, blocks), true, false],
    [between(blocks, blocks), true, true],
    [between(list('deny'), list('deny')), false, false],
  ] as const;
  for (const [rules, isKept, isKeptInGroup] of table) {
    expect([isKeptFrom(rules, false), isKeptFrom(rules, true)]).toEqual([isKept, isKeptInGroup]);
  }
});

it('an agent lists neither itself nor, to be denied, its owner', () => {
  const owned = agentOf(8, { owner_id: acme });
  const refused = (contact: Sender) =>
    (['allow', 'deny'] as const).map((rule) => checkListable(owned, contact, rule)?.error);
  expect(refused({ kind: 'agent', agent: owned })).toEqual(['notListable', 'notListable']);
  expect(refused(person(personOf(7, [acme])))).toEqual([undefined, 'notListable']);
  expect(refused(person())).toEqual([undefined, undefined]);
  const sibling = agentOf(9, { owner_id: acme });
  expect(refused({ kind: 'agent', agent: sibling })).toEqual([undefined, undefined]);
});
