import { randomUUID } from 'node:crypto';
import { agentIdSchema, eventEnvelopeSchema, eventTypes, timestampAt } from '@relay/protocol';
import { expect, it } from 'vitest';
import { makeUpEvent } from './made-up-event.ts';

it.each(eventTypes)('a made-up %s reads like one that came to be', (type) => {
  const event = makeUpEvent(type, {
    eventId: randomUUID(),
    traceId: '0'.repeat(32),
    agentId: agentIdSchema.parse(randomUUID()),
    at: timestampAt(0),
  });
  expect(eventEnvelopeSchema.parse(event)).toEqual(event);
});
