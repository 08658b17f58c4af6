import type { ErrorKey } from '@relay/protocol';
import type { z } from 'zod';
import type { Operation } from '../reference/operation.ts';

/** What a route of Relay's REST says of itself. */
export interface RestDescription
  extends Pick<Operation, 'id' | 'tag' | 'summary' | 'description' | 'query' | 'body'> {
  /** 200 unless said. */
  readonly status?: number;
  readonly answer: z.ZodType;
  /** What it refuses beyond what its caller, query and body can be refused for. */
  readonly errors: readonly ErrorKey[];
}

const bodyErrors: readonly ErrorKey[] = [
  'bodyTooLarge',
  'mediaTypeNotSupported',
  'parseError',
  'invalidRequest',
];

/** The operation of a route, with all that its caller, query and body can be refused for. */
export function describeRestRoute(route: RestDescription, caller: Operation['caller']): Operation {
  const { id, tag, summary, description, query, body, status = 200, answer, errors } = route;
  const content = status === 204 ? {} : { content: { 'application/json': answer } };
  return {
    id,
    tag,
    summary,
    caller,
    ...(description === undefined ? {} : { description }),
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    answers: [{ status, description: 'Done.', ...content }],
    errors: [
      ...(caller === 'anyone' ? [] : (['unauthenticated', 'forbidden'] as const)),
      ...(body ? bodyErrors : []),
      ...(query || body ? (['invalidParams'] as const) : []),
      ...errors,
      'unavailable',
      'internal',
    ],
    errorForm: 'rest',
  };
}
