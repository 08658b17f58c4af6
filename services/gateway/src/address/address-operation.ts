import { jsonRpcIdSchema, jsonRpcRequestSchema, operations } from '@relay/protocol';
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';
import { refusalSchemas } from '../reference/refusals.ts';

const operationList = Object.entries(operations);

const callSchema = z
  .union(
    operationList.map(([method, { summary, params }]) =>
      jsonRpcRequestSchema
        .extend({ method: z.literal(method), params })
        .meta({ id: `${method}Call`, description: summary }),
    ),
  )
  .meta({ id: 'A2ACall', description: 'A JSON-RPC 2.0 request; batches are refused.' });

const resultOf = (isStream: boolean) =>
  z.object({
    jsonrpc: z.literal('2.0'),
    id: jsonRpcIdSchema,
    result: z.union([
      ...new Set(
        operationList.flatMap(([, operation]) =>
          operation.isStream === isStream ? operation.result : [],
        ),
      ),
    ]),
  });

const resultSchema = resultOf(false).meta({ id: 'A2AResult' });

const streamEventSchema = z.union([
  resultOf(true).meta({
    id: 'A2AStreamEvent',
    description: "The data of one event of a stream. The event's id is the task's revision.",
  }),
  refusalSchemas['json-rpc'],
]);

const headersSchema = z.object({
  'A2A-Version': z.string().optional().meta({
    description: '`1.0` or `0.3`, which is meant where there is none. It may be in the query too.',
  }),
  'Last-Event-ID': z.string().optional().meta({
    description: 'Of a stream: the id of the last event that was seen; only later ones come then.',
  }),
});

/** POST on an agent's address, at the root or under `/a2a`. */
export function describeAddress(prefix: '' | '/a2a'): Operation {
  return {
    id: prefix === '' ? 'callAgent' : 'callAgentUnderA2a',
    tag: 'A2A',
    summary: 'Call an operation of A2A 1.0 by JSON-RPC',
    description:
      'A refusal that concerns the operation has HTTP status 200. Streams end when the task is final, ' +
      'and after ten minutes; subscribe again then. A stream that fails ends with the error as its last ' +
      'event. Where `RELAY_A2A_AUTH_ERRORS` is 200, so is the status of a missing or bad token.',
    caller: 'agent',
    headers: headersSchema,
    body: callSchema,
    answers: [
      {
        status: 200,
        description: 'The result, or a stream of results.',
        content: { 'application/json': resultSchema, 'text/event-stream': streamEventSchema },
      },
    ],
    errors: [
      'bodyTooLarge',
      'unauthenticated',
      'agentNotFound',
      'mediaTypeNotSupported',
      'parseError',
      'invalidRequest',
      'versionNotSupported',
      'methodNotFound',
      'operationNotSupported',
      'pushNotSupported',
      'invalidParams',
      'contentTypeNotSupported',
      'tasksNotAccepted',
      'taskNotFound',
      'contextMismatch',
      'taskFinished',
      'taskNotCancelable',
      'taskTooLarge',
      'unavailable',
      'internal',
    ],
    errorForm: 'json-rpc',
  };
}
