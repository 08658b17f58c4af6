import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameInsertion } from './frame-insertion.ts';

const inserted = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);

/** A frame as RFC 6455 §5.2 writes it, its payload being so many zeros. */
function frameOf(length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head.writeUInt8(0x82, 0);
  if (head.length === 2) head.writeUInt8(mask | length, 1);
  else head.writeUInt8(mask | (head.length === 4 ? 126 : 127), 1);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), Buffer.alloc(length)]);
}

const anyFrame = fc
  .tuple(
    fc.oneof(
      { weight: 20, arbitrary: fc.nat(130) },
      { weight: 1, arbitrary: fc.constantFrom(65_535, 65_536) },
    ),
    fc.boolean(),
  )
  .map(([length, isMasked]) => frameOf(length, isMasked));

/** Writes the bytes in chunks. @returns what came through */
function pass(insertion: FrameInsertion, bytes: Buffer, chunkSize: number): Buffer {
  const passed: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) {
    insertion.write(bytes.subarray(at, at + chunkSize));
    for (let chunk: unknown = insertion.read(); Buffer.isBuffer(chunk); chunk = insertion.read()) {
      passed.push(chunk);
    }
  }
  return Buffer.concat(passed);
}

it('puts its frame behind the one that is on its way, and changes nothing else', () => {
  const frames = fc.array(anyFrame, { minLength: 1, maxLength: 5 });
  const chunkSizes = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant(100_000));
  fc.assert(
    fc.property(frames, fc.nat(), chunkSizes, (frames, wish, chunkSize) => {
      const bytes = Buffer.concat(frames);
      const at = wish % bytes.length;
      const ends = frames.map((_, n) => Buffer.concat(frames.slice(0, n + 1)).length);
      const place = at === 0 ? 0 : Math.min(...ends.filter((end) => end >= at));
      const insertion = new FrameInsertion({ highWaterMark: 1024 * 1024 });
      const before = pass(insertion, bytes.subarray(0, at), chunkSize);
      insertion.insert(inserted);
      const after = pass(insertion, bytes.subarray(at), chunkSize);
      const expected = [bytes.subarray(0, place), inserted, bytes.subarray(place)];
      expect(Buffer.concat([before, after]).equals(Buffer.concat(expected))).toBe(true);
    }),
  );
});

it('has nothing to say to a connection that has ended', () => {
  const insertion = new FrameInsertion();
  insertion.end();
  insertion.insert(inserted);
  expect(insertion.read()).toBeNull();
});
