import {
  agentCardSchema,
  agentCardV03Schema,
  eventV01Schema,
  eventV03Schema,
  jsonRpcIdSchema,
  jsonRpcRequestSchema,
  messageV03Schema,
  namedTaskParamsSchema,
  operations,
  pushConfigParamsV03Schema,
  pushConfigV01Schema,
  pushConfigV03Schema,
  sendParamsV01Schema,
  sendParamsV03Schema,
  setPushConfigParamsV01Schema,
  setPushConfigParamsV03Schema,
  taskV01Schema,
  taskV03Schema,
} from '@relay/protocol';
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';
import { refusalSchemas } from '../reference/refusals.ts';
import { addressErrors, addressHeadersSchema } from './address-reference.ts';

const operationList = Object.entries(operations);

const callOf = (method: string, params: z.ZodType) =>
  jsonRpcRequestSchema.extend({ method: z.literal(method), params });

const callSchema = z
  .union([
    ...operationList.map(([method, { summary, params }]) =>
      callOf(method, params).meta({ id: `${method}Call`, description: summary }),
    ),
    ...['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard'].map((method) =>
      callOf(method, z.unknown().optional()),
    ),
    ...['message/send', 'message/stream'].map((method) => callOf(method, sendParamsV03Schema)),
    ...['tasks/send', 'tasks/sendSubscribe'].map((method) => callOf(method, sendParamsV01Schema)),
    ...['tasks/get', 'tasks/cancel', 'tasks/resubscribe', 'tasks/pushNotification/get'].map(
      (method) => callOf(method, namedTaskParamsSchema),
    ),
    callOf('tasks/pushNotification/set', setPushConfigParamsV01Schema),
    callOf('tasks/pushNotificationConfig/set', setPushConfigParamsV03Schema),
    ...(['get', 'list', 'delete'] as const).map((verb) =>
      callOf(`tasks/pushNotificationConfig/${verb}`, pushConfigParamsV03Schema[verb]),
    ),
  ])
  .meta({ id: 'A2ACall', description: 'A JSON-RPC 2.0 request; batches are refused.' });

const resultOf = (results: readonly z.ZodType[]) =>
  z.object({ jsonrpc: z.literal('2.0'), id: jsonRpcIdSchema, result: z.union([...results]) });

const resultsOf = (isStream: boolean) =>
  new Set(
    operationList.flatMap(([, operation]) =>
      operation.isStream === isStream ? operation.result : [],
    ),
  );

const resultSchema = resultOf([
  ...resultsOf(false),
  taskV03Schema,
  messageV03Schema,
  taskV01Schema,
  pushConfigV03Schema,
  z.array(pushConfigV03Schema),
  z.null(),
  pushConfigV01Schema,
  agentCardSchema,
  agentCardV03Schema,
]).meta({ id: 'A2AResult' });

const streamEventSchema = z.union([
  resultOf([...resultsOf(true), eventV03Schema, eventV01Schema]).meta({
    id: 'A2AStreamEvent',
    description: "The data of one event of a stream. The event's id is the task's revision.",
  }),
  refusalSchemas['json-rpc'],
]);

/** POST on an agent's address, at the root or under `/a2a`. */
export function describeAddress(prefix: '' | '/a2a'): Operation {
  return {
    id: prefix === '' ? 'callAgent' : 'callAgentUnderA2a',
    tag: 'A2A',
    summary: 'Call an operation of A2A by JSON-RPC',
    description:
      "The method's name tells the version: names of 1.0 are answered in its shapes whatever the header " +
      'says, those of 0.3 and 0.1 in theirs unless the header says 1.0. A refusal that concerns the ' +
      'operation has HTTP status 200. Streams end when the task is final, and after ten minutes; ' +
      'subscribe again then. Those of `message/stream` and `tasks/sendSubscribe` also end where the agent ' +
      'asks for input. A stream that fails ends with the error as its last event. Where ' +
      '`RELAY_A2A_AUTH_ERRORS` is 200, so is the status of a missing or bad token.',
    caller: 'agent',
    headers: addressHeadersSchema,
    body: callSchema,
    answers: [
      {
        status: 200,
        description: 'The result, or a stream of results.',
        content: { 'application/json': resultSchema, 'text/event-stream': streamEventSchema },
      },
    ],
    errors: [
      ...addressErrors.transport,
      'mediaTypeNotSupported',
      ...addressErrors.body,
      'versionNotSupported',
      'methodNotFound',
      'operationNotSupported',
      'extendedCardNotConfigured',
      ...addressErrors.push,
      'invalidParams',
      ...addressErrors.send,
      ...addressErrors.task,
      'unavailable',
      'internal',
    ],
    errorForm: 'json-rpc',
  };
}
