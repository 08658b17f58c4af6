import { type Bus, partitions, streams, subjects } from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { appendTasks } from '../../support/append-tasks.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

interface Reading {
  readonly sequences: number[];
  /** Messages that the reader holds and that are not done with. */
  held: number;
  mostHeld: number;
  release(): void;
}

/** Reads everything, holding each message until it is released. */
function readHolding(bus: Bus): Reading {
  const waiting: (() => void)[] = [];
  const reading: Reading = {
    sequences: [],
    held: 0,
    mostHeld: 0,
    release: () => {
      for (const done of waiting.splice(0)) done();
    },
  };
  const reader = bus.read({
    stream: streams.tasks,
    startSequence: 1,
    onMessage: (message) => {
      reading.sequences.push(message.sequence);
      reading.held += 1;
      reading.mostHeld = Math.max(reading.mostHeld, reading.held);
      return new Promise((resolve) => {
        waiting.push(() => {
          reading.held -= 1;
          resolve();
        });
      });
    },
  });
  onTestFinished(() => reader.close());
  return reading;
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it('a reader holds a bounded number of bytes and still reads everything in order', async () => {
  const bus = await busForTest(await natsForTest());
  const text = 'x'.repeat(10_000);
  await appendTasks(bus, 2_000, () => taskCommands().submit(text));
  const reading = readHolding(bus);
  await expect.poll(() => reading.held).toBeGreaterThan(100);
  while (reading.sequences.length < 2_000) {
    reading.release();
    await expect.poll(() => reading.held + Number(reading.sequences.length === 2_000)).not.toBe(0);
  }
  expect(reading.sequences).toEqual(upTo(2_000));
  expect(reading.mostHeld).toBeLessThan(1_000);
});

it('a reader goes on by itself after NATS was killed, without a gap or a repeat', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const reading = readHolding(bus);
  for (let round = 1; round <= 3; round += 1) {
    await appendTasks(bus, 50, () => taskCommands().submit());
    await expect.poll(() => reading.sequences.length).toBe(50 * round);
    reading.release();
    await nats.kill();
    await nats.restart();
    await expect.poll(() => bus.isConnected()).toBe(true);
  }
  await appendTasks(bus, 50, () => taskCommands().submit());
  await expect.poll(() => reading.sequences.length).toBe(200);
  expect(reading.sequences).toEqual(upTo(200));
});

it('readers that are far behind do not cost the connection', async () => {
  const nats = await natsForTest();
  const text = 'x'.repeat(100_000);
  await appendTasks(await busForTest(nats), 2_400, () => taskCommands().submit(text));
  const bus = await busForTest(nats);
  let reconnects = 0;
  bus.onReconnect(() => {
    reconnects += 1;
  });
  const read = new Set<number>();
  for (const partition of partitions) {
    const reader = bus.read({
      stream: streams.tasks,
      filter: subjects.tasksOf(partition),
      startSequence: 1,
      onMessage: async ({ sequence, data }) => {
        JSON.parse(Buffer.from(data).toString());
        read.add(sequence);
      },
    });
    onTestFinished(() => reader.close());
  }
  await expect.poll(() => read.size, { timeout: 20_000 }).toBe(2_400);
  expect(reconnects).toBe(0);
});
