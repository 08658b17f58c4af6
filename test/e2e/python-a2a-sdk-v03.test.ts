import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PythonClients, scriptTimeoutMs } from '../support/python.ts';
import { TestRelay } from '../support/relay.ts';

/** A task, an update of one, or a message. */
interface Item {
  readonly kind: string;
  readonly id: string;
  readonly final?: boolean;
  readonly status: { readonly state: string };
  readonly history?: readonly unknown[];
}

/** What `python/a2a_client_v03.py` saw. */
interface Session {
  readonly sent: readonly Item[];
  readonly asked: readonly Item[];
  readonly push: Readonly<Record<'set' | 'got', unknown>>;
  readonly answered: readonly Item[];
  readonly got: Item;
  readonly unknown: string;
  readonly finished: string;
  readonly streamed: readonly Item[];
  readonly subscribed: readonly Item[];
  readonly canceled: Item;
  readonly chatted: readonly Item[];
}

const clients = await PythonClients.prepare('a2a-sdk-v03.txt');

describe.skipIf(clients.missing !== undefined)('unmodified a2a-sdk 0.3 for Python', () => {
  let relay: TestRelay;

  beforeAll(async () => {
    relay = await TestRelay.start();
  });

  afterAll(() => relay?.stop());

  describe.each([
    ['JSONRPC', /code=-32001/, /code=-32002/],
    ['HTTP+JSON', /HTTP Error 404/, /HTTP Error 400/],
  ])('over %s', (binding, notFound, notCancelable) => {
    let session: Session;

    beforeAll(async () => {
      const { agents } = await relay.credentials();
      const token = { A2A_TOKEN: agents.planner };
      session = await clients.run('a2a_client_v03.py', [relay.url, binding], token);
    }, scriptTimeoutMs);

    it('sends a message and gets the completed task', () => {
      expect(session.sent).toMatchObject([{ kind: 'task', status: { state: 'completed' } }]);
      expect(JSON.stringify(session.sent)).toContain('bonjour');
    });

    it('answers a question of the agent on the same task, and gets that', () => {
      const { asked, answered, got } = session;
      expect(asked).toMatchObject([{ status: { state: 'input-required' } }]);
      expect(answered).toMatchObject([{ id: asked[0]?.id, status: { state: 'completed' } }]);
      expect(got).toMatchObject({ id: asked[0]?.id, status: { state: 'completed' } });
      expect(got.history).toHaveLength(1);
    });

    it('streams a task from its first state to its last', () => {
      const { streamed } = session;
      const kinds = ['task', 'status-update', 'artifact-update', 'status-update'];
      expect(streamed.map(({ kind }) => kind)).toEqual(kinds);
      expect(streamed.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
    });

    it('follows a task that it cancels', () => {
      const { subscribed, canceled } = session;
      expect(canceled.status.state).toBe('canceled');
      expect(subscribed[0]).toMatchObject({ kind: 'task', id: canceled.id });
      expect(subscribed.at(-1)).toMatchObject({ status: { state: 'canceled' }, final: true });
    });

    it('sets and gets a push notification config of a task', () => {
      const { set, got } = session.push;
      expect(set).toMatchObject({ pushNotificationConfig: { url: 'https://example.com/hook' } });
      expect(got).toEqual(set);
    });

    it('gets the Message of an agent that takes no tasks', () => {
      expect(session.chatted).toMatchObject([{ kind: 'message' }]);
      expect(JSON.stringify(session.chatted)).toContain('A table for two');
    });

    it('is told of what is unknown or over', () => {
      expect(session.unknown).toMatch(notFound);
      expect(session.finished).toMatch(notCancelable);
    });
  });
});
