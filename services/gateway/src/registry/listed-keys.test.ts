import { expect, it, onTestFinished, vi } from 'vitest';
import { ListedKeys } from './listed-keys.ts';

it('reads the keys of a list for its first page, and for who goes on only when that is long ago', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lists = new ListedKeys();
  let stored = ['c', 'a', 'b'];
  let reads = 0;
  const page = (after: string, list = 'all') =>
    lists.readAfter(list, after, async () => {
      reads += 1;
      return stored;
    });
  expect(await page('')).toEqual(['a', 'b', 'c']);
  stored = ['d', 'c'];
  expect(await page('a')).toEqual(['b', 'c']);
  expect(await page('bb')).toEqual(['c']);
  expect(reads).toBe(1);
  expect(await page('a', 'another')).toEqual(['c', 'd']);
  expect(await page('')).toEqual(['c', 'd']);
  expect(await page('c')).toEqual(['d']);
  expect(await page('d')).toEqual([]);
  expect(reads).toBe(3);
  vi.advanceTimersByTime(10_000);
  stored = ['e'];
  expect(await page('c')).toEqual(['e']);
});
