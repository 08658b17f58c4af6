import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PushConfigInput } from '../push-configs.ts';
import type { DecodedCall, MethodDecoder } from './decoded-call.ts';
import { methodsV1 } from './v1.ts';
import { methodsV01 } from './v01/methods.ts';
import { pushEventNames, pushEventsV01, toPushEvents } from './v01/push-events.ts';
import { methodsV03 } from './v03/methods.ts';
import { operationsV03Http } from './v03-http/operations.ts';

const visible = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 40,
});
const scheme = fc.constantFrom('Bearer', 'Basic', 'X-Custom_1');
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined });

const config = fc.record({
  id: optional(fc.string({ minLength: 1, maxLength: 40 })),
  url: fc.nat().map((n) => `https://receiver.example/${n}`),
  token: optional(visible),
  authentication: optional(fc.record({ scheme, credentials: optional(visible) })),
});

/** As the versions before 1.0 write it. */
const older = ({ authentication, ...fields }: PushConfigInput) => ({
  ...fields,
  authentication: authentication && {
    schemes: [authentication.scheme],
    credentials: authentication.credentials,
  },
});

function configOf({ call }: DecodedCall): PushConfigInput {
  if (call.operation !== 'CreateTaskPushNotificationConfig') throw new Error(call.operation);
  return call.request.config;
}

function inlineOf({ call }: DecodedCall): PushConfigInput | undefined {
  if (call.operation !== 'SendMessage') throw new Error(call.operation);
  return call.request.configuration?.taskPushNotificationConfig;
}

/** What comes over the wire, without what is undefined. */
const wire = (value: object): unknown => JSON.parse(JSON.stringify(value));
const plain = (value: object | undefined): unknown => value && wire(value);

describe('a config is read alike', () => {
  const taskId = 't';
  const parts = [{ text: 'x' }];
  const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
  const ways: Readonly<
    Record<string, readonly [MethodDecoder, (config: PushConfigInput) => object]>
  > = {
    '1.0': [methodsV1.CreateTaskPushNotificationConfig, (each) => ({ taskId, ...each })],
    '1.0, nested': [
      methodsV1.CreateTaskPushNotificationConfig,
      (each) => ({ taskId, pushNotificationConfig: each }),
    ],
    '0.3': [
      methodsV03['tasks/pushNotificationConfig/set'],
      (each) => ({ taskId, pushNotificationConfig: older(each) }),
    ],
    '0.3 over HTTP+JSON': [
      operationsV03Http.CreateTaskPushNotificationConfig,
      (each) => ({ taskId, name: '', pushNotificationConfig: older(each) }),
    ],
    '0.3 over HTTP+JSON, as the request': [
      operationsV03Http.CreateTaskPushNotificationConfig,
      (each) => ({ taskId, parent: 'x', config: { pushNotificationConfig: older(each) } }),
    ],
  };

  it.each(Object.entries(ways))('from %s', (_name, [decode, write]) => {
    fc.assert(
      fc.property(config, (each) => {
        expect(plain(configOf(decode(wire(write(each)))))).toEqual(plain(each));
      }),
    );
  });

  const sends: Readonly<
    Record<string, readonly [MethodDecoder, (config: PushConfigInput) => object]>
  > = {
    '1.0': [
      methodsV1.SendMessage,
      (each) => ({
        message: { messageId: 'm', role: 'ROLE_USER', parts },
        configuration: { taskPushNotificationConfig: each },
      }),
    ],
    '0.3': [
      methodsV03['message/send'],
      (each) => ({ message, configuration: { pushNotificationConfig: older(each) } }),
    ],
    '0.3 over HTTP+JSON': [
      operationsV03Http.SendMessage,
      (each) => ({
        message: { messageId: 'm', role: 'ROLE_USER', content: parts },
        configuration: { pushNotification: older(each) },
      }),
    ],
  };

  it.each(Object.entries(sends))('from a message of %s', (_name, [decode, write]) => {
    fc.assert(
      fc.property(config, (each) => {
        expect(plain(inlineOf(decode(wire(write(each)))))).toEqual(plain(each));
      }),
    );
  });

  it('from 0.1, which gives it no id', () => {
    fc.assert(
      fc.property(config, (each) => {
        const { id: _id, ...expected } = each;
        const params = { id: 'mine', pushNotificationConfig: older(expected) };
        const decoded = methodsV01['tasks/pushNotification/set'](wire(params));
        expect(plain(configOf(decoded))).toEqual(plain(expected));
      }),
    );
  });
});

describe('of several schemes', () => {
  const read = (schemes: readonly string[], credentials?: string) =>
    configOf(
      methodsV03['tasks/pushNotificationConfig/set']({
        taskId: 't',
        pushNotificationConfig: {
          url: 'https://x.example',
          authentication: { schemes, credentials },
        },
      }),
    ).authentication;

  it('bearer is taken, or else the first; none at all is none', () => {
    expect(read(['Basic', 'bearer'], 'x')).toEqual({ scheme: 'bearer', credentials: 'x' });
    expect(read(['Basic', 'Digest'])?.scheme).toBe('Basic');
    expect(read([])).toBeUndefined();
    expect(() => read([], 'x')).toThrow(/scheme/);
  });
});

it('a filter of 0.1 is shown as it was set', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...pushEventsV01)), (names) => {
      expect(pushEventNames(names.flatMap(toPushEvents))).toEqual(names);
    }),
  );
});
