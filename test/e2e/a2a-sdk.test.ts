import { randomUUID } from 'node:crypto';
import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  type StreamResponse,
  SubscribeToTaskRequest,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectA2aClient, messageRequest, taskOf } from '../support/a2a-client.ts';
import { TestRelay } from '../support/relay.ts';

let relay: TestRelay;

beforeAll(async () => {
  relay = await TestRelay.start();
});

afterAll(() => relay?.stop());

const textsOf = (task: Task) =>
  task.artifacts.flatMap(({ parts }) =>
    parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])),
  );

async function collect(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)(
  'an unmodified @a2a-js/sdk client over %s',
  (binding) => {
    let client: Client;

    beforeAll(async () => {
      const { agents } = await relay.credentials();
      client = await connectA2aClient(`${relay.url}/translator/`, agents.planner, { binding });
    });

    it('sends a message and gets the completed task', async () => {
      const task = taskOf(
        await client.sendMessage(messageRequest('Translate "good morning" into French'), undefined),
      );
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(textsOf(task).join()).toMatch(/bonjour/i);
      expect(task.metadata).toMatchObject({ relay: { requester: { handle: 'planner' } } });
    });

    it('answers a question of the agent on the same task', async () => {
      const asked = taskOf(await client.sendMessage(messageRequest('Translate "good morning"')));
      expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      const done = taskOf(
        await client.sendMessage(messageRequest('Spanish', { taskId: asked.id })),
      );
      expect(done.id).toBe(asked.id);
      expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    });

    it('streams a task from its first state to its last', async () => {
      const events = await collect(
        client.sendMessageStream(messageRequest('Translate "good night" into German')),
      );
      const kinds = events.map(({ payload }) => payload?.$case);
      expect(kinds[0]).toBe('task');
      expect(kinds).toContain('artifactUpdate');
      const last = events.at(-1)?.payload;
      expect(last?.$case === 'statusUpdate' && last.value.status?.state).toBe(
        TaskState.TASK_STATE_COMPLETED,
      );
    });

    it('gets, lists, cancels and subscribes again to its tasks', async () => {
      const open = taskOf(await client.sendMessage(messageRequest('Translate "thank you"')));
      const subscription = collect(
        client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id: open.id })),
      );
      const found = await client.getTask(GetTaskRequest.fromJSON({ id: open.id }));
      expect(found.history.length).toBeGreaterThan(1);
      const { tasks } = await client.listTasks(ListTasksRequest.fromJSON({ pageSize: 100 }));
      expect(tasks.map(({ id }) => id)).toContain(open.id);
      const canceled = await client.cancelTask(CancelTaskRequest.fromJSON({ id: open.id }));
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      const events = await subscription;
      expect(events[0]?.payload?.$case).toBe('task');
      expect(events.at(-1)?.payload).toMatchObject({
        value: { status: { state: TaskState.TASK_STATE_CANCELED } },
      });
    });

    it('is told of an unknown task in a way that it understands', async () => {
      const unknown = client.getTask(GetTaskRequest.fromJSON({ id: randomUUID() }));
      await expect(unknown).rejects.toThrow(/not found/i);
    });
  },
);
