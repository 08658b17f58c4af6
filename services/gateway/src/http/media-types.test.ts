import { describe, expect, it } from 'vitest';
import { isA2aJson, isJson, negotiatedMediaType } from './media-types.ts';

describe('a content type', () => {
  it.each([
    ['application/json', true, true],
    ['Application/JSON; charset=utf-8', true, true],
    ['application/a2a+json', false, true],
    ['application/a2a+json;charset=utf-8', false, true],
    ['application/jsonx', false, false],
    ['text/plain', false, false],
    [undefined, false, false],
  ])('%j is JSON: %s, or what HTTP+JSON takes: %s', (contentType, json, a2a) => {
    expect([isJson(contentType), isA2aJson(contentType)]).toEqual([json, a2a]);
  });
});

describe('an HTTP+JSON answer', () => {
  it.each([
    [{}, 'application/a2a+json'],
    [{ accept: '*/*' }, 'application/a2a+json'],
    [{ accept: 'application/json' }, 'application/json'],
    [{ accept: 'text/event-stream, application/json;q=0.5' }, 'application/json'],
    [{ accept: 'application/json, application/a2a+json' }, 'application/a2a+json'],
    [{ accept: '*/*', 'content-type': 'application/json' }, 'application/json'],
    [{ 'content-type': 'application/a2a+json' }, 'application/a2a+json'],
    [
      { accept: 'application/a2a+json', 'content-type': 'application/json' },
      'application/a2a+json',
    ],
  ])('to a request with %j is %s', (headers, mediaType) => {
    expect(negotiatedMediaType(headers)).toBe(mediaType);
  });
});
