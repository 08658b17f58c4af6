import type { Message, StreamResponse, Task } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PythonClients, scriptTimeoutMs } from '../support/python.ts';
import { TestRelay } from '../support/relay.ts';

/** What `python/a2a_client.py` saw. */
interface Session {
  readonly sent: readonly [StreamResponse];
  readonly asked: readonly [StreamResponse];
  readonly push: Readonly<Record<'created' | 'got' | 'listed' | 'left', unknown>>;
  readonly answered: readonly [StreamResponse];
  readonly got: Task;
  readonly listed: { readonly tasks: readonly Task[]; readonly totalSize: number };
  readonly unknown: string;
  readonly finished: string;
  readonly streamed: readonly StreamResponse[];
  readonly subscribed: readonly StreamResponse[];
  readonly canceled: Task;
  readonly chatted: readonly [{ readonly message: Message }];
}

const clients = await PythonClients.prepare('a2a-sdk.txt');

describe.skipIf(clients.missing !== undefined)('unmodified a2a-sdk 1.x for Python', () => {
  let relay: TestRelay;

  beforeAll(async () => {
    relay = await TestRelay.start();
  });

  afterAll(() => relay?.stop());

  describe.each(['JSONRPC', 'HTTP+JSON'])('over %s', (binding) => {
    let session: Session;

    beforeAll(async () => {
      const { agents } = await relay.credentials();
      const token = { A2A_TOKEN: agents.planner };
      session = await clients.run('a2a_client.py', [relay.url, binding], token);
    }, scriptTimeoutMs);

    it('sends a message and gets the completed task', () => {
      expect(session.sent).toMatchObject([{ task: { status: { state: 'TASK_STATE_COMPLETED' } } }]);
      expect(JSON.stringify(session.sent)).toContain('bonjour');
    });

    it('answers a question of the agent on the same task', () => {
      const { answered, asked } = session;
      expect(asked).toMatchObject([{ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } }]);
      expect(answered).toMatchObject([{ task: { status: { state: 'TASK_STATE_COMPLETED' } } }]);
    });

    it('gets and lists its tasks', () => {
      const { got, listed } = session;
      expect(got).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
      expect(got.history).toHaveLength(1);
      expect(listed.tasks[0]?.id).toBe(got.id);
      expect(listed.tasks).toHaveLength(2);
    });

    it('streams a task from its first state to its last', () => {
      const { streamed } = session;
      expect(streamed.map((event) => Object.keys(event)[0])).toEqual([
        'task',
        'statusUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      expect(streamed.at(-1)).toMatchObject({
        statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } },
      });
    });

    it('follows a task that it cancels', () => {
      const { subscribed, canceled } = session;
      expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
      expect(subscribed[0]).toMatchObject({ task: { id: canceled.id } });
      expect(subscribed.at(-1)).toMatchObject({
        statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } },
      });
    });

    it('sets, gets, lists and deletes push notification configs of a task', () => {
      const { created, got, listed, left } = session.push;
      expect(created).toMatchObject({ id: 'one', url: 'https://example.com/hook' });
      expect(got).toEqual(created);
      expect(listed).toEqual({ configs: [created] });
      expect(left).toEqual({});
    });

    it('gets the Message of an agent that takes no tasks', () => {
      expect(JSON.stringify(session.chatted[0].message.parts)).toContain('A table for two');
    });

    it('is told of what is unknown or over in a way that it understands', () => {
      expect(session.unknown).toMatch(/^TaskNotFoundError/);
      expect(session.finished).toMatch(/^TaskNotCancelableError/);
    });
  });
});
