import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectNats, headers } from '@nats-io/transport-node';
import { linkHeader, subjects } from '@relay/bus';
import { maximumInFlight } from '@relay/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDelivery } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { changeFeed, untilAcknowledged } from '../../support/feed-record.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';
import { subscribe, unsubscribe } from '../../support/subscriptions.ts';

/** How many events a feed reads ahead of its acknowledgements. */
const readAhead = 1_024;
/** Longer than a reader of owed events takes silence for their end without asking. */
const stallMilliseconds = 6_500;

const relay = useDelivery('test');
let here: TestDelivery;
let there: TestDelivery;

beforeEach(async () => {
  here = relay.delivery;
  there = await relay.start();
});

const submit = async (count: number) => {
  for (let n = 0; n < count; n += 1) await relay.newTask().submit(`task ${n}`);
};

describe('a webhook subscription', () => {
  it('ends the sockets at every replica for good, and refuses others while it is saved', async () => {
    const sockets = [
      await relay.open({ at: here }),
      await relay.open({ at: there }),
      await relay.open({ at: there, query: '?observe=true' }),
    ];
    const subscription = await subscribe(here, relay.worker);
    for (const socket of sockets) {
      expect(await socket.closed).toBe(4410);
      expect(socket.disconnectReason).toBe('webhook_configured');
    }
    for (const { url } of [here, there]) {
      for (const query of ['', '?observe=true']) {
        expect(await refusedUpgrade(`${url}${query}`, relay.worker.token)).toMatchObject({
          status: 409,
          body: { error: { code: 1005, message: expect.stringContaining('webhook') } },
        });
      }
    }
    await unsubscribe(there, relay.worker, subscription);
    const again = await relay.open({ at: here });
    await again.close();
  });

  it('leaves what was not delivered to the sockets that come after it, with ids and bytes', async () => {
    const before = await relay.open({ at: here });
    await submit(3);
    const sent = [...(await before.untilEvents(3))];
    before.acknowledge(1);
    await before.ping();
    await untilAcknowledged(here, relay.worker, 1);
    const subscription = await subscribe(there, relay.worker);
    await before.closed;
    await submit(2);
    await unsubscribe(here, relay.worker, subscription);
    const after = await relay.open({ at: there, acknowledges: true });
    await submit(1);
    const events = await after.untilEvents(5);
    expect(events.map(({ body }) => body).slice(0, 2)).toEqual(
      sent.slice(1).map(({ body }) => body),
    );
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(5);
    await after.close();
  });
});

