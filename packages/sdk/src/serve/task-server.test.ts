import { randomUUID } from 'node:crypto';
import {
  type EventEnvelope,
  eventEnvelopeSchema,
  type Message,
  type Task,
  toRestError,
} from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpClient } from '../http/http-client.ts';
import { exampleEvent, exampleMessage, exampleTask } from '../test-support/examples.ts';
import { FakeRelay, respondJson } from '../test-support/fake-relay.ts';
import { AssignedTasks } from './assigned-tasks.ts';
import type { TaskContext, TaskHandler } from './task-context.ts';
import { TaskServer } from './task-server.ts';

let relay: FakeRelay;
const errors: Error[] = [];

beforeEach(async () => {
  relay = await FakeRelay.start();
  errors.length = 0;
});

afterEach(() => relay.stop());

function serverFor(handler: TaskHandler): TaskServer {
  const http = new HttpClient({ origin: relay.url, token: 'secret' });
  return new TaskServer(new AssignedTasks(http), handler, (error) => void errors.push(error));
}

/** Relay answers everything about this task with the task. */
function hold(task: Task): void {
  relay.respond = (_request, response) => respondJson(response, 200, { task });
}

const eventOf = (type: string, data: Record<string, unknown>): EventEnvelope =>
  eventEnvelopeSchema.parse(exampleEvent(type, data));
const created = (task: Task) => eventOf('task.created', { task });
const followUp = (task: Task, message: Message) =>
  eventOf('task.message', { task_id: task.id, message });
const canceled = (task: Task) => eventOf('task.canceled', { task_id: task.id });

const changes = () =>
  relay.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);

const stateOf = (task: Task, state: Task['status']['state']): Task => ({
  ...task,
  status: { ...task.status, state },
});

const said = (text: string) => ({
  messageId: expect.any(String),
  role: 'ROLE_AGENT',
  parts: [{ text }],
});

/** Resolves when the task is canceled. */
const untilCanceled = ({ signal }: TaskContext) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });

