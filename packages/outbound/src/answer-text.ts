import { StringDecoder } from 'node:string_decoder';

const unsafe = /[\p{Cf}\p{Cs}]|(?![\t\n])\p{Cc}/gu;

/**
 * The text of a body's first bytes as it may be logged and shown: valid UTF-8, no control or
 * formatting characters but tab and line feed. A character that was cut off at the end is left out.
 */
export function answerText(bytes: Buffer): string {
  if (bytes.length === 0) return '';
  const text = new StringDecoder('utf8').write(bytes);
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, '\u{FFFD}');
}
