import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streams, subjects } from '@relay/bus';
import { describe, expect, it } from 'vitest';
import { registerAgent } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { readFeed, untilAcknowledged } from '../../support/feed-record.ts';
import { fillInbox } from '../../support/fill-inbox.ts';

const relay = useDelivery('test');
const { open } = relay;

/** Events for the worker, one a message. */
const append = (count: number) => fillInbox(relay.delivery.bus, relay.worker.id, count, 1);

/** What age does in 30 days: all messages of INBOX before the given one, or all. */
async function removeBefore(sequence?: number): Promise<void> {
  await purge({ seq: sequence ?? (await lastSequence()) + 1 });
}

async function purge(query: { seq: number } | { filter: string }): Promise<void> {
  const connection = await connect({ servers: relay.nats.url });
  const manager = await jetstreamManager(connection);
  await manager.streams.purge(streams.inbox, query);
  await connection.close();
}

const lastSequence = () => relay.delivery.bus.inbox.stream.lastSequence();

/** Acknowledges so many events, which are all that there are. */
async function receive(count: number): Promise<void> {
  const socket = await open({ acknowledges: true });
  await socket.untilEvents(count);
  await socket.close();
  await untilAcknowledged(relay.delivery, relay.worker, count);
}

async function expectFullSync(isRequired: boolean): Promise<void> {
  const socket = await open();
  expect(socket.ready.full_sync_required).toBe(isRequired);
  await socket.close();
}

describe('a full sync', () => {
  it('stands for events that were removed before they were sent, and nothing goes on without it', async () => {
    await append(3);
    await receive(3);
    const [, , kept] = await append(3);
    await removeBefore(await lastSequence());
    const socket = await open();
    expect(socket.ready).toMatchObject({
      acked_through: '3',
      full_sync_required: true,
      full_sync_through: '4',
    });
    await socket.ping();
    expect(socket.frames[1]).toEqual({
      type: 'full_sync',
      through_sequence: '4',
      reason: 'checkpoint_outside_retention',
    });
    expect(socket.events).toEqual([]);
    socket.completeFullSync();
    expect(await socket.untilEvents(1)).toMatchObject([{ sequence: 5, eventId: kept }]);
    await socket.close();
    const next = await open();
    expect(next.ready).toMatchObject({ acked_through: '4', full_sync_required: false });
    await next.close();
  });

  it('is due until it is confirmed, also on later connections', async () => {
    await append(2);
    await removeBefore();
    await expectFullSync(true);
    await expectFullSync(true);
    await append(1);
    const socket = await open();
    expect(socket.ready.full_sync_through).toBe('1');
    socket.completeFullSync();
    expect((await socket.untilEvents(1))[0]?.sequence).toBe(2);
    await socket.close();
    await expectFullSync(false);
  });

  it('is due where nothing is left behind what was acknowledged', async () => {
    await append(1);
    await receive(1);
    await append(2);
    await removeBefore();
    await expectFullSync(true);
  });

  it('is due where an emptied inbox began again', async () => {
    await append(1);
    await receive(1);
    await append(2);
    await removeBefore();
    await append(1);
    await expectFullSync(true);
  });

  it('is due where a message was removed of which the first events were acknowledged', async () => {
    await fillInbox(relay.delivery.bus, relay.worker.id, 1, 3);
    const socket = await open();
    await socket.untilEvents(3);
    socket.acknowledge(2);
    await socket.close();
    await untilAcknowledged(relay.delivery, relay.worker, 2);
    await append(1);
    await removeBefore(await lastSequence());
    await expectFullSync(true);
  });

  it('is due for an agent that never came, and whose events alone were removed', async () => {
    await append(2);
    await fillInbox(relay.delivery.bus, relay.planner.id, 1);
    await purge({ filter: subjects.inbox(relay.worker.id) });
    await expectFullSync(true);
  });

  it('is due where events are removed while a socket reads towards them', async () => {
    const eventIds = await fillInbox(relay.delivery.bus, relay.worker.id, 40);
    const slow = await open();
    await slow.untilEvents(64);
    await removeBefore(await lastSequence());
    slow.acknowledgeAll();
    expect(await slow.closed).toBe(1012);
    const socket = await open();
    expect(socket.ready.full_sync_required).toBe(true);
    socket.completeFullSync();
    const events = await socket.untilEvents(64);
    expect(events.map(({ eventId }) => eventId)).toEqual(eventIds.slice(-64));
    await socket.close();
  });

  it('is not due where what was removed had been acknowledged, or the agent is newer', async () => {
    await append(2);
    const socket = await open({ acknowledges: true });
    await socket.untilEvents(2);
    await untilAcknowledged(relay.delivery, relay.worker, 2);
    await socket.close();
    await expect
      .poll(async () => (await readFeed(relay.delivery, relay.worker))?.verified)
      .not.toBeNull();
    await removeBefore();
    await expectFullSync(false);
    const fresh = await open({ agent: await registerAgent(relay.delivery.registry) });
    expect(fresh.ready.full_sync_required).toBe(false);
    await fresh.close();
  });

  it('is told to each connection, and one that confirms after another one is answered alike', async () => {
    await append(2);
    await removeBefore();
    const [one, two] = [await open(), await open()];
    expect(one.ready.full_sync_through).toBe(two.ready.full_sync_through);
    one.completeFullSync();
    await append(1);
    await one.untilEvents(1);
    await two.ping();
    expect(two.events).toEqual([]);
    two.completeFullSync();
    expect(await two.untilEvents(1)).toEqual(one.events);
    expect(two.errors).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });
});