describe('events that are owed from webhooks', () => {
  it('come first, then what follows the position, under numbers without a gap', async () => {
    const eventIds = await fillInbox(here.bus, relay.worker.id, 4);
    const all = await relay.open({ acknowledges: true });
    await all.untilEvents(eventIds.length);
    await untilAcknowledged(here, relay.worker, eventIds.length);
    await all.close();
    const [one, two, three] = await messages();
    await changeFeed(here, relay.worker, (feed) => ({
      ...feed,
      epoch: feed.epoch + 1,
      owed: [
        { from: { sequence: one, index: 3 }, through: { sequence: one, index: 4 } },
        { from: { sequence: two, index: 60 }, through: { sequence: three, index: 1 } },
      ],
    }));
    const expected = [...eventIds.slice(3, 5), ...eventIds.slice(64 + 60, 128 + 2)];
    const first = await relay.open({ at: there });
    expect((await first.untilEvents(8)).map(({ eventId }) => eventId)).toEqual(expected);
    expect(first.events[0]?.sequence).toBe(eventIds.length + 1);
    first.acknowledge(eventIds.length + 3);
    await first.close();
    await untilAcknowledged(here, relay.worker, eventIds.length + 3);
    const second = await relay.open({ at: here });
    await submit(1);
    const events = await second.untilEvents(6);
    expect(events.slice(0, 5).map(({ eventId }) => eventId)).toEqual(expected.slice(3));
    expect(events[5]?.type).toBe('task.created');
    await second.close();
  });

  it('come whole when they are many', async () => {
    const owed = await oweMany();
    const again = await relay.open({ at: there, acknowledges: true });
    await again.untilEvents(owed.length);
    expect(again.events.map(({ eventId }) => eventId)).toEqual(owed);
    await again.ping();
    expect(again.events).toHaveLength(owed.length);
    await again.close();
  });

  it('come once though one among them cannot be read for some time', async () => {
    const before = await fillInbox(here.bus, relay.worker.id, 1);
    const all = await relay.open({ acknowledges: true });
    await all.untilEvents(before.length);
    await untilAcknowledged(here, relay.worker, before.length);
    await all.close();
    const spoiled = await spoilInbox();
    const after = await fillInbox(here.bus, relay.worker.id, 1);
    const sequences = await messages();
    const [first = 0, last = 0] = [sequences[0], sequences.at(-1)];
    await changeFeed(here, relay.worker, (feed) => ({
      ...feed,
      epoch: feed.epoch + 1,
      owed: [{ from: { sequence: first, index: 0 }, through: { sequence: last, index: 63 } }],
      position: { sequence: last, index: 63, count: 64, eventId: after.at(-1) },
    }));
    const again = await relay.open({ at: there });
    await again.untilEvents(before.length);
    again.acknowledge(2 * before.length - 1);
    await again.ping();
    expect(again.events).toHaveLength(before.length);
    await here.bus.inbox.stream.remove(spoiled);
    again.acknowledgeAll();
    await again.untilEvents(before.length + after.length);
    again.acknowledgeAll();
    await again.ping();
    expect(again.events.map(({ eventId }) => eventId)).toEqual([...before, ...after]);
    await again.close();
  });

  it('come whole though NATS stalls while they are read', async () => {
    const owed = await oweMany();
    const again = await relay.open({ at: there });
    await again.untilEvents(maximumInFlight);
    relay.nats.pause();
    // What was read ahead goes out, and makes room for what cannot be read now.
    again.acknowledgeAll();
    await again.untilEvents(readAhead);
    await sleep(stallMilliseconds);
    relay.nats.resume();
    await again.untilEvents(owed.length);
    expect(again.events.map(({ eventId }) => eventId)).toEqual(owed);
    await again.close();
  });
});

/** Has the worker acknowledge many events, then owes it all but the last ones. @returns the ids of those owed */
async function oweMany(): Promise<string[]> {
  const eventIds = await fillInbox(here.bus, relay.worker.id, 40);
  const all = await relay.open({ acknowledges: true });
  await all.untilEvents(eventIds.length);
  await untilAcknowledged(here, relay.worker, eventIds.length);
  await all.close();
  const sequences = await messages();
  const [first = 0, last = 0] = [sequences[0], sequences.at(-1)];
  await changeFeed(here, relay.worker, (feed) => ({
    ...feed,
    epoch: feed.epoch + 1,
    owed: [{ from: { sequence: first, index: 0 }, through: { sequence: last, index: 9 } }],
  }));
  return eventIds.slice(0, -54);
}

/** Puts a message behind the inbox's last one that cannot be read. @returns its sequence */
async function spoilInbox(): Promise<number> {
  const { inbox } = here.bus;
  const link = headers();
  link.set(linkHeader, String((await inbox.readLast(relay.worker.id))?.sequence ?? 0));
  const connection = await connectNats({ servers: relay.nats.url });
  const options = { headers: link, timeout: 5_000 };
  await connection.request(subjects.inbox(relay.worker.id), 'not events', options);
  await connection.close();
  return (await inbox.readLast(relay.worker.id))?.sequence ?? 0;
}

/** Sequences of the messages in the inbox. */
async function messages(): Promise<number[]> {
  const { inbox } = here.bus;
  const last = await inbox.readLast(relay.worker.id);
  const before = last && (await inbox.stream.walkBack(last, 0));
  return [...(before ?? []), ...(last ? [last] : [])].map(({ sequence }) => sequence);
}
