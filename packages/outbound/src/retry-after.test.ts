import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 10, 30, 6, 0, 0, 500);

it.each([
  ['0', 0],
  ['120', 120],
  [' 120 ', 120],
  ['007', 7],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Mon, 30 Nov 2026 06:01:00 GMT', 60],
  ['Mon, 30 Nov 2026 05:00:00 GMT', 0],
  ['Tue, 01 Jan 2999 00:00:00 GMT', 30_676_125_600],
  ['Monday, 30-Nov-26 06:01:00 GMT', 60],
])('%j is %s seconds', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
});

it.each([
  undefined,
  '',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  'soon',
  '2026-11-30T06:01:00Z',
  'Mon, 99 Nov 2026 06:01:00 GMT',
  'Mon, 30 Nov 2026 06:01:00 +0100',
  '120, 240',
])('%j says nothing', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined();
});

it('is a whole number of seconds, or nothing, for any text', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const seconds = parseRetryAfter(header, now);
      expect(seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0)).toBe(true);
    }),
  );
});
