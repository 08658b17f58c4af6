import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Message } from '../a2a.ts';
import { taskIdSchema, timestampAt } from '../ids.ts';
import type { DecodedCall, MethodDecoder } from './decoded-call.ts';
import { encoderV01 } from './v01/encode.ts';
import { encodeMessage } from './v03/encode.ts';
import { methodsV03 } from './v03/methods.ts';
import { operationsV03Http } from './v03-http/operations.ts';

/** The message of a send that was read, as JSON has it. */
function messageOf({ call }: DecodedCall) {
  if (!('request' in call && 'message' in call.request)) throw new Error('It is no send');
  const { message } = call.request;
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
}

describe('a part before 1.0', () => {
  const send = methodsV03['message/send'];
  const withPart = (part: unknown) => ({
    message: { kind: 'message', messageId: 'm', role: 'user', parts: [part] },
  });

  it.each([
    { kind: 'text' },
    { kind: 'text', text: 7 },
    { kind: 'file' },
    { kind: 'file', file: {} },
    { kind: 'file', file: { bytes: 'eA==', uri: 'https://x.example' } },
    { kind: 'file', file: { bytes: '***' } },
    { kind: 'data' },
    { kind: 'data', data: [] },
    { kind: 'video', text: 'x' },
    { text: 'x' },
    'x',
  ])('%j is refused', (part) => {
    expect(() => send(withPart(part))).toThrow(/parts/);
  });

  it('may name its members in snake case, and null means absent', () => {
    const part = { kind: 'file', file: { bytes: 'eA==', uri: null, mime_type: 'text/plain' } };
    expect(messageOf(send(withPart({ ...part, metadata: null })))).toMatchObject({
      parts: [{ raw: 'eA==', mediaType: 'text/plain' }],
    });
  });

  it('loses the media type and file name of text and data', () => {
    const message: Message = {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [
        { text: 'x', mediaType: 'text/plain', filename: 'x.txt' },
        { data: { a: 1 }, mediaType: 'application/json', filename: 'x.json' },
      ],
    };
    const decoded = messageOf(send({ message: encodeMessage(message) }));
    expect(decoded['parts']).toEqual([{ text: 'x' }, { data: { a: 1 } }]);
  });
});

describe('blocking', () => {
  const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
  const httpMessage = { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'x' }] };
  const returnsAtOnce = (decode: MethodDecoder, params: object) => {
    const { call } = decode(params);
    return call.operation === 'SendMessage' && call.request.configuration?.returnImmediately;
  };

  it.each([
    [undefined, false],
    [{}, false],
    [{ blocking: true }, false],
    [{ blocking: false }, true],
  ])('in 0.3, %j returns at once: %s', (configuration, atOnce) => {
    expect(returnsAtOnce(methodsV03['message/send'], { message, configuration })).toBe(atOnce);
  });

  it.each([
    [undefined, false],
    [{}, true],
    [{ blocking: true }, false],
    [{ blocking: false }, true],
  ])('in the HTTP+JSON of 0.3, %j returns at once: %s', (configuration, atOnce) => {
    const body = { message: httpMessage, configuration };
    expect(returnsAtOnce(operationsV03Http.SendMessage, body)).toBe(atOnce);
  });

  it('reads a message under either of its names in the HTTP+JSON of 0.3', () => {
    expect(messageOf(operationsV03Http.SendMessage({ request: httpMessage }))).toEqual(
      messageOf(operationsV03Http.SendMessage({ message: httpMessage })),
    );
  });
});

describe('0.1', () => {
  it.each([
    ['TASK_STATE_REJECTED', 'failed'],
    ['TASK_STATE_AUTH_REQUIRED', 'input-required'],
  ] as const)('has no state %s: it is %s', (state, written) => {
    const status = { state, timestamp: timestampAt(0) };
    const statusUpdate = { taskId: taskIdSchema.parse(randomUUID()), contextId: 'c', status };
    const events = encoderV01('mine').events({ response: { statusUpdate }, isLast: false });
    expect(events).toMatchObject([{ id: 'mine', status: { state: written }, final: false }]);
  });

  it('answers a Message as a task that is completed with it', () => {
    const parts = [{ text: 'hello' }];
    const message: Message = { messageId: 'm', role: 'ROLE_AGENT', contextId: 'c', parts };
    expect(encoderV01('mine').answer({ message })).toEqual({
      id: 'mine',
      sessionId: 'c',
      status: {
        state: 'completed',
        message: { role: 'agent', parts: [{ type: 'text', text: 'hello' }] },
      },
    });
  });
});
