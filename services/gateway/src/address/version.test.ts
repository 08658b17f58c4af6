import { expect, it } from 'vitest';
import { readVersion } from './version.ts';

it.each([
  ['1.0', undefined, '1.0'],
  ['1.0.7', undefined, '1.0'],
  [' 0.3 ', undefined, '0.3'],
  [undefined, undefined, '0.3'],
  ['', '1.0', '1.0'],
  [undefined, '1.0', '1.0'],
  ['0.3', '1.0', '0.3'],
])('header %j and query %j ask for %s', (header, query, version) => {
  expect(readVersion({ 'a2a-version': header }, { 'A2A-Version': query })).toBe(version);
});

it.each(['1', '1.1', '0.2', '2.0', '1.0-beta', '1.0, 1.0', 'x'])('%j is not spoken', (header) => {
  expect(() => readVersion({ 'a2a-version': header }, {})).toThrow('not supported');
});

it('a query that names the version twice is not understood', () => {
  expect(() => readVersion({}, { 'A2A-Version': ['1.0', '1.0'] })).toThrow('not supported');
});
