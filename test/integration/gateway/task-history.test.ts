import { taskChangesPageSchema } from '@relay/protocol';
import { expect, it } from 'vitest';
import { adminToken } from '../../support/gateway.ts';
import { agentMessage, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

/** A task that was sent, worked on, given an artifact and ended. */
async function endedTask(): Promise<string> {
  const { planner, worker, client } = relay;
  const body = { to: worker.handle, message: message() };
  const created = await client.send('POST', '/v1/tasks', { token: planner.token, body });
  const { id } = created.body.task;
  const call = (path: string, body: unknown) =>
    client.send('POST', `/v1/tasks/${id}/${path}`, { token: worker.token, body });
  await call('status', { state: 'WORKING', message: agentMessage('a secret text') });
  await call('artifacts', { artifact: { artifactId: 'result', parts: [{ text: 'a secret' }] } });
  await call('status', { state: 'COMPLETED' });
  return id;
}

async function changes(path: string, token: string) {
  const answer = await relay.client.send('GET', path, { token });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  expect(answer.text).not.toContain('secret');
  return taskChangesPageSchema.parse(JSON.parse(answer.text));
}

it('both sides of a task and who manages them see its changes, newest first and without content', async () => {
  const { planner, worker } = relay;
  const id = await endedTask();
  const page = await changes(`/v1/tasks/${id}/changes`, planner.token);
  expect(page.changes.map(({ revision, type, state }) => [revision, type, state])).toEqual([
    [4, 'status-changed', 'TASK_STATE_COMPLETED'],
    [3, 'artifact-added', 'TASK_STATE_WORKING'],
    [2, 'status-changed', 'TASK_STATE_WORKING'],
    [1, 'submitted', 'TASK_STATE_SUBMITTED'],
  ]);
  expect(page.changes[1]?.artifact_id).toBe('result');
  expect(page.next_page_token).toBe('');
  expect(await changes(`/v1/tasks/${id}/changes`, worker.token)).toEqual(page);
  const managed = `/v1/agents/${worker.handle}/tasks/${id}/changes`;
  expect(await changes(managed, adminToken)).toEqual(page);
});

it('they come in pages', async () => {
  const path = `/v1/tasks/${await endedTask()}/changes`;
  const revisions: number[] = [];
  let token = '';
  do {
    const query = `?page_size=3${token && `&page_token=${token}`}`;
    const page = await changes(path + query, relay.planner.token);
    revisions.push(...page.changes.map(({ revision }) => revision));
    token = page.next_page_token;
  } while (token);
  expect(revisions).toEqual([4, 3, 2, 1]);
});

it('nobody else learns of them, and a token is good for its own task alone', async () => {
  const [id, other] = [await endedTask(), await endedTask()];
  const stranger = await relay.client.createAgent();
  const statusOf = async (path: string, token: string) =>
    (await relay.client.send('GET', path, { token })).status;
  expect(await statusOf(`/v1/tasks/${id}/changes`, stranger.token)).toBe(404);
  expect(await statusOf('/v1/tasks/x/changes', stranger.token)).toBe(404);
  expect(await statusOf(`/v1/agents/${stranger.handle}/tasks/${id}/changes`, adminToken)).toBe(404);
  const first = await changes(`/v1/tasks/${id}/changes?page_size=1`, relay.planner.token);
  const elsewhere = `/v1/tasks/${other}/changes?page_token=${first.next_page_token}`;
  expect(await statusOf(elsewhere, relay.planner.token)).toBe(400);
  expect(await statusOf(`/v1/tasks/${id}/changes?page_token=x`, relay.planner.token)).toBe(400);
});
