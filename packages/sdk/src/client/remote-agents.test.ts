import { toJsonRpcError, toRestError } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RelayAgent } from '../relay-agent.ts';
import { exampleMessage, exampleTask } from '../test-support/examples.ts';
import { FakeRelay, type Responder, respondJson } from '../test-support/fake-relay.ts';

let relay: FakeRelay;
let planner: RelayAgent;

beforeEach(async () => {
  relay = await FakeRelay.start();
  planner = new RelayAgent({ url: relay.url, token: 'secret' });
});

afterEach(() => relay.stop());

const answerWith =
  (result: unknown): Responder =>
  ({ body }, response) =>
    respondJson(response, 200, { jsonrpc: '2.0', id: body['id'], result });

/** Uses the responders in order, the last for all that follows. */
function respondInOrder(...responders: Responder[]): void {
  relay.respond = (request, response) => {
    const responder = responders.length > 1 ? responders.shift() : responders[0];
    responder?.(request, response);
  };
}

const dropped: Responder = (_request, response) => response.destroy();

const busy: Responder = (_request, response) => {
  response.setHeader('retry-after', '1');
  respondJson(response, 429, {});
};

const unavailable: Responder = (_request, response) =>
  respondJson(response, 503, toRestError({ error: 'unavailable' }, 'trace'));

describe('send', () => {
  it('speaks A2A 1.0 at the address of the other agent', async () => {
    const task = exampleTask('TASK_STATE_COMPLETED');
    relay.respond = answerWith({ task });
    const answer = await planner.send('translator', 'Translate it', { metadata: { urgent: true } });
    expect(answer).toEqual({ task });
    expect(relay.requests).toMatchObject([
      {
        method: 'POST',
        path: '/translator',
        headers: { authorization: 'Bearer secret', 'a2a-version': '1.0' },
        body: {
          jsonrpc: '2.0',
          method: 'SendMessage',
          params: {
            message: { role: 'ROLE_USER', parts: [{ text: 'Translate it' }] },
            metadata: { urgent: true },
          },
        },
      },
    ]);
  });

  it('follows up on a task', async () => {
    relay.respond = answerWith({ task: exampleTask('TASK_STATE_COMPLETED') });
    await planner.send('translator', 'French', { taskId: 'task', returnImmediately: true });
    expect(relay.requests[0]?.body['params']).toMatchObject({
      message: { taskId: 'task' },
      configuration: { returnImmediately: true },
    });
  });

  it('gives a direct answer as a message', async () => {
    const message = exampleMessage('Bonjour', 'ROLE_AGENT');
    relay.respond = answerWith({ message });
    expect(await planner.send('concierge', 'Hello')).toEqual({ message });
  });

  it('tries again under the same messageId', async () => {
    respondInOrder(dropped, unavailable, answerWith({ task: exampleTask('TASK_STATE_WORKING') }));
    await planner.send('translator', 'Translate it');
    const messages = relay.requests.map(({ body }) => JSON.stringify(body['params']));
    expect(messages).toHaveLength(3);
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain('"messageId":"');
  });

  it('waits as long as Relay asks', async () => {
    respondInOrder(busy, answerWith({ task: exampleTask('TASK_STATE_WORKING') }));
    const since = performance.now();
    await planner.send('translator', 'Translate it');
    expect(performance.now() - since).toBeGreaterThan(990);
  });

  it('does not try again what Relay refuses', async () => {
    relay.respond = ({ body }, response) =>
      respondJson(response, 200, {
        jsonrpc: '2.0',
        id: body['id'],
        error: toJsonRpcError({ error: 'notMessageable' }),
      });
    await expect(planner.send('translator', 'Translate it')).rejects.toMatchObject({
      name: 'RelayRequestError',
      status: 200,
      code: 2031,
      rpcCode: -32000,
      reason: 'NOT_MESSAGEABLE',
    });
    expect(relay.requests).toHaveLength(1);
  });

  it('tells an answer that it cannot read', async () => {
    relay.respond = answerWith({ tusk: 1 });
    await expect(planner.send('translator', 'Translate it')).rejects.toThrow(
      'Relay answered in a shape that is not known.',
    );
  });

  it('does not follow a redirect, where the token would go', async () => {
    relay.respond = (_request, response) => response.writeHead(302, { location: '/other' }).end();
    await expect(planner.send('translator', 'Hello')).rejects.toMatchObject({ status: 302 });
    expect(relay.requests).toHaveLength(1);
  });

  it('stops when the caller says so, with the reason of the caller', async () => {
    const stopping = new AbortController();
    const reason = new Error('changed my mind');
    relay.respond = () => stopping.abort(reason);
    const sending = planner.send('translator', 'Hello', { signal: stopping.signal });
    await expect(sending).rejects.toBe(reason);
    expect(relay.requests).toHaveLength(1);
  });

  it('stops between two tries', async () => {
    const stopping = new AbortController();
    relay.respond = (request, response) => {
      response.setHeader('retry-after', '20');
      unavailable(request, response);
      setTimeout(() => stopping.abort(), 10);
    };
    const sending = planner.send('translator', 'Hello', { signal: stopping.signal });
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the other operations', () => {
  it('read, list and cancel tasks', async () => {
    const task = exampleTask('TASK_STATE_WORKING');
    const list = { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 };
    respondInOrder(answerWith(task), answerWith(list), answerWith(task));
    expect(await planner.getTask('translator', task.id, { historyLength: 0 })).toEqual(task);
    expect(await planner.listTasks('translator', { status: 'TASK_STATE_WORKING' })).toEqual(list);
    expect(await planner.cancelTask('translator', task.id)).toEqual(task);
    expect(relay.requests.map(({ body }) => [body['method'], body['params']])).toEqual([
      ['GetTask', { id: task.id, historyLength: 0 }],
      ['ListTasks', { status: 'TASK_STATE_WORKING' }],
      ['CancelTask', { id: task.id }],
    ]);
  });

  it('read the card of an agent', async () => {
    const card = { name: 'Translator', supportedInterfaces: [] };
    relay.respond = (_request, response) => respondJson(response, 200, card);
    expect(await planner.card('translator')).toEqual(card);
    expect(relay.requests).toMatchObject([
      { method: 'GET', path: '/translator/agent-card.json', headers: { 'a2a-version': '1.0' } },
    ]);
  });
});
