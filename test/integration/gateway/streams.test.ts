import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({
  config: { keepaliveSeconds: 0.1, streamSeconds: 3, taskLimitBytes: 7 * 1024 * 1024 },
});

const rpc = (method: string, params: unknown) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params });
const stream = (method: string, params: unknown, headers: Record<string, string> = {}) =>
  relay.client.stream({ from: relay.planner, to: relay.worker, method, params, headers });
const act = (taskId: string, action: string, body: unknown) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: relay.worker.token, body });
const setState = (taskId: string, state: string) =>
  act(taskId, 'status', { state, message: agentMessage(state) });
const addArtifact = (taskId: string, artifactId: string, text = artifactId) =>
  act(taskId, 'artifacts', { artifact: { artifactId, parts: [{ text }] } });
const resume = (taskId: string, lastEventId: string) =>
  stream('SubscribeToTask', { id: taskId }, { 'last-event-id': lastEventId });

async function openTask(): Promise<string> {
  const { body } = await rpc('SendMessage', { message: message(), configuration: atOnce });
  return body.result.task.id;
}

/** A task with revisions 1 to 4. */
async function finishedTask(): Promise<string> {
  const taskId = await openTask();
  await setState(taskId, 'WORKING');
  await addArtifact(taskId, 'a');
  await setState(taskId, 'COMPLETED');
  return taskId;
}

describe('SendStreamingMessage', () => {
  it('tells the Task, then each change in order, and ends when the task is final', async () => {
    const sent = message();
    const events = await stream('SendStreamingMessage', { message: sent });
    expect(events.headers.get('cache-control')).toBe('no-cache');
    expect(events.headers.get('x-accel-buffering')).toBe('no');
    const first = await events.next();
    const task = first?.data.result?.task;
    expect(first).toEqual({
      id: '1',
      data: { jsonrpc: '2.0', id: 7, result: { task: expect.anything() } },
    });
    expect(task?.status.state).toBe('TASK_STATE_SUBMITTED');
    const taskId = task?.id ?? '';
    await setState(taskId, 'WORKING');
    await addArtifact(taskId, 'a');
    await rpc('SendMessage', { message: message('more', { taskId }), configuration: atOnce });
    await setState(taskId, 'INPUT_REQUIRED');
    await setState(taskId, 'COMPLETED');
    const rest = await events.rest();
    const contextId = task?.contextId;
    const status = (state: string) => ({
      statusUpdate: {
        taskId,
        contextId,
        status: expect.objectContaining({ state: `TASK_STATE_${state}` }),
      },
    });
    expect(rest.map(({ id, data }) => [id, data.result])).toEqual([
      ['2', status('WORKING')],
      [
        '3',
        {
          artifactUpdate: {
            taskId,
            contextId,
            artifact: { artifactId: 'a', parts: [{ text: 'a' }] },
            lastChunk: true,
          },
        },
      ],
      ['5', status('INPUT_REQUIRED')],
      ['6', status('COMPLETED')],
    ]);
  });

  it('sent again goes on after the Last-Event-ID', async () => {
    const sent = message();
    const first = await stream('SendStreamingMessage', { message: sent });
    const taskId = (await first.next())?.data.result?.task?.id ?? '';
    first.disconnect();
    await setState(taskId, 'WORKING');
    const again = await stream('SendStreamingMessage', { message: sent }, { 'last-event-id': '1' });
    expect((await again.next())?.id).toBe('2');
    await setState(taskId, 'COMPLETED');
    expect((await again.rest()).map(({ id }) => id)).toEqual(['3']);
    const anew = await stream('SendStreamingMessage', { message: sent }, { 'last-event-id': '3' });
    expect((await anew.rest()).map(({ data }) => data.result?.task?.status.state)).toEqual([
      'TASK_STATE_COMPLETED',
    ]);
  });

  it('answers with plain JSON what is refused before the stream starts', async () => {
    const answer = await rpc('SendStreamingMessage', { message: { role: 'ROLE_USER', parts: [] } });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.body.error.code).toBe(-32602);
  });

  it('tells every stream of a task the same, none skipped and none twice, however busy it is', async () => {
    const sent = message();
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => stream('SendStreamingMessage', { message: sent })),
    );
    const taskId = (await streams[0]?.next())?.data.result?.task?.id ?? '';
    await Promise.all(Array.from({ length: 20 }, (_, n) => addArtifact(taskId, `artifact ${n}`)));
    await setState(taskId, 'COMPLETED');
    const ids = Array.from({ length: 21 }, (_, n) => String(n + 2));
    for (const [n, events] of streams.entries()) {
      expect((await events.rest()).map(({ id }) => id)).toEqual(n === 0 ? ids : ['1', ...ids]);
    }
  });
});

describe('SubscribeToTask', () => {
  it('tells the Task as it stands, then what changes', async () => {
    const taskId = await openTask();
    await setState(taskId, 'INPUT_REQUIRED');
    const events = await stream('SubscribeToTask', { id: taskId });
    const first = await events.next();
    expect(first?.id).toBe('2');
    expect(first?.data.result?.task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await rpc('CancelTask', { id: taskId });
    expect(
      (await events.rest()).map(({ data }) => data.result?.statusUpdate?.status.state),
    ).toEqual(['TASK_STATE_CANCELED']);
  });

  it('refuses a final task, unless the Last-Event-ID leaves something to tell', async () => {
    const taskId = await finishedTask();
    for (const lastEventId of ['', '4', '5', '0', '-1', '1.5', 'x', '99999999999']) {
      const refused = await relay.client.rpc({
        from: relay.planner,
        to: relay.worker,
        method: 'SubscribeToTask',
        params: { id: taskId },
        headers: { 'last-event-id': lastEventId },
      });
      expect([lastEventId, refused.body.error.code]).toEqual([lastEventId, -32004]);
    }
    const events = await resume(taskId, '2');
    expect((await events.rest()).map(({ id }) => id)).toEqual(['3', '4']);
  });

  it('begins with the Task where the record does not reach back to the Last-Event-ID', async () => {
    const taskId = await openTask();
    for (let n = 0; n < 70; n += 1) await setState(taskId, 'WORKING');
    const events = await resume(taskId, '1');
    const first = await events.next();
    expect(first?.id).toBe('71');
    expect(first?.data.result).toHaveProperty('task');
    events.disconnect();
  });

  it('sees only tasks that the caller sent that agent', async () => {
    const taskId = await openTask();
    const stranger = await relay.client.createAgent();
    const answer = await relay.client.rpc({
      from: stranger,
      to: relay.worker,
      method: 'SubscribeToTask',
      params: { id: taskId },
    });
    expect(answer.body.error.code).toBe(-32001);
  });

  it('is kept alive, and ends after its time', async () => {
    const since = performance.now();
    const events = await stream('SubscribeToTask', { id: await openTask() });
    expect((await events.next())?.data.result).toHaveProperty('task');
    expect((await events.nextFrame())?.comment).toBe(': keep-alive');
    expect(await events.rest()).toEqual([]);
    expect(performance.now() - since).toBeGreaterThan(2_900);
  });

  it('ends with a last error when the token is revoked', async () => {
    const caller = await relay.client.createAgent();
    const events = await relay.client.stream({
      from: caller,
      to: relay.worker,
      method: 'SendStreamingMessage',
      params: { message: message() },
    });
    await events.next();
    const since = performance.now();
    await relay.client.revokeTokens(caller);
    const [last, ...more] = await events.rest();
    expect(more).toEqual([]);
    expect(last?.data).toMatchObject({ id: 7, error: { data: [{ metadata: { code: '2004' } }] } });
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});
