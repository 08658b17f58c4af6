import { expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';

const relay = useDelivery('file');
const observe = (query = '') => relay.open({ query: `?observe=true${query}` });
const append = (messages: number, events?: number) =>
  fillInbox(relay.delivery.bus, relay.worker.id, messages, events);

it('an observer gets all events from the first unacknowledged one on, without acknowledging any', async () => {
  const eventIds = await append(5);
  const consumer = await relay.open();
  await consumer.untilEvents(64);
  consumer.acknowledge(10);
  await consumer.ping();
  const observer = await observe();
  expect(observer.ready).toMatchObject({
    observational: true,
    acked_through: '10',
    full_sync_required: false,
  });
  const more = await append(1);
  const events = await observer.untilEvents(eventIds.length - 10 + more.length);
  expect(events.map(({ eventId }) => eventId)).toEqual([...eventIds.slice(10), ...more]);
  await consumer.ping();
  expect(consumer.lastSequence).toBe(74);
  await Promise.all([consumer.close(), observer.close()]);
});

it('an observer may not acknowledge anything', async () => {
  await append(1, 1);
  const observer = await observe();
  await observer.untilEvents(1);
  observer.acknowledge(1);
  observer.send({ type: 'full_sync_complete', through_sequence: '1' });
  await observer.ping();
  expect(observer.errors).toEqual(['invalid_frame', 'invalid_frame']);
  await observer.close();
  const consumer = await relay.open();
  expect(consumer.ready.acked_through).toBe('0');
  await consumer.close();
});

it('types that an observer leaves out stay for the others', async () => {
  const consumer = await relay.open();
  const observer = await observe('&subscribed_events=task.message');
  const task = relay.newTask();
  await task.submit();
  await task.followUp('more');
  expect((await observer.untilEvents(1)).map(({ type }) => type)).toEqual(['task.message']);
  expect((await consumer.untilEvents(2)).map(({ type }) => type)).toEqual([
    'task.created',
    'task.message',
  ]);
  await Promise.all([consumer.close(), observer.close()]);
});

it('observers connect again when the events are counted anew', async () => {
  const observer = await observe();
  const consumer = await relay.open({ query: '?subscribed_events=task.message' });
  expect(await observer.closed).toBe(1012);
  await consumer.close();
});

it('observers of an agent are limited in number, and the next one is told to try later', async () => {
  const observers = await Promise.all(Array.from({ length: 16 }, () => observe()));
  const url = `${relay.delivery.url}?observe=true`;
  expect(await refusedUpgrade(url, relay.worker.token)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '30' },
    body: { error: { code: 2008 } },
  });
  const consumer = await relay.open();
  await Promise.all([consumer, ...observers].map((socket) => socket.close()));
  const again = await observe();
  await again.close();
});
