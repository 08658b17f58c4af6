import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { subjects } from '@relay/bus';
import { taskIdSchema } from '@relay/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const newTaskId = () => taskIdSchema.parse(randomUUID());

it('a message that cannot be read disturbs nobody who listens to another', async () => {
  const nats = await natsForTest();
  const { tasks, live } = await busForTest(nats);
  const heard: string[] = [];
  const taskId = newTaskId();
  const subscriptions = [
    tasks.follow(taskId, () => heard.push('task')),
    live.subscribeCore('live.other', () => heard.push('other')),
  ];
  await Promise.all(subscriptions.map(({ ready }) => ready));
  const connection = await connect({ servers: nats.url });
  onTestFinished(() => connection.close());
  connection.publish(subjects.task(taskId), 'not a task');
  await connection.flush();
  connection.publish('live.other');
  await expect.poll(() => heard).toEqual(['other']);
});

it('an interest is refused in time while NATS hangs', async () => {
  const nats = await natsForTest();
  const { tasks } = await busForTest(nats);
  nats.pause();
  const { ready } = tasks.follow(newTaskId(), () => undefined);
  await expect(ready).rejects.toMatchObject({ refusal: { error: 'unavailable' } });
  nats.resume();
});