describe('TaskServer', () => {
  it('takes what is unanswered after events were lost', async () => {
    const message = exampleMessage('Translate it');
    const waiting = exampleTask('TASK_STATE_SUBMITTED', message);
    const answered = exampleTask('TASK_STATE_SUBMITTED', { ...message, role: 'ROLE_AGENT' });
    relay.respond = ({ path }, response) => {
      const [, state] = /state=([A-Z_]+)/.exec(path) ?? [];
      const isSecond = path.includes('page_token=two');
      const task = [waiting, answered].find(({ id }) => path.endsWith(id));
      if (task) return respondJson(response, 200, { task });
      const tasks = state === 'TASK_STATE_SUBMITTED' ? [isSecond ? waiting : answered] : [];
      const next = tasks.length > 0 && !isSecond ? 'two' : '';
      return respondJson(response, 200, { tasks, next_page_token: next });
    };
    const handler = vi.fn<TaskHandler>();
    await serverFor(handler).catchUp();
    expect(handler.mock.calls.map(([{ taskId }]) => taskId)).toEqual([waiting.id]);
  });

  it('takes each unanswered message once and in order, whether it finds it or its event still comes', async () => {
    const [first, second] = [exampleMessage('Translate it'), exampleMessage('Into French')];
    const task = exampleTask('TASK_STATE_SUBMITTED', first);
    const answer = exampleMessage('What?', 'ROLE_AGENT');
    const history = [exampleMessage('Hello'), answer, first, second];
    relay.respond = ({ path }, response) => {
      if (path.endsWith(task.id)) {
        return respondJson(response, 200, { task: { ...task, history } });
      }
      const tasks = path.includes('TASK_STATE_SUBMITTED') ? [task] : [];
      return respondJson(response, 200, { tasks, next_page_token: '' });
    };
    const turns: string[] = [];
    const server = serverFor(({ text }) => void turns.push(text));
    await server.catchUp();
    await server.handle(created(task));
    await server.handle(followUp(task, second));
    expect(turns).toEqual(['Translate it', 'Into French']);
  });

  it('gives the first message to the handler', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED', exampleMessage('Translate it'));
    const handler = vi.fn<TaskHandler>();
    await serverFor(handler).handle(created(task));
    expect(handler.mock.lastCall?.[0]).toMatchObject({
      taskId: task.id,
      task,
      text: 'Translate it',
      requester: { handle: 'planner' },
    });
  });

  it('gives a follow-up to the handler, with the Task as it stands', async () => {
    const task = exampleTask('TASK_STATE_INPUT_REQUIRED');
    hold(task);
    const handler = vi.fn<TaskHandler>();
    await serverFor(handler).handle(followUp(task, exampleMessage('French')));
    expect(handler.mock.lastCall?.[0]).toMatchObject({ task, text: 'French' });
  });

  it('says over REST what the handler says', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    hold(task);
    const server = serverFor(async (context) => {
      await context.working('On it');
      await context.artifact({ artifactId: 'a1', parts: [{ text: 'bonjour' }] });
      await context.ask('Into which language?');
      await context.status('TASK_STATE_AUTH_REQUIRED');
      await context.reply([{ text: 'bonjour' }]);
      await context.finish();
    });
    await server.handle(created(task));
    const path = `/v1/tasks/${task.id}`;
    expect(changes()).toEqual([
      [`${path}/status`, { state: 'TASK_STATE_WORKING', message: said('On it') }],
      [`${path}/artifacts`, { artifact: { artifactId: 'a1', parts: [{ text: 'bonjour' }] } }],
      [
        `${path}/status`,
        { state: 'TASK_STATE_INPUT_REQUIRED', message: said('Into which language?') },
      ],
      [`${path}/status`, { state: 'TASK_STATE_AUTH_REQUIRED' }],
      [`${path}/reply`, { message: said('bonjour') }],
      [`${path}/status`, { state: 'TASK_STATE_COMPLETED' }],
    ]);
  });

  it('handles the messages of a task in order', async () => {
    const task = exampleTask('TASK_STATE_WORKING');
    hold(task);
    const turns: string[] = [];
    const server = serverFor(async ({ text }) => {
      turns.push(`begin ${text}`);
      await Promise.resolve();
      turns.push(`end ${text}`);
    });
    const messages = ['first', 'second'].map((text) => followUp(task, exampleMessage(text)));
    await Promise.all(messages.map((message) => server.handle(message)));
    expect(turns).toEqual(['begin first', 'end first', 'begin second', 'end second']);
  });

  it('tells a handler at work that its task was canceled, and skips what waits', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    const handler = vi.fn<TaskHandler>().mockImplementation(async (context) => {
      await untilCanceled(context);
      context.signal.throwIfAborted();
    });
    const server = serverFor(handler);
    const handling = [
      server.handle(created(task)),
      server.handle(followUp(task, exampleMessage('More'))),
    ];
    await expect.poll(() => handler.mock.calls.length, { interval: 1 }).toBeGreaterThan(0);
    await server.handle(canceled(task));
    await Promise.all(handling);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(errors).toEqual([]);
  });

  it('skips a follow-up on a task that is over or gone', async () => {
    const handler = vi.fn<TaskHandler>();
    const server = serverFor(handler);
    hold(exampleTask('TASK_STATE_COMPLETED'));
    await server.handle(followUp(exampleTask('TASK_STATE_WORKING'), exampleMessage('More')));
    relay.respond = (_request, response) =>
      respondJson(response, 404, toRestError({ error: 'notFound' }, 'trace'));
    await server.handle(followUp(exampleTask('TASK_STATE_WORKING'), exampleMessage('More')));
    expect(handler).not.toHaveBeenCalled();
  });

  it('lets the event of a failed handler come again', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    hold(task);
    const handler = vi.fn<TaskHandler>().mockRejectedValueOnce(new Error('not now'));
    const server = serverFor(handler);
    const event = created(task);
    await expect(server.handle(event)).rejects.toThrow('not now');
    await server.handle(event);
    await server.handle(event);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('takes a failure for handled when the task is over: nothing can be done about it', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    relay.respond = ({ method }, response) => {
      if (method === 'GET')
        respondJson(response, 200, { task: stateOf(task, 'TASK_STATE_CANCELED') });
      else respondJson(response, 409, toRestError({ error: 'taskFinished' }, 'trace'));
    };
    const server = serverFor(async (context) => void (await context.finish()));
    await server.handle(created(task));
    expect(errors).toMatchObject([{ cause: { status: 409, code: 2034 } }]);
  });

  it('fails a task whose handler never works, so that it does not stop all others', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    hold(task);
    const server = serverFor(() => Promise.reject(new Error('a bug')));
    const event = created(task);
    for (let tries = 1; tries < 10; tries += 1) {
      await expect(server.handle(event)).rejects.toThrow('a bug');
    }
    await server.handle(event);
    expect(changes()).toMatchObject([
      [`/v1/tasks/${task.id}/status`, { state: 'TASK_STATE_FAILED' }],
    ]);
    expect(errors).toMatchObject([{ cause: { message: 'a bug' } }]);
  });

  it('leaves updates of its own requests alone', async () => {
    const handler = vi.fn<TaskHandler>();
    await serverFor(handler).handle(
      eventOf('task.updated', {
        task: { ...exampleTask('TASK_STATE_WORKING'), contextId: randomUUID() },
      }),
    );
    expect(handler).not.toHaveBeenCalled();
  });
});
