import { randomUUID } from 'node:crypto';
import type { Message, MessageSendParams, Task } from 'a2a-js-sdk-v0.3';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from 'a2a-js-sdk-v0.3/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestRelay } from '../support/relay.ts';

let relay: TestRelay;

beforeAll(async () => {
  relay = await TestRelay.start();
});

afterAll(() => relay?.stop());

function connect(token: string, binding: string, handle = 'translator'): Promise<Client> {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ Authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
    ],
    preferredTransports: [binding],
  });
  return new ClientFactory(options).createFromUrl(`${relay.url}/${handle}/`);
}

function text(content: string, fields: Partial<Message> = {}): MessageSendParams {
  const parts = [{ kind: 'text' as const, text: content }];
  return {
    message: { kind: 'message', messageId: randomUUID(), role: 'user', parts, ...fields },
    configuration: { blocking: true },
  };
}

function taskOf(result: Task | Message): Task {
  if (result.kind !== 'task') throw new Error('the answer is a Message');
  return result;
}

async function collect<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe.each(['JSONRPC', 'HTTP+JSON'])(
  'an unmodified @a2a-js/sdk client of A2A 0.3 over %s',
  (binding) => {
    let client: Client;

    beforeAll(async () => {
      const { agents } = await relay.credentials();
      client = await connect(agents.planner, binding);
    });

    it('sends a message and gets the completed task', async () => {
      const task = taskOf(await client.sendMessage(text('Translate "good morning" into French')));
      expect(task.status.state).toBe('completed');
      expect(JSON.stringify(task.artifacts)).toMatch(/bonjour/i);
    });

    it('answers a question of the agent on the same task', async () => {
      const asked = taskOf(await client.sendMessage(text('Translate "good morning"')));
      expect(asked.status.state).toBe('input-required');
      const done = taskOf(await client.sendMessage(text('Spanish', { taskId: asked.id })));
      expect([done.id, done.status.state]).toEqual([asked.id, 'completed']);
    });

    it('streams a task until it is final, or until the agent asks', async () => {
      const events = await collect(
        client.sendMessageStream(text('Translate "good night" into German')),
      );
      expect(events[0]?.kind).toBe('task');
      expect(events.map(({ kind }) => kind)).toContain('artifact-update');
      expect(events.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
      const asked = await collect(client.sendMessageStream(text('Translate "good night"')));
      expect(asked.at(-1)).toMatchObject({ status: { state: 'input-required' }, final: true });
    });

    it('gets, cancels and subscribes again to its tasks', async () => {
      const open = taskOf(await client.sendMessage(text('Translate "thank you"')));
      const subscription = collect(client.resubscribeTask({ id: open.id }));
      const found = await client.getTask({ id: open.id });
      expect(found.history?.length).toBeGreaterThan(1);
      const canceled = await client.cancelTask({ id: open.id });
      expect(canceled.status.state).toBe('canceled');
      const events = await subscription;
      expect(events[0]?.kind).toBe('task');
      expect(events.at(-1)).toMatchObject({ status: { state: 'canceled' }, final: true });
    });

    it('gets the Message of an agent that takes no tasks, and streams it', async () => {
      const { agents } = await relay.credentials();
      const concierge = await connect(agents.planner, binding, 'concierge');
      const answer = await concierge.sendMessage(text('A table for two'));
      expect(answer).toMatchObject({ kind: 'message', role: 'agent' });
      expect(JSON.stringify(answer)).toContain('A table for two');
      const events = await collect(concierge.sendMessageStream(text('A taxi')));
      expect(events).toMatchObject([{ kind: 'message', parts: [{ kind: 'text' }] }]);
    });

    it('is told of errors in a way that it understands', async () => {
      const { id } = taskOf(await client.sendMessage(text('Translate "yes" into French')));
      await expect(client.getTask({ id: randomUUID() })).rejects.toThrow(/not found/i);
      await expect(client.cancelTask({ id })).rejects.toThrow(/finished|cannot be canceled/i);
      await expect(collect(client.resubscribeTask({ id: randomUUID() }))).rejects.toThrow(
        /not found/i,
      );
    });
  },
);
