import { type Bus, checkpointSchema } from '@relay/bus';
import { expect, it } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const held = { isHeld: () => true };
const lost = { isHeld: () => false };

async function stored(bus: Bus) {
  return (await bus.bucket('checkpoints', '', checkpointSchema).get('reader'))?.value;
}

it('a checkpoint is saved by its last owner alone', async () => {
  const nats = await natsForTest();
  const [first, second] = [
    (await busForTest(nats)).checkpoint('reader'),
    (await busForTest(nats)).checkpoint('reader'),
  ];
  expect(await first.take(held)).toMatchObject({ sequence: 0, epoch: 1 });
  expect(await first.save(7, null)).toBe(true);
  expect(await second.take(held)).toMatchObject({ sequence: 7, epoch: 2 });
  expect(await first.save(8, null)).toBe(false);
  expect(await second.save(9, null)).toBe(true);
});

it('a checkpoint is not taken from its owner by one whose lease is lost', async () => {
  const bus = await busForTest(await natsForTest());
  const [owner, late] = [bus.checkpoint('reader'), bus.checkpoint('reader')];
  await owner.take(held);
  expect(await late.take(lost)).toBeUndefined();
  expect(await late.save(8, null)).toBe(false);
  expect(await owner.save(9, null)).toBe(true);
});

it('a checkpoint is saved after a save whose answer was lost', async () => {
  const bus = await busForTest(await natsForTest());
  const owner = bus.checkpoint('reader');
  const taken = await owner.take(held);
  const unanswered = checkpointSchema.parse({ ...taken, sequence: 7 });
  await bus.bucket('checkpoints', '', checkpointSchema).change('reader', () => unanswered);
  expect(await owner.save(9, null)).toBe(true);
  expect(await stored(bus)).toMatchObject({ sequence: 9, epoch: 1 });
});
