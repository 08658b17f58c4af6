import { describe, expect, it } from 'vitest';
import { JsonDepthError, maximumJsonDepth, parseJson } from './index.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON from outside', () => {
  it('may nest as deep as protobuf lets it', () => {
    expect(() => parseJson(nested(maximumJsonDepth))).not.toThrow();
    expect(() => parseJson(nested(maximumJsonDepth + 2))).toThrow(JsonDepthError);
  });

  it('that nests 200,000 deep is refused, not a crash', () => {
    expect(() => parseJson(nested(200_000))).toThrow(JsonDepthError);
    expect(() => parseJson(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)).toThrow(
      JsonDepthError,
    );
  });

  it('cannot reach the prototype of anything', () => {
    const value = parseJson('{"__proto__": {"polluted": true}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
