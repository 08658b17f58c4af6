import { connect as connectNats, headers } from '@nats-io/transport-node';
import { linkHeader, subjects } from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { fillInbox } from '../../support/fill-inbox.ts';

const relay = useDelivery('file');

it('an inbox with a message that cannot be read holds up no other agent', async () => {
  const { nats, delivery, planner: spoiled, worker: sound } = relay;
  const before = await fillInbox(delivery.bus, spoiled.id, 80);
  const link = headers();
  link.set(linkHeader, '80');
  const connection = await connectNats({ servers: nats.url });
  onTestFinished(() => connection.close());
  connection.publish(subjects.inbox(spoiled.id), 'not events', { headers: link });
  await connection.flush();
  const spoiledSocket = await relay.open({ agent: spoiled, acknowledges: true });
  await spoiledSocket.untilEvents(before.length);
  const expected = await fillInbox(delivery.bus, sound.id, 80);
  const soundSocket = await relay.open({ acknowledges: true });
  await soundSocket.untilEvents(expected.length);
  await Promise.all([spoiledSocket.close(), soundSocket.close()]);
});

it('a change that cannot be read holds up no other one, and is kept where it is seen', async () => {
  const { nats, delivery } = relay;
  const socket = await relay.open({ acknowledges: true });
  const connection = await connectNats({ servers: nats.url });
  onTestFinished(() => connection.close());
  const { commands } = relay.newTask();
  connection.publish(subjects.task(commands.taskId), 'no change');
  await connection.flush();
  const spoiled = await delivery.bus.tasks.stream.readLast(subjects.task(commands.taskId));
  await relay.newTask().submit();
  await socket.untilEvents(1);
  const stuck = subjects.stuck('fan-out-tasks', spoiled?.sequence ?? 0);
  await expect.poll(() => delivery.bus.deliveries.stream.readLast(stuck)).toBeDefined();
  expect(socket.events).toHaveLength(1);
  await socket.close();
});
