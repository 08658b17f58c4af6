import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerText } from './answer-text.ts';

it.each([
  ['', ''],
  ['plain\ttext\n', 'plain\ttext\n'],
  ['two\r\nlines', 'two\nlines'],
  ['grüße 漢字 🎉', 'grüße 漢字 🎉'],
  ['\u001b[2Jcleared', '\u{fffd}[2Jcleared'],
  ['\u202eesrever', '\u{fffd}esrever'],
  ['zero\u200bwidth', 'zero\u{fffd}width'],
  ['a\rb\u0000c\u007fd\u0085e', 'a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e'],
])('%j is shown as %j', (text, shown) => {
  expect(answerText(Buffer.from(text))).toBe(shown);
});

it('leaves out a character that was cut off', () => {
  expect(answerText(Buffer.from('für').subarray(0, 2))).toBe('f');
  expect(answerText(Buffer.from('ok🎉').subarray(0, 5))).toBe('ok');
});

it('is well-formed and free of control characters for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = answerText(Buffer.from(bytes));
      expect(text).not.toMatch(/[\p{Cf}\p{Cs}]|(?![\t\n])\p{Cc}/u);
      expect(Buffer.from(text).toString()).toBe(text);
    }),
  );
});
