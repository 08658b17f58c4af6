import type { StreamMessage } from '@relay/bus';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { appendTasks } from '../../support/append-tasks.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it('many reads of large messages at once do not cost the connection', async () => {
  const bus = await busForTest(await natsForTest());
  const text = 'x'.repeat(3_500_000);
  for (let n = 0; n < 40; n += 4) await appendTasks(bus, 4, () => taskCommands().submit(text));
  const reads = upTo(40).map((sequence) => bus.tasks.stream.readAt(sequence));
  expect((await Promise.all(reads)).map((message) => message?.sequence)).toEqual(upTo(40));
});

it('reads are refused in time while NATS hangs, however many there are', async () => {
  const nats = await natsForTest();
  const { tasks } = await busForTest(nats);
  nats.pause();
  const reads = upTo(100).map((sequence) => tasks.stream.readAt(sequence));
  const outcomes = await Promise.allSettled(reads);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
  nats.resume();
  await expect.poll(() => tasks.stream.lastSequence()).toBe(0);
});

it('reads find a message by subject, pattern and sequence, without a body too, and tell where there is none', async () => {
  const { bucket, feedRecords: stream } = await busForTest(await natsForTest());
  const feeds = bucket('feeds', 'one.', z.unknown());
  const subject = (key: string) => `$KV.feeds.one.${key}`;
  await feeds.create('kept', 'text');
  await feeds.create('deleted', 'text');
  await feeds.delete('deleted');
  const read = async (message: Promise<StreamMessage | undefined>) => {
    const { subject, sequence, data } = (await message) ?? {};
    return [subject, sequence, data && Buffer.from(data).toString()];
  };
  const kept = [subject('kept'), 1, '"text"'];
  const deleted = [subject('deleted'), 3, ''];
  const none = [undefined, undefined, undefined];
  expect(await read(stream.readLast(subject('kept')))).toEqual(kept);
  expect(await read(stream.readLast(subject('*')))).toEqual(deleted);
  expect(await read(stream.readAt(1))).toEqual(kept);
  expect(await read(stream.readAt(3))).toEqual(deleted);
  expect(await read(stream.readNext(subject('deleted'), 1))).toEqual(deleted);
  expect(await read(stream.readLast(subject('other')))).toEqual(none);
  expect(await read(stream.readNext(subject('kept'), 2))).toEqual(none);
  expect(await read(stream.readAt(4))).toEqual(none);
});
