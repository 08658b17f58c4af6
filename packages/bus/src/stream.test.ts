import { expect, it } from 'vitest';
import { streamMessage, textOf, withOwnBody } from './stream.ts';

it('a message with a body of its own keeps nothing of what it came with', () => {
  const chunk = Buffer.from('before {"is":"kept"} after');
  const came = streamMessage('$KV.feeds.0.agent', 7, chunk.subarray(7, 20), undefined);
  const kept = withOwnBody(came);
  chunk.fill('x');
  expect(textOf(kept.data)).toBe('{"is":"kept"}');
  expect(kept.data.buffer.byteLength).toBe(kept.data.length);
  expect(kept).toMatchObject({ subject: came.subject, sequence: 7, previous: 0 });
});
