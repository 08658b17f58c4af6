import { expect, it } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

it('a checkpoint is saved by its last owner alone', async () => {
  const nats = await natsForTest();
  const [first, second] = [
    (await busForTest(nats)).checkpoint('reader'),
    (await busForTest(nats)).checkpoint('reader'),
  ];
  expect(await first.take()).toMatchObject({ sequence: 0, epoch: 1 });
  expect(await first.save(7, null)).toBe(true);
  expect(await second.take()).toMatchObject({ sequence: 7, epoch: 2 });
  expect(await first.save(8, null)).toBe(false);
  expect(await second.save(9, null)).toBe(true);
});
