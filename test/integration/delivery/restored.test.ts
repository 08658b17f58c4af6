import { connectBackup } from '@relay/bus';
import { expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { registerAgent, startTestDelivery } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { untilAcknowledged } from '../../support/feed-record.ts';
import { fillInbox } from '../../support/fill-inbox.ts';

const relay = useDelivery('test');

it('what inboxes say of deliveries counts for nothing after a restore: a backup has those as they were before', async () => {
  const { bus } = relay.delivery;
  await noteRestore();
  const { bus: restored } = await relay.start();
  expect(restored.deliveriesCreated).not.toBe(bus.deliveriesCreated);
  const others = ({ tasksCreated, chatsCreated }: typeof bus) => [tasksCreated, chatsCreated];
  expect(others(restored)).toEqual(others(bus));
});

async function noteRestore(): Promise<void> {
  const backup = await connectBackup({ servers: relay.nats.url, replicas: 1 });
  await backup.noteRestore(Date.now());
  await backup.close();
}

it('a store that was restored from a backup is told once, by a full sync, to all that were there', async () => {
  const { worker, planner, delivery: before } = relay;
  const eventIds = await fillInbox(before.bus, worker.id, 5, 1);
  const socket = await relay.open();
  await socket.untilEvents(2);
  socket.acknowledge(2);
  await untilAcknowledged(before, worker, 2);
  await socket.close();
  await noteRestore();
  const after = await relay.start();
  const later = await registerAgent(after.registry);
  const open = (token: string, delivery = after) => AgentSocket.open({ url: delivery.url, token });

  const told = await open(worker.token);
  expect(told.ready).toMatchObject({ full_sync_required: true, full_sync_through: '3' });
  told.completeFullSync();
  const events = await told.untilEvents(3);
  expect(events.map(({ eventId }) => eventId)).toEqual(eventIds.slice(2));
  await told.close();

  const never = await open(planner.token);
  expect(never.ready).toMatchObject({ full_sync_required: true, full_sync_through: '1' });
  never.completeFullSync();
  await never.ping();
  await never.close();
  const newer = await open(later.token);
  expect(newer.ready).toMatchObject({ full_sync_required: false });
  await newer.close();

  const restarted = await startTestDelivery(relay.nats.url);
  for (const { token } of [worker, planner]) {
    const again = await open(token, restarted);
    expect(again.ready).toMatchObject({ full_sync_required: false });
    await again.close();
  }
  await restarted.close();
});
