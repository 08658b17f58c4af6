import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Message, Part } from '../a2a.ts';
import {
  carriedPart,
  plain,
  requesterMessage,
  streamResponse,
  task,
} from '../test-support/arbitraries.ts';
import type { AnswerEncoder, DecodedCall } from './decoded-call.ts';
import { methodsV1 } from './v1.ts';
import { encodeMessageV01, encoderV01 } from './v01/encode.ts';
import { methodsV01 } from './v01/methods.ts';
import { eventV01Schema, taskV01Schema } from './v01/shapes.ts';
import { encodeMessage, encoderV03 } from './v03/encode.ts';
import { methodsV03 } from './v03/methods.ts';
import { eventV03Schema, taskV03Schema } from './v03/shapes.ts';
import { encodeHttpMessage, encoderV03Http } from './v03-http/encode.ts';
import { operationsV03Http } from './v03-http/operations.ts';
import { eventV03HttpSchema, taskV03HttpSchema } from './v03-http/shapes.ts';

/** The message of a send that was read. */
function messageOf({ call }: DecodedCall) {
  if (!('request' in call && 'message' in call.request)) throw new Error('It is no send');
  return plain(call.request.message);
}

const sendV01 = (message: unknown, fields: object = {}) =>
  methodsV01['tasks/send']({ id: 'mine', message, ...fields });

/** What each version does with a message that it writes and reads again. */
const versions: readonly {
  readonly version: string;
  readonly roundTrip: (message: Message) => unknown;
  /** What of a message it can carry. */
  readonly carried: (message: Message) => unknown;
}[] = [
  {
    version: '1.0',
    roundTrip: (message) => messageOf(methodsV1.SendMessage({ message })),
    carried: (message) => message,
  },
  {
    version: '0.3 over JSON-RPC',
    roundTrip: (message) =>
      messageOf(methodsV03['message/send']({ message: encodeMessage(message) })),
    carried: (message) => message,
  },
  {
    version: '0.3 over HTTP+JSON',
    roundTrip: (message) =>
      messageOf(operationsV03Http.SendMessage({ message: encodeHttpMessage(message) })),
    carried: ({ referenceTaskIds: _referenceTaskIds, ...message }) => message,
  },
  {
    version: '0.1',
    roundTrip: (message) => {
      const { messageId: _messageId, ...rest } = messageOf(sendV01(encodeMessageV01(message)));
      return rest;
    },
    carried: ({ role, parts, metadata }) => ({ role, parts, ...(metadata ? { metadata } : {}) }),
  },
];

describe.each(versions)('A2A $version', ({ roundTrip, carried }) => {
  it('reads what it writes of a message as what it was', () => {
    fc.assert(
      fc.property(requesterMessage, (message) => {
        expect(roundTrip(message)).toEqual(carried(message));
      }),
    );
  });

  it.each<[string, Part]>([
    ['null', { data: null }],
    ['a list', { data: [1, { a: 2 }] }],
    ['text with metadata', { data: 'x', metadata: { a: 1 } }],
    ['an object that holds a value', { data: { value: 1 } }],
    ['text that is not ASCII', { text: 'Grüße, 世界 👋🏽 \u2028' }],
  ])('carries %s', (_what, part) => {
    const message: Message = { messageId: 'm', role: 'ROLE_USER', parts: [part] };
    expect(roundTrip(message)).toEqual(carried(message));
  });
});

const answers: readonly {
  readonly version: string;
  readonly encoder: AnswerEncoder;
  readonly task: z.ZodType;
  readonly event: z.ZodType;
}[] = [
  { version: '0.3 over JSON-RPC', encoder: encoderV03, task: taskV03Schema, event: eventV03Schema },
  {
    version: '0.3 over HTTP+JSON',
    encoder: encoderV03Http,
    task: taskV03HttpSchema,
    event: eventV03HttpSchema,
  },
  {
    version: '0.1',
    encoder: encoderV01('mine'),
    task: taskV01Schema,
    event: eventV01Schema,
  },
];

describe.each(answers)('answers of A2A $version', ({ encoder, ...schemas }) => {
  it('hold nothing that the version does not have', () => {
    fc.assert(
      fc.property(task, (value) => {
        const written = plain(encoder.task(value));
        expect(schemas.task.parse(written)).toEqual(written);
      }),
    );
  });

  it('say that a stream ends in its last event, and only there', () => {
    fc.assert(
      fc.property(streamResponse, fc.boolean(), (response, isLast) => {
        const events = plain(encoder.events({ response, isLast, artifactIndex: 2 }));
        for (const event of events) expect(schemas.event.parse(event)).toEqual(event);
        const saysFinal = events.map((event) => JSON.stringify(event).includes('"final":true'));
        expect(saysFinal.slice(0, -1)).not.toContain(true);
        const canSay = 'task' in response || 'statusUpdate' in response;
        if (canSay) expect(saysFinal.at(-1)).toBe(isLast);
      }),
    );
  });
});

describe('the messageId of a message in 0.1', () => {
  it('is the same for the same message on the same task, and no other', () => {
    const parts = (part: Part) =>
      encodeMessageV01({ messageId: 'm', role: 'ROLE_USER', parts: [part] });
    const idOf = (message: unknown, id = 'mine') => messageOf(sendV01(message, { id })).messageId;
    fc.assert(
      fc.property(carriedPart, (part) => {
        const id = idOf(parts(part));
        expect(idOf(parts(part))).toBe(id);
        expect(idOf(parts(part), 'other')).not.toBe(id);
        expect(idOf({ ...parts(part), metadata: { one: 'more' } })).not.toBe(id);
      }),
    );
  });
});
