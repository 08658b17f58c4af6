import type { ServerResponse } from 'node:http';
import { type Operation, type StreamResponse, type Task, toJsonRpcError } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RelayAgent } from '../relay-agent.ts';
import { exampleTask } from '../test-support/examples.ts';
import { FakeRelay, type Responder, respondJson } from '../test-support/fake-relay.ts';

let relay: FakeRelay;
let planner: RelayAgent;

beforeEach(async () => {
  relay = await FakeRelay.start();
  planner = new RelayAgent({ url: relay.url, token: 'secret' });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await relay.stop();
});

type Sent = readonly [id: number, response: StreamResponse];

function statusOf(task: Task, state: Task['status']['state']): StreamResponse {
  const status = { ...task.status, state };
  return { statusUpdate: { taskId: task.id, contextId: task.contextId, status } };
}

function artifactOf(task: Task, artifactId: string): StreamResponse {
  const artifact = { artifactId, parts: [{ text: artifactId }] };
  const { id: taskId, contextId } = task;
  return { artifactUpdate: { taskId, contextId, artifact, lastChunk: true } };
}

function write(response: ServerResponse, events: readonly Sent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [id, result] of events) {
    response.write(`id: ${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: '1', result })}\n\n`);
  }
}

const streamOf =
  (...events: Sent[]): Responder =>
  (_request, response) => {
    write(response, events);
    response.end();
  };

const brokenStreamOf =
  (...events: Sent[]): Responder =>
  (_request, response) => {
    write(response, events);
    setTimeout(() => response.destroy(), 20);
  };

const dropped: Responder = (_request, response) => response.destroy();

/** Answers each operation with its responders in order. */
function respondTo(responders: Partial<Record<Operation, Responder[]>>): void {
  const all = new Map<unknown, Responder[]>(Object.entries(responders));
  relay.respond = (request, response) =>
    all.get(request.body['method'])?.shift()?.(request, response);
}

async function collect(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const responses: StreamResponse[] = [];
  for await (const response of stream) responses.push(response);
  return responses;
}

const calls = () =>
  relay.requests.map(({ body, headers }) => [body['method'], headers['last-event-id']]);

describe('stream', () => {
  it('gives the events of a task until it is final, and the Task they make', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    const events: Sent[] = [
      [1, { task }],
      [2, statusOf(task, 'TASK_STATE_WORKING')],
      [3, artifactOf(task, 'translation')],
      [4, statusOf(task, 'TASK_STATE_COMPLETED')],
    ];
    respondTo({ SendStreamingMessage: [(_request, response) => write(response, events)] });
    const stream = planner.stream('translator', 'Translate it');
    expect(await collect(stream)).toEqual(events.map(([, response]) => response));
    expect(stream.task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(stream.task?.artifacts).toMatchObject([{ artifactId: 'translation' }]);
    expect(relay.requests[0]?.headers.accept).toBe('text/event-stream');
  });

  it('ends after a direct answer', async () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Hello' }] } as const;
    respondTo({ SendStreamingMessage: [streamOf([1, { message }])] });
    expect(await collect(planner.stream('concierge', 'Hello'))).toEqual([{ message }]);
  });

  it.each([
    ['breaks', brokenStreamOf],
    ['ends', streamOf],
  ])('subscribes again when the connection %s, and skips what it has seen', async (_how, sent) => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    const working = statusOf(task, 'TASK_STATE_WORKING');
    const completed = statusOf(task, 'TASK_STATE_COMPLETED');
    respondTo({
      SendStreamingMessage: [sent([1, { task }], [2, working])],
      SubscribeToTask: [streamOf([2, working], [3, completed])],
    });
    const stream = planner.stream('translator', 'Translate it');
    expect(await collect(stream)).toEqual([{ task }, working, completed]);
    expect(calls()).toEqual([
      ['SendStreamingMessage', undefined],
      ['SubscribeToTask', '2'],
    ]);
    expect(relay.requests[1]?.body['params']).toEqual({ id: task.id });
  });

  it('sends the same message again when nothing came of it', async () => {
    const task = exampleTask('TASK_STATE_COMPLETED');
    respondTo({ SendStreamingMessage: [dropped, streamOf([1, { task }])] });
    await collect(planner.stream('translator', 'Translate it'));
    const [first, second] = relay.requests.map(({ body }) => body['params']);
    expect(second).toEqual(first);
  });

  it('reads a task that became final while nobody listened', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    const completed: Task = { ...task, status: { ...task.status, state: 'TASK_STATE_COMPLETED' } };
    respondTo({
      SendStreamingMessage: [streamOf([1, { task }])],
      SubscribeToTask: [
        (_request, response) =>
          respondJson(response, 200, {
            jsonrpc: '2.0',
            id: '1',
            error: toJsonRpcError({ error: 'taskFinished' }),
          }),
      ],
      GetTask: [
        (_request, response) =>
          respondJson(response, 200, { jsonrpc: '2.0', id: '1', result: completed }),
      ],
    });
    const stream = planner.stream('translator', 'Translate it');
    expect(await collect(stream)).toEqual([{ task }, { task: completed }]);
  });

  it('fails when Relay ends the stream with an error', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    const error = toJsonRpcError({ error: 'unauthenticated' });
    respondTo({
      SendStreamingMessage: [
        (_request, response) => {
          write(response, [[1, { task }]]);
          response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: '1', error })}\n\n`);
        },
      ],
    });
    await expect(collect(planner.stream('translator', 'Hello'))).rejects.toMatchObject({
      code: 2004,
    });
  });

  it('gives up after ten failures in a row', async () => {
    relay.respond = (_request, response) => response.writeHead(503).end();
    await expect(collect(planner.stream('translator', 'Hello'))).rejects.toMatchObject({
      status: 503,
    });
    expect(relay.requests).toHaveLength(10);
  });

  it('lets the connection go when the reader stops', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    const closed = new Promise<void>((resolve) => {
      relay.respond = (_request, response) => {
        response.on('close', resolve);
        write(response, [[1, { task }]]);
      };
    });
    for await (const response of planner.stream('translator', 'Hello')) {
      expect(response).toEqual({ task });
      break;
    }
    await closed;
  });

  it('stops when the caller says so', async () => {
    const stopping = new AbortController();
    const reason = new Error('changed my mind');
    respondTo({
      SendStreamingMessage: [
        (_request, response) => {
          write(response, [[1, { task: exampleTask('TASK_STATE_SUBMITTED') }]]);
          setTimeout(() => stopping.abort(reason), 20);
        },
      ],
    });
    const stream = planner.stream('translator', 'Hello', { signal: stopping.signal });
    await expect(collect(stream)).rejects.toBe(reason);
  });
});
