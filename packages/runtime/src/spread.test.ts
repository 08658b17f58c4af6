import { expect, it } from 'vitest';
import { spread } from './spread.ts';

const items = Array.from({ length: 1_000 }, (_, n) => n);

it('does all in order, and only a part at once', async () => {
  const done: number[] = [];
  const finished = spread(items, 0.1, (item) => void done.push(item));
  expect(done.length).toBe(200);
  await finished;
  expect(done).toEqual(items);
});

it('does all at once where there is no time', async () => {
  const done: number[] = [];
  await spread(items, 0, (item) => void done.push(item));
  expect(done).toEqual(items);
});
