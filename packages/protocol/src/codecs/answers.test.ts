import { StreamResponse } from '@a2a-js/sdk';
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../a2a.ts';
import type { StreamResponse as CanonicalEvent, Task } from '../a2a-results.ts';
import { agentMessage, plain, streamResponse, task } from '../test-support/arbitraries.ts';
import {
  artifactCarriedByV01,
  carriedByV01,
  readArtifactV01,
  readEventV03Http,
  readMessageV01,
  readStatusV01,
  readTaskV01,
  readTaskV03Http,
  statusCarriedByV01,
} from '../test-support/readers.ts';
import type { AnswerEncoder } from './decoded-call.ts';
import { methodsV1 } from './v1.ts';
import { encoderV01 } from './v01/encode.ts';
import { eventV01Schema, taskV01Schema } from './v01/shapes.ts';
import { encoderV03 } from './v03/encode.ts';
import { encoderV03Http } from './v03-http/encode.ts';
import { eventV03HttpSchema, taskV03HttpSchema } from './v03-http/shapes.ts';

/** Answers that a codec writes are what they were when a client has read them. */

const artifactIndex = 3;

/** All that tells of one update, as it comes over the wire. */
const eventsOf = (encoder: AnswerEncoder, response: CanonicalEvent, isLast: boolean) =>
  plain(encoder.events({ response, isLast, artifactIndex }));

describe('1.0', () => {
  const { encoder } = methodsV1.GetTask({ id: 'x' });

  it('carries tasks, messages and events as they are', () => {
    fc.assert(
      fc.property(task, agentMessage, streamResponse, fc.boolean(), (...values) => {
        const [written, message, response, isLast] = values;
        expect(plain(encoder.task(written))).toEqual(plain(written));
        for (const answer of [{ task: written }, { message }]) {
          expect(plain(encoder.answer(answer))).toEqual(plain(answer));
        }
        expect(eventsOf(encoder, response, isLast)).toEqual([plain(response)]);
      }),
    );
  });
});

describe('0.3 over JSON-RPC', () => {
  /** As the A2A SDK reads it: it has one reader for tasks, messages and events. */
  const read = (written: unknown) =>
    StreamResponse.toJSON(legacyPushNotificationToV1StreamResponse(written));
  const canonical = (response: unknown) => StreamResponse.toJSON(StreamResponse.fromJSON(response));
  /** The SDK takes a part whose data is null for an empty one; `round-trip.test.ts` shows that it is carried. */
  const isRead = (value: unknown) => !JSON.stringify(value).includes('"data":null');

  it('carries tasks and messages', () => {
    fc.assert(
      fc.property(task.filter(isRead), agentMessage.filter(isRead), (value, message) => {
        const response = canonical({ task: value });
        expect(read(plain(encoderV03.task(value)))).toEqual(response);
        expect(read(plain(encoderV03.answer({ task: value })))).toEqual(response);
        expect(read(plain(encoderV03.answer({ message })))).toEqual(canonical({ message }));
      }),
    );
  });

  it('carries the events of streams', () => {
    fc.assert(
      fc.property(streamResponse.filter(isRead), fc.boolean(), (response, isLast) => {
        const [event] = eventsOf(encoderV03, response, isLast);
        expect(read(event)).toEqual(canonical(response));
      }),
    );
  });
});

describe('0.3 over HTTP+JSON', () => {
  const withoutReferences = ({ referenceTaskIds: _references, ...message }: Message) => message;

  const carriedTask = ({ status, history, ...rest }: Task) => ({
    ...rest,
    status: {
      ...status,
      ...(status.message ? { message: withoutReferences(status.message) } : {}),
    },
    ...(history ? { history: history.map(withoutReferences) } : {}),
  });

  const carried = (response: CanonicalEvent) => {
    if ('task' in response) return { task: carriedTask(response.task) };
    if ('message' in response) return { message: withoutReferences(response.message) };
    if ('artifactUpdate' in response) return response;
    const { status, ...update } = response.statusUpdate;
    const message = status.message && { message: withoutReferences(status.message) };
    return { statusUpdate: { ...update, status: { ...status, ...message } } };
  };

  it('carries tasks', () => {
    fc.assert(
      fc.property(task, (value) => {
        const written = taskV03HttpSchema.parse(plain(encoderV03Http.task(value)));
        expect(plain(readTaskV03Http(written))).toEqual(plain(carriedTask(value)));
      }),
    );
  });

  it('carries answers and the events of streams', () => {
    fc.assert(
      fc.property(streamResponse, fc.boolean(), (response, isLast) => {
        const [event] = eventsOf(encoderV03Http, response, isLast);
        const read = plain(readEventV03Http(eventV03HttpSchema.parse(event)));
        expect(read).toEqual(plain(carried(response)));
        if (!('task' in response || 'message' in response)) return;
        expect(plain(encoderV03Http.answer(response))).toEqual(event);
      }),
    );
  });
});

describe('0.1', () => {
  const encoder = encoderV01('mine');

  const carriedTask = ({ contextId, status, artifacts, history, metadata }: Task) => ({
    id: 'mine',
    contextId,
    status: statusCarriedByV01(status),
    ...(artifacts ? { artifacts: artifacts.map(artifactCarriedByV01) } : {}),
    ...(history ? { history: history.map(carriedByV01) } : {}),
    ...(metadata ? { metadata } : {}),
  });

  it('carries tasks by their names', () => {
    fc.assert(
      fc.property(task, (value) => {
        const written = taskV01Schema.parse(plain(encoder.task(value)));
        expect(plain(readTaskV01(written))).toEqual(plain(carriedTask(value)));
      }),
    );
  });

  it('carries a Message as a task that is completed with it', () => {
    fc.assert(
      fc.property(agentMessage, (message) => {
        const { id, sessionId, status } = taskV01Schema.parse(plain(encoder.answer({ message })));
        expect([id, sessionId, status.state]).toEqual(['mine', message.contextId, 'completed']);
        expect(status.message && plain(readMessageV01(status.message))).toEqual(
          carriedByV01(message),
        );
      }),
    );
  });

  /** What is told of an event, one after the other: artifacts by their places, and a status. */
  const told = (response: CanonicalEvent): unknown[] => {
    if ('artifactUpdate' in response) {
      return [artifactCarriedByV01(response.artifactUpdate.artifact, artifactIndex)];
    }
    if ('statusUpdate' in response) return [statusCarriedByV01(response.statusUpdate.status)];
    if ('message' in response) {
      return [{ state: 'completed', message: carriedByV01(response.message) }];
    }
    const { artifacts = [], status } = response.task;
    return [...artifacts.map(artifactCarriedByV01), statusCarriedByV01(status)];
  };

  it('carries the events of streams, and of a Task its artifacts and its status', () => {
    fc.assert(
      fc.property(streamResponse, fc.boolean(), (response, isLast) => {
        const events = eventsOf(encoder, response, isLast).map((event) =>
          eventV01Schema.parse(event),
        );
        const read = events.map((event) =>
          'artifact' in event ? readArtifactV01(event.artifact) : readStatusV01(event.status),
        );
        expect(plain(read)).toEqual(plain(told(response)));
        for (const { id } of events) expect(id).toBe('mine');
      }),
    );
  });
});
