import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getTaskRequestSchema,
  listTasksRequestSchema,
  RelayError,
  sendMessageRequestSchema,
  validate,
} from './index.ts';

const message = (fields: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }], ...fields },
});
const part = (fields: object) => message({ parts: [fields] });

function violationsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof RelayError && error.refusal.error === 'invalidParams') {
      return error.refusal.violations?.map(({ field }) => field) ?? [];
    }
    throw error;
  }
  return [];
}

describe('a 1.0 request', () => {
  it('may name each field by its JSON name or its proto name', () => {
    const byJsonName = validate(sendMessageRequestSchema, {
      ...message({ contextId: 'c', parts: [{ text: 'x', mediaType: 'text/plain' }] }),
      configuration: { historyLength: 2, returnImmediately: true },
    });
    const byProtoName = validate(sendMessageRequestSchema, {
      message: {
        message_id: 'm',
        context_id: 'c',
        role: 'ROLE_USER',
        parts: [{ text: 'x', media_type: 'text/plain' }],
      },
      configuration: { history_length: 2, return_immediately: true },
    });
    expect(byProtoName).toEqual(byJsonName);
  });

  it('may not name a field by both', () => {
    const twice = { ...message({ message_id: 'm' }) };
    expect(violationsOf(() => validate(sendMessageRequestSchema, twice))).toEqual([
      'message.messageId',
    ]);
    const inList = { page_size: 1, pageSize: 1 };
    expect(violationsOf(() => validate(listTasksRequestSchema, inList))).toEqual(['pageSize']);
  });

  it('may give enums by number and integers as strings', () => {
    expect(validate(sendMessageRequestSchema, message({ role: 1 })).message.role).toBe('ROLE_USER');
    expect(validate(listTasksRequestSchema, { status: 2, pageSize: '7' })).toMatchObject({
      status: 'TASK_STATE_WORKING',
      pageSize: 7,
    });
  });

  it('means unset by null and by an empty id, but keeps null as data', () => {
    const read = validate(
      sendMessageRequestSchema,
      message({ taskId: '', contextId: null, metadata: null, parts: [{ data: null }] }),
    );
    expect(read.message.taskId).toBeUndefined();
    expect(read.message.contextId).toBeUndefined();
    expect(read.message.parts).toEqual([{ data: null }]);
  });

  it('may hold fields that nobody knows; they are dropped', () => {
    const read = validate(sendMessageRequestSchema, { ...message({ mood: 'good' }), tenant: 't' });
    expect(read).toEqual(validate(sendMessageRequestSchema, message()));
  });

  it.each([
    ['no part', message({ parts: [] })],
    ['101 parts', message({ parts: Array.from({ length: 101 }, () => ({ text: 'x' })) })],
    ['an empty part', part({})],
    ['a part of two kinds', part({ text: 'x', data: 1 })],
    ['text of 10,001 units', part({ text: 'x'.repeat(10_001) })],
    ['a url of 2,049 units', part({ url: `https://example.com/${'x'.repeat(2_029)}` })],
    ['raw that is no base64', part({ raw: '%' })],
    ['a messageId of 256 units', message({ messageId: 'x'.repeat(256) })],
    ['the role of an agent', message({ role: 'ROLE_AGENT' })],
    ['no role', message({ role: undefined })],
    ['metadata that is no object', message({ metadata: [] })],
    ['a history of less than none', { ...message(), configuration: { historyLength: -1 } }],
  ])('with %s is refused', (_what, request) => {
    expect(violationsOf(() => validate(sendMessageRequestSchema, request)).length).toBe(1);
  });

  it('takes 10,000 units of text and 100 parts', () => {
    const longest = message({
      parts: Array.from({ length: 100 }, () => ({ text: '\u20ac'.repeat(10_000) })),
    });
    expect(validate(sendMessageRequestSchema, longest).message.parts).toHaveLength(100);
  });

  it('of any JSON is read or refused, never more', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        violationsOf(() => validate(sendMessageRequestSchema, value));
        violationsOf(() => validate(getTaskRequestSchema, value));
        violationsOf(() => validate(listTasksRequestSchema, value));
      }),
    );
  });

  it('comes out of reading as it is read again', () => {
    const anyPart = fc.oneof(
      fc.record({ text: fc.string() }),
      fc.record({ data: fc.jsonValue() }),
      fc.record({ url: fc.webUrl(), mediaType: fc.constant('text/plain') }),
    );
    const anyMessage = fc.record(
      {
        messageId: fc.string({ minLength: 1, maxLength: 255 }),
        contextId: fc.string({ minLength: 1, maxLength: 255 }),
        role: fc.constant('ROLE_USER'),
        parts: fc.array(anyPart, { minLength: 1, maxLength: 5 }),
        metadata: fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: ['role', 'parts'] },
    );
    fc.assert(
      fc.property(anyMessage, (message) => {
        // As it comes over the wire, which knows no negative zero.
        const given: unknown = JSON.parse(JSON.stringify(message));
        const read = validate(sendMessageRequestSchema, { message: given });
        const written: unknown = JSON.parse(JSON.stringify(read));
        expect(validate(sendMessageRequestSchema, written)).toEqual(read);
        expect(JSON.parse(JSON.stringify(read.message))).toEqual(given);
      }),
    );
  });
});
