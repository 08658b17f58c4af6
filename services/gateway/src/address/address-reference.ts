import type { ErrorKey } from '@relay/protocol';
import { z } from 'zod';

/** Headers that both bindings take. */
export const addressHeadersSchema = z.object({
  'A2A-Version': z.string().optional().meta({
    description: '`1.0` or `0.3`, which is meant where there is none. It may be in the query too.',
  }),
  'Last-Event-ID': z.string().optional().meta({
    description: 'Of a stream: the id of the last event that was seen; only later ones come then.',
  }),
});

/** What calls at an address are refused for, by what they hold. */
export const addressErrors = {
  transport: ['bodyTooLarge', 'unauthenticated', 'agentNotFound'],
  body: ['parseError', 'invalidRequest'],
  push: ['pushNotSupported', 'targetRefused', 'conflict'],
  send: [
    'blocked',
    'notMessageable',
    'tooManyMessages',
    'contentTypeNotSupported',
    'tasksNotAccepted',
    'contextMismatch',
    'taskFinished',
    'taskTooLarge',
    'answerTimedOut',
  ],
  task: ['taskNotFound', 'taskFinished', 'taskNotCancelable'],
} as const satisfies Readonly<Record<string, readonly ErrorKey[]>>;
