import { expect, it } from 'vitest';
import { traceIdOf } from './trace.ts';

const trace = 'a'.repeat(32);
const parent = 'b'.repeat(16);

it('goes on with the trace of the caller, also of a later version', () => {
  expect(traceIdOf(`00-${trace}-${parent}-01`)).toBe(trace);
  expect(traceIdOf(`01-${trace}-${parent}-01-more`)).toBe(trace);
});

it.each([
  undefined,
  '',
  'x',
  `ff-${trace}-${parent}-01`,
  `00-${'0'.repeat(32)}-${parent}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${parent}-01`,
])('begins one where %j is given', (traceparent) => {
  const made = traceIdOf(traceparent);
  expect(made).toMatch(/^[0-9a-f]{32}$/);
  expect(made).not.toBe(traceIdOf(traceparent));
});
