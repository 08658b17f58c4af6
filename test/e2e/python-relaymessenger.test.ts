import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminToken } from '../support/gateway.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { PythonClients, scriptTimeoutMs } from '../support/python.ts';
import { TestRelay } from '../support/relay.ts';

type Seen = Readonly<Record<string, unknown>>;

interface CreatedChat {
  readonly chat: { readonly id: string; readonly message: { readonly id: string } };
}

/** What `python/relay_client.py` saw. */
interface Sessions {
  readonly me: Seen;
  readonly contacts: Seen;
  readonly websocket: Seen & { readonly created: CreatedChat; readonly created_again: CreatedChat };
  readonly group: Seen;
  readonly webhook: Seen;
  readonly unknown: Seen;
  readonly unauthenticated: Seen;
}

const clients = await PythonClients.prepare('relaymessenger.txt');

describe.skipIf(clients.missing !== undefined)('unmodified relaymessenger for Python', () => {
  let relay: TestRelay;
  let sessions: Sessions;

  beforeAll(async () => {
    relay = await TestRelay.start({
      RELAY_ADMIN_TOKEN: adminToken,
      RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    });
  });

  beforeAll(async () => {
    const client = new GatewayClient(relay.url);
    const agent = async (handle: string) => {
      const { token } = await client.createAgent({ handle, acceptsTasks: false });
      return `${handle}:${token}`;
    };
    sessions = await clients.run('relay_client.py', [relay.url], {
      RELAY_WRITER: await agent('writer'),
      RELAY_READER: await agent('reader'),
    });
  }, scriptTimeoutMs);

  afterAll(() => relay?.stop());

  it('knows who it is', () => {
    expect(sessions.me).toMatchObject({ handle: 'writer', kind: 'agent', calls_enabled: false });
  });

  it('changes its card, which others look up', () => {
    const { card, cards, found, directory } = sessions.contacts;
    expect(card).toMatchObject({ handle: 'writer', subtitle: 'Writes' });
    expect(cards).toEqual({ contact_cards: [card] });
    expect(found).toMatchObject({ contact: { handle: 'writer', subtitle: 'Writes' } });
    expect(directory).toMatchObject({ agents: [] });
  });

  it('lets nobody begin a chat whom it denies, until it does no longer', () => {
    const { denied, rules, refused, rules_left: left } = sessions.contacts;
    expect(denied).toMatchObject({ rule: 'deny', contact: { handle: 'writer' } });
    expect(rules).toMatchObject({ allow: [], deny: [{ handle: 'writer' }] });
    expect(refused).toMatchObject({ status: 403, code: 2031 });
    expect(left).toEqual({ allow: [], deny: [] });
  });

  it('blocks and unblocks', () => {
    const { blocked, blocks, blocks_left: left } = sessions.contacts;
    const entry = { handle: 'writer', reason: 'A test' };
    expect(blocked).toMatchObject({ blocked_handle: entry });
    expect(blocks).toMatchObject({ blocked_handles: [entry] });
    expect(left).toEqual({ blocked_handles: [] });
  });

  it('writes to another agent, once however often it is sent', () => {
    const { created, created_again: again, sent } = sessions.websocket;
    expect(created).toMatchObject({
      chat: { is_group: false, message: { parts: [{ value: 'Hi!' }] } },
    });
    expect([again.chat.id, again.chat.message.id]).toEqual([
      created.chat.id,
      created.chat.message.id,
    ]);
    expect(sent).toMatchObject({ created_new_chat: false });
  });

  it('gets messages, answers and receipts over the WebSocket', () => {
    const { received, answered, read } = sessions.websocket;
    expect(received).toMatchObject({ data: { direction: 'inbound', parts: [{ value: 'Hi!' }] } });
    expect(answered).toMatchObject({ data: { parts: [{ value: 'Got it.' }] } });
    expect(read).toMatchObject({ data: { direction: 'outbound', parts: [{ value: 'Hi!' }] } });
  });

  it('reads chats, messages and threads', () => {
    const { created, chat, chats, messages, message, thread } = sessions.websocket;
    const { id } = created.chat;
    expect(chat).toMatchObject({ id, is_group: false });
    expect(chats).toMatchObject({ chats: [{ id }], next_cursor: null });
    expect(JSON.stringify(messages)).toContain('And this?');
    expect(message).toMatchObject({ is_from_me: false, parts: [{ value: 'Hi!' }] });
    expect(JSON.stringify(thread)).toContain('Got it.');
  });

  it('makes, renames, changes and leaves a group', () => {
    const { renamed, removed, added, chat, left } = sessions.group;
    const accepted = [renamed, removed, added, left];
    for (const answer of accepted) expect(answer).toMatchObject({ status: 'accepted' });
    expect(chat).toMatchObject({ is_group: true, display_name: 'Trip' });
  });

  it('gets signed webhooks that it verifies, and no WebSocket beside them', () => {
    const { subscribed, retrieved, listed, unwrapped, forged, websocket } = sessions.webhook;
    expect(subscribed).toMatchObject({ is_active: true, signing_secret: true });
    expect(listed).toEqual({ subscriptions: [retrieved] });
    expect(unwrapped).toMatchObject({ data: { parts: [{ value: 'By webhook' }] } });
    expect(forged).toBe('No matching signature found.');
    expect(websocket).toMatch(/webhook/);
  });

  it('changes and deletes its subscriptions', () => {
    const { updated, left, types } = sessions.webhook;
    expect(updated).toMatchObject({ is_active: false });
    expect(left).toEqual({ subscriptions: [] });
    expect(types).toMatchObject({ events: expect.arrayContaining(['message.received']) });
  });

  it('is refused in the form that it reads', () => {
    const trace = { trace_id: expect.any(String) };
    expect(sessions.unknown).toMatchObject({ status: 404, code: 2001, ...trace });
    expect(sessions.unauthenticated).toMatchObject({ status: 401, code: 2004, ...trace });
  });
});
