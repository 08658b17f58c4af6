import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 2 } });

const send = (params: Record<string, unknown>, callee = relay.worker, caller = relay.planner) =>
  relay.client.rpc({ from: caller, to: callee, method: 'SendMessage', params });
const sendAtOnce = (params: Record<string, unknown> = { message: message() }) =>
  send({ configuration: atOnce, ...params });
const act = (taskId: string, action: string, body: unknown, agent = relay.worker) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: agent.token, body });
const setState = (taskId: string, state: string, text?: string) =>
  act(taskId, 'status', { state, ...(text ? { message: agentMessage(text) } : {}) });

async function openTask(): Promise<string> {
  const { body } = await sendAtOnce();
  return body.result.task.id;
}

async function settled(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return Promise.race([promise.then(() => true), delay(milliseconds, false)]);
}

describe('SendMessage', () => {
  it('answers with the new Task at once when the caller does not wait', async () => {
    const sent = message('hello', { metadata: { mine: 1 } });
    const answer = await send({
      message: sent,
      configuration: atOnce,
      metadata: { purpose: 'test', relay: { requester: { handle: 'forged' } } },
    });
    expect(answer.status).toBe(200);
    const { id, contextId, ...task } = answer.body.result.task;
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 7, result: { task: expect.anything() } });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(task).toEqual({
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: expect.stringMatching(/\.\d{3}Z$/) },
      history: [{ ...sent, taskId: id, contextId }],
      metadata: {
        purpose: 'test',
        relay: {
          requester: expect.objectContaining({
            id: relay.planner.id,
            handle: relay.planner.handle,
            owner: null,
          }),
        },
      },
    });
  });

  it('makes one task of one message, and another one of a message without an id', async () => {
    const sent = message();
    const [first, second] = await Promise.all([
      sendAtOnce({ message: sent }),
      sendAtOnce({ message: { ...sent, parts: [{ text: 'another text' }] } }),
    ]);
    expect(second.body.result).toEqual(first.body.result);
    const { messageId: _id, ...anonymous } = sent;
    const ids = await Promise.all([
      sendAtOnce({ message: anonymous }),
      sendAtOnce({ message: { ...anonymous, messageId: '' } }),
    ]);
    expect(new Set(ids.map(({ body }) => body.result.task.id)).size).toBe(2);
  });

  it('keeps the contextId that the caller gives', async () => {
    const { body } = await sendAtOnce({ message: message('hi', { contextId: 'my context' }) });
    expect(body.result.task.contextId).toBe('my context');
  });

  it('shows at most so many messages of the history as the caller asks for', async () => {
    const none = await send({ message: message(), configuration: { ...atOnce, historyLength: 0 } });
    expect(none.body.result.task).not.toHaveProperty('history');
    const negative = await send({
      message: message(),
      configuration: { ...atOnce, historyLength: -1 },
    });
    expect(negative.body.error.code).toBe(-32602);
  });

  it.each(['COMPLETED', 'FAILED', 'REJECTED', 'INPUT_REQUIRED', 'AUTH_REQUIRED'])(
    'waits for the answer: %s is one',
    async (state) => {
      const sent = message();
      const waiting = send({ message: sent });
      const { id } = (await sendAtOnce({ message: sent })).body.result.task;
      await act(id, 'artifacts', { artifact: { artifactId: 'a', parts: [{ text: 'result' }] } });
      await setState(id, state, 'there');
      const { task } = (await waiting).body.result;
      expect(task.status.state).toBe(`TASK_STATE_${state}`);
      expect(task.status.message?.parts).toEqual([{ text: 'there' }]);
      expect(task.artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'result' }] }]);
    },
  );

  it('answers with the task as it stands when the time is up', async () => {
    const since = performance.now();
    const sent = message();
    const waiting = send({ message: sent });
    const { id } = (await sendAtOnce({ message: sent })).body.result.task;
    await setState(id, 'WORKING', 'still at it');
    expect(await settled(waiting, 200)).toBe(false);
    const answer = await waiting;
    expect(answer.body.result.task.status.state).toBe('TASK_STATE_WORKING');
    expect(performance.now() - since).toBeGreaterThan(1_900);
  });

  it('waits for a new answer to a follow-up: the state that is there already is none', async () => {
    const taskId = await openTask();
    await setState(taskId, 'INPUT_REQUIRED');
    const followUp = message('more', { taskId });
    const waiting = send({ message: followUp });
    expect(await settled(waiting, 200)).toBe(false);
    await setState(taskId, 'INPUT_REQUIRED', 'and now?');
    const { task } = (await waiting).body.result;
    expect(task.history?.map(({ parts }) => parts)).toEqual([
      [{ text: 'hello' }],
      [{ text: 'more' }],
      [{ text: 'and now?' }],
    ]);
    // Retried, it measures from the change that took it in, so its answer is there.
    const retried = await send({ message: followUp });
    expect(retried.body.result.task).toEqual(task);
  });

  it('answers with the Message by which the other agent replied', async () => {
    const sent = message();
    const waiting = send({ message: sent });
    const { id } = (await sendAtOnce({ message: sent })).body.result.task;
    const reply = agentMessage('just an answer');
    expect((await act(id, 'reply', { message: reply })).body.task.status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
    const answer = await waiting;
    expect(answer.body.result).toEqual({ message: { ...reply, contextId: expect.any(String) } });
    expect((await send({ message: sent })).body.result).toEqual(answer.body.result);
    expect((await act(id, 'reply', { message: reply })).body.error.code).toBe(2034);
  });

  it('refuses a message on a finished task, on another context, or on a task of others', async () => {
    const taskId = await openTask();
    const other = await send({ message: message('x', { taskId, contextId: 'another' }) });
    expect(other.body.error).toMatchObject({ code: -32602 });
    await setState(taskId, 'COMPLETED');
    const finished = await send({ message: message('x', { taskId }) });
    expect(finished.body.error).toMatchObject({ code: -32004 });
    for (const foreign of [randomUUID(), 'not a uuid']) {
      const unknown = await send({ message: message('x', { taskId: foreign }) });
      expect(unknown.body.error).toMatchObject({ code: -32001 });
    }
    const stranger = await relay.client.createAgent();
    const stolen = await send({ message: message('x', { taskId }) }, relay.worker, stranger);
    expect(stolen.body.error).toMatchObject({ code: -32001 });
  });

  it('refuses parts that a task does not take, push configs, and an agent that sends to itself', async () => {
    const video = message('x', {
      parts: [{ url: 'https://x.example/v.mp4', mediaType: 'video/mp4' }],
    });
    expect((await send({ message: video })).body.error.code).toBe(-32005);
    const self = await send({ message: message() }, relay.planner, relay.planner);
    expect(self.body.error.code).toBe(-32602);
  });

  it('refuses a new task where the agent takes none, but still answers what was sent before', async () => {
    const shy = await relay.client.createAgent({ acceptsTasks: true });
    const sent = message();
    const first = await send({ message: sent, configuration: atOnce }, shy);
    const body = { accepts_tasks: false };
    await relay.client.send('PATCH', '/v1/me', { token: shy.token, body });
    await expect
      .poll(async () => {
        const body = { to: shy.handle, message: message() };
        return relay.client.send('POST', '/v1/tasks', { token: relay.planner.token, body });
      })
      .toMatchObject({ status: 409, body: { error: { code: 2033 } } });
    const retried = await send({ message: sent, configuration: atOnce }, shy);
    expect(retried.body.result).toEqual(first.body.result);
  });

  it('lets many callers wait for one task', async () => {
    const sent = message();
    const waiting = Array.from({ length: 20 }, () => send({ message: sent }));
    const { id } = (await sendAtOnce({ message: sent })).body.result.task;
    await setState(id, 'COMPLETED');
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ body }) => body.result.task.status.state))).toEqual(
      new Set(['TASK_STATE_COMPLETED']),
    );
  });

  it('ends a wait with 401 when the token is revoked', async () => {
    const { client } = relay;
    const caller = await client.createAgent();
    const sent = message();
    const waiting = send({ message: sent }, relay.worker, caller);
    await expect
      .poll(async () => {
        const { body } = await client.send('GET', '/v1/tasks', { token: relay.worker.token });
        return JSON.stringify(body.tasks);
      })
      .toContain(caller.handle);
    const since = performance.now();
    await client.revokeTokens(caller);
    const answer = await waiting;
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ id: 7, error: { code: -32000 } });
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});
