import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats, headers } from '@nats-io/transport-node';
import { linkHeader, subjects } from '@relay/bus';
import type { SocketErrorCode } from '@relay/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentSocket } from '../../support/agent-socket.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { changeFeed, untilAcknowledged } from '../../support/feed-record.ts';
import { fillInbox } from '../../support/fill-inbox.ts';

const relay = useDelivery('test');
const append = (count: number) => fillInbox(relay.delivery.bus, relay.worker.id, count, 1);

function errorOf(socket: AgentSocket) {
  const error = socket.frames.find(({ type }) => type === 'error');
  return error?.type === 'error' && { ...error, message: undefined };
}

const errorFrame = (code: SocketErrorCode, { fatal = false, retryable = false } = {}) => ({
  type: 'error',
  code,
  message: undefined,
  fatal,
  retryable,
});

async function connectToNats() {
  const connection = await connectNats({ servers: relay.nats.url });
  onTestFinished(() => connection.close());
  return connection;
}

/** A full sync that has to be confirmed. */
async function openBeforeFullSync() {
  await append(1);
  const connection = await connectToNats();
  const manager = await jetstreamManager(connection);
  await manager.streams.purge('INBOX');
  const socket = await relay.open();
  expect(socket.ready.full_sync_through).toBe('1');
  return socket;
}

describe('the WebSocket answers with', () => {
  it.each([
    ['what is not JSON', 'hello'],
    ['an unknown frame', '{"type":"hello"}'],
    ['an extra key', '{"type":"ping","extra":1}'],
    ['a missing key', '{"type":"ack"}'],
    ['a number that is not a decimal string', '{"type":"ack","through_sequence":1}'],
    ['a binary frame', Buffer.from('{"type":"ping"}')],
  ])('invalid_frame to %s, and goes on', async (_, frame) => {
    const socket = await relay.open();
    socket.send(frame);
    await socket.ping();
    expect(errorOf(socket)).toEqual(errorFrame('invalid_frame'));
    await socket.close();
  });

  it('ack_out_of_range to a number that was not sent, and goes on', async () => {
    const socket = await relay.open();
    await append(1);
    await socket.untilEvents(1);
    socket.acknowledge(2);
    await socket.ping();
    expect(errorOf(socket)).toEqual(errorFrame('ack_out_of_range'));
    socket.acknowledge(1);
    await untilAcknowledged(relay.delivery, relay.worker, 1);
    await socket.close();
  });

  it('full_sync_required to an acknowledgement before the full sync is confirmed', async () => {
    const socket = await openBeforeFullSync();
    socket.acknowledge(0);
    await socket.ping();
    expect(errorOf(socket)).toEqual(errorFrame('full_sync_required', { retryable: true }));
    await socket.close();
  });

  it('full_sync_mismatch to a confirmation of another number, and waits for the right one', async () => {
    const socket = await openBeforeFullSync();
    socket.send({ type: 'full_sync_complete', through_sequence: '2' });
    await socket.ping();
    expect(errorOf(socket)).toEqual(errorFrame('full_sync_mismatch'));
    socket.completeFullSync();
    await append(1);
    await socket.untilEvents(1);
    await socket.close();
  });

  it('nothing to an acknowledgement right behind the confirmation of a full sync', async () => {
    const socket = await openBeforeFullSync();
    socket.completeFullSync();
    socket.acknowledge(1);
    await socket.ping();
    expect(socket.errors).toEqual([]);
    await append(1);
    await socket.untilEvents(1);
    await socket.close();
  });

  it('full_sync_mismatch where no full sync is due', async () => {
    const socket = await relay.open();
    socket.send({ type: 'full_sync_complete', through_sequence: '1' });
    await socket.ping();
    expect(errorOf(socket)).toEqual(errorFrame('full_sync_mismatch'));
    await socket.close();
  });

  it('stale_connection where acknowledgements came too late to be kept, and 1012', async () => {
    await append(2);
    const socket = await relay.open();
    await socket.untilEvents(2);
    socket.acknowledge(1);
    await untilAcknowledged(relay.delivery, relay.worker, 1);
    // Both reach delivery before it saves again.
    socket.acknowledge(2);
    await socket.ping();
    await changeFeed(relay.delivery, relay.worker, (feed) => ({ ...feed, epoch: feed.epoch + 1 }));
    expect(await socket.closed).toBe(1012);
    const stale = errorFrame('stale_connection', { fatal: true, retryable: true });
    expect(errorOf(socket)).toEqual(stale);
    expect(socket.disconnectReason).toBe('restart');
    const again = await relay.open();
    expect(again.ready.acked_through).toBe('1');
    await again.close();
  });

  it('ack_failed where acknowledgements cannot be kept while NATS is there, and 1011', async () => {
    await append(1);
    const socket = await relay.open();
    await socket.untilEvents(1);
    const connection = await connectToNats();
    const manager = await jetstreamManager(connection);
    await manager.streams.update('KV_feeds', { max_msg_size: 1 });
    socket.acknowledge(1);
    expect(await socket.closed).toBe(1011);
    const failed = errorFrame('ack_failed', { fatal: true, retryable: true });
    expect(errorOf(socket)).toEqual(failed);
    await manager.streams.update('KV_feeds', { max_msg_size: -1 });
    await untilAcknowledged(relay.delivery, relay.worker, 1);
  });

  describe('delivery_failed and 1011, where an event cannot be read', () => {
    const appendUnreadable = async () => {
      const { inbox } = relay.delivery.bus;
      const { sequence = 0 } = (await inbox.readLast(relay.worker.id)) ?? {};
      const connection = await connectToNats();
      const link = headers();
      link.set(linkHeader, String(sequence));
      connection.publish(subjects.inbox(relay.worker.id), 'not events', { headers: link });
      await expect.poll(() => inbox.stream.lastSequence()).toBeGreaterThan(sequence);
    };
    const expectFailure = async (socket: AgentSocket) => {
      expect(await socket.closed).toBe(1011);
      const failed = errorFrame('delivery_failed', { fatal: true, retryable: true });
      expect(errorOf(socket)).toEqual(failed);
    };

    it('once all before it is acknowledged', async () => {
      await append(1);
      const socket = await relay.open();
      await socket.untilEvents(1);
      await appendUnreadable();
      await socket.ping();
      expect(socket.errors).toEqual([]);
      socket.acknowledge(1);
      await expectFailure(socket);
    });

    it('at once where all before it was acknowledged, without a ping', async () => {
      await append(1);
      const socket = await relay.open();
      await socket.untilEvents(1);
      socket.acknowledge(1);
      await socket.ping();
      await appendUnreadable();
      await expectFailure(socket);
    });
  });
});
