import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Artifact, type Message, type Part, type TaskState, taskStates } from '../a2a.ts';
import type { StreamResponse, Task, TaskStatus } from '../a2a-results.ts';
import { taskIdSchema, timestampAt } from '../ids.ts';
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

/** Values of the canonical model, to be written and read by codecs. */

const idText = fc.string({ minLength: 1, maxLength: 40 });
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined });

/** Without keys that are never taken in. */
const isHarmless = (value: unknown) => !JSON.stringify(value).includes('__proto__');
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter(isHarmless)
  .map((value): unknown => plain(value));
const jsonObject = fc
  .dictionary(fc.string({ maxLength: 8 }), json, { minKeys: 1, maxKeys: 3 })
  .filter(isHarmless)
  .map(plain);

const mediaType = fc.constantFrom('text/plain', 'application/json', 'image/png');

/** Without what is undefined, as JSON has it. */
function plain<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value));
  return copy;
}

/** Parts as every version can carry them. */
const carriedPart: fc.Arbitrary<Part> = fc
  .oneof(
    fc.record({ text: fc.string(), metadata: optional(jsonObject) }),
    fc.record({
      raw: fc.base64String(),
      mediaType: optional(mediaType),
      filename: optional(idText),
      metadata: optional(jsonObject),
    }),
    fc.record({
      url: fc.webUrl(),
      mediaType: optional(mediaType),
      filename: optional(idText),
      metadata: optional(jsonObject),
    }),
    fc.record({ data: json, metadata: optional(jsonObject) }),
  )
  .map((part): Part => plain(part));

const parts = fc.array(carriedPart, { minLength: 1, maxLength: 4 });

const requesterMessage: fc.Arbitrary<Message> = fc
  .record({
    messageId: idText,
    contextId: optional(idText),
    taskId: optional(idText),
    role: fc.constant('ROLE_USER' as const),
    parts,
    metadata: optional(jsonObject),
    extensions: optional(fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 })),
    referenceTaskIds: optional(fc.array(idText, { minLength: 1, maxLength: 2 })),
  })
  .map((message): Message => plain(message));

const agentMessage = requesterMessage.map(
  (message): Message => ({ ...message, role: 'ROLE_AGENT' }),
);

const state: fc.Arbitrary<TaskState> = fc.constantFrom(...taskStates);

const status: fc.Arbitrary<TaskStatus> = fc
  .record({
    state,
    message: optional(agentMessage),
    timestamp: fc.nat().map((milliseconds) => timestampAt(milliseconds)),
  })
  .map((value) => ({ ...plain(value), timestamp: value.timestamp }));

const artifact: fc.Arbitrary<Artifact> = fc
  .record({
    artifactId: idText,
    name: optional(idText),
    description: optional(idText),
    parts,
    metadata: optional(jsonObject),
    extensions: optional(fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 })),
  })
  .map((value): Artifact => plain(value));

const taskId = fc.uuid().map((id) => taskIdSchema.parse(id));

const task: fc.Arbitrary<Task> = fc
  .record({
    id: taskId,
    contextId: idText,
    status,
    artifacts: optional(fc.array(artifact, { maxLength: 3 })),
    history: optional(fc.array(fc.oneof(requesterMessage, agentMessage), { maxLength: 3 })),
    metadata: optional(jsonObject),
  })
  .map(({ artifacts, history, metadata, ...rest }) => ({
    ...rest,
    ...(artifacts ? { artifacts } : {}),
    ...(history ? { history } : {}),
    ...(metadata ? { metadata } : {}),
  }));

const streamResponse: fc.Arbitrary<StreamResponse> = fc.oneof(
  task.map((value) => ({ task: value })),
  agentMessage.map((message) => ({ message })),
  fc.record({ taskId, contextId: idText, status }).map((statusUpdate) => ({ statusUpdate })),
  fc
    .record({ taskId, contextId: idText, artifact, lastChunk: fc.constant(true as const) })
    .map((artifactUpdate) => ({ artifactUpdate })),
);

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
