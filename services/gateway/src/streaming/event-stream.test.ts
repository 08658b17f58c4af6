import { expect, it } from 'vitest';
import { encodeEvent } from './event-stream.ts';

it('encodes an event as one block of lines', () => {
  expect(encodeEvent('{"a":1}', 7)).toBe('id: 7\ndata: {"a":1}\n\n');
  expect(encodeEvent('{}')).toBe('data: {}\n\n');
});

it('needs JSON without line breaks, as it is written', () => {
  const text = 'one\ntwo\r\u2028three';
  const lines = encodeEvent(JSON.stringify({ text }))
    .trimEnd()
    .split(/\r\n|\r|\n/);
  expect(lines).toHaveLength(1);
});
