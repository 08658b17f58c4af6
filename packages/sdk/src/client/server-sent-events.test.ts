import { describe, expect, it } from 'vitest';
import { readServerSentEvents } from './server-sent-events.ts';

async function read(chunks: Uint8Array[]) {
  async function* body() {
    yield* chunks;
  }
  const events: unknown[] = [];
  for await (const event of readServerSentEvents(body())) events.push(event);
  return events;
}

function split(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const lines = [
  ': keep-alive',
  '',
  'id: 1',
  'data: {"text":"größer 🚀"}',
  '',
  'id: 2',
  'data: first',
  'data: second',
  '',
  ': keep-alive',
  '',
  '',
];

describe('readServerSentEvents', () => {
  const cases = ['\n', '\r\n', '\r'].flatMap((end) =>
    [1, 2, 3, 7, 1000].map((size) => [end, size]),
  );

  it.each(cases)('reads lines that end with %j in chunks of %i bytes', async (end, size) => {
    const text = lines.join(String(end));
    const events = await read(split(text, Number(size)));
    expect(events).toMatchObject([
      { id: '1', data: '{"text":"größer 🚀"}' },
      { id: '2', data: 'first\nsecond' },
    ]);
  });

  it('drops an event that is cut off', async () => {
    expect(await read(split('data: whole\n\ndata: cut o', 5))).toMatchObject([{ data: 'whole' }]);
  });

  it('gives each event as soon as it is whole', async () => {
    const events = readServerSentEvents(brokenBody());
    expect(await events.next()).toMatchObject({ value: { data: 'early' } });
    await expect(events.next()).rejects.toThrow('the connection broke');
  });
});

async function* brokenBody() {
  yield new TextEncoder().encode('data: early\n\n');
  throw new Error('the connection broke');
}
