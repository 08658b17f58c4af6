import { toRestError } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RelayAgent } from '../relay-agent.ts';
import { exampleEvent, exampleTask } from '../test-support/examples.ts';
import { FakeRelay, respondJson } from '../test-support/fake-relay.ts';
import { ready } from '../test-support/frames.ts';

let relay: FakeRelay;
let translator: RelayAgent;

beforeEach(async () => {
  relay = await FakeRelay.start();
  translator = new RelayAgent({ url: relay.url, token: 'secret' });
});

afterEach(() => relay.stop());

describe('serve', () => {
  it('turns tasks on, connects, handles a task, acknowledges', async () => {
    const task = exampleTask('TASK_STATE_SUBMITTED');
    relay.respond = ({ method }, response) =>
      respondJson(response, 200, method === 'PATCH' ? { accepts_tasks: true } : { task });
    const serving = translator.serve(async (context) => void (await context.finish('Done')));
    const connection = await relay.nextConnection();
    connection.send(ready(0));
    connection.send({
      type: 'event',
      sequence: '1',
      event: exampleEvent('task.created', { task }),
    });
    expect(await connection.nextFrame()).toEqual({ type: 'ack', through_sequence: '1' });
    expect(relay.requests).toMatchObject([
      { method: 'PATCH', path: '/v1/me', body: { accepts_tasks: true } },
      { path: `/v1/tasks/${task.id}/status`, body: { state: 'TASK_STATE_COMPLETED' } },
    ]);
    const service = await serving;
    await service.stop();
  });

  it('leaves what Relay has when told to', async () => {
    const serving = translator.serve(() => undefined, { acceptTasks: false });
    (await relay.nextConnection()).send(ready(0));
    const service = await serving;
    await service.stop();
    expect(relay.requests).toEqual([]);
  });

  it('fails at once when Relay refuses the token', async () => {
    relay.respond = (_request, response) =>
      respondJson(response, 401, toRestError({ error: 'unauthenticated' }, 'trace'));
    await expect(translator.serve(() => undefined)).rejects.toMatchObject({
      status: 401,
      code: 2004,
    });
  });
});
