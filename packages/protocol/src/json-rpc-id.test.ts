import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOf, jsonRpcText, parseJsonRpcBody } from './index.ts';

const echoed = (text: string) => jsonRpcText(idOf(parseJsonRpcBody(text)), 'result', {});
const answerWith = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;

describe('the id of a request', () => {
  it.each(['0', '-1', '1.5', '"x"', 'null', '9007199254740993', '-18446744073709551615'])(
    'comes back as it was written: %s',
    (id) => {
      expect(echoed(`{"id":${id}}`)).toBe(answerWith(id));
    },
  );

  it('is the one of the request, whatever else is called so, and the last one of several', () => {
    const id = '1764500000123456789';
    const params = '{"id":9007199254740993,"text":"\\"id\\": 9007199254740995, \\\\"}';
    for (const text of [
      `{"method":"id","params":${params},"id": ${id} }`,
      `{"id":\n${id},"params":[${params}]}`,
      `{"id":9007199254740997,"id":${id}}`,
    ]) {
      expect(echoed(text)).toBe(answerWith(id));
    }
  });

  it('comes back whatever whole number it is, and whatever stands around it', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.json(), fc.json(), (id, before, after) => {
        const text = `{"before":${before},"id":${id},"after":${after}}`;
        expect(echoed(text)).toBe(answerWith(String(id)));
      }),
    );
  });

  it.each(['{}', '[]', '"id"', '{"id":{}}', '{"id":[9007199254740993]}', '{"id":true}'])(
    'is null where there is none: %s',
    (text) => {
      expect(echoed(text)).toBe(answerWith('null'));
    },
  );
});
