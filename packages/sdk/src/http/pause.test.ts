import { expect, it } from 'vitest';
import { pause } from './pause.ts';

it('waits also where it is asked to wait longer than a timer can', async () => {
  const ending = new AbortController();
  const long = pause(2 ** 31, ending.signal).then(() => 'long');
  expect(await Promise.race([long, pause(20, undefined).then(() => 'short')])).toBe('short');
  ending.abort();
  await long;
});
