import {
  agentCardSchema,
  agentCardV03HttpSchema,
  answerV03HttpSchema,
  cancelTaskRequestSchema,
  createPushConfigBodyV03HttpSchema,
  type ErrorKey,
  eventV03HttpSchema,
  getTaskRequestSchema,
  inlinePushConfigSchema,
  listPushConfigsRequestSchema,
  listTasksRequestSchema,
  operations,
  pushConfigPageV03HttpSchema,
  pushConfigV03HttpSchema,
  sendBodyV03HttpSchema,
  taskV03HttpSchema,
} from '@relay/protocol';
import { z } from 'zod';
import type { Answer, Operation } from '../reference/operation.ts';
import { refusalSchemas } from '../reference/refusals.ts';
import { addressErrors, addressHeadersSchema } from './address-reference.ts';
import type { HttpJsonOperation, HttpJsonRoute } from './http-json-paths.ts';

/** What an operation takes beside its path, what it answers in each version, and what it refuses. */
interface Description {
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: Readonly<Record<HttpJsonRoute['version'], z.ZodType>>;
  readonly result?: Readonly<Record<HttpJsonRoute['version'], z.ZodType>>;
  readonly isStream?: boolean;
  readonly errors: readonly ErrorKey[];
}

const sendBody = { '1.0': operations.SendMessage.params, '0.3': sendBodyV03HttpSchema };
const cancelBody = cancelTaskRequestSchema.out.omit({ id: true }).optional();
const task = { '1.0': operations.GetTask.result, '0.3': taskV03HttpSchema };
const events = { '1.0': operations.SubscribeToTask.result, '0.3': eventV03HttpSchema };
const pushConfig = {
  '1.0': operations.CreateTaskPushNotificationConfig.result,
  '0.3': pushConfigV03HttpSchema,
};

const descriptions: Readonly<Record<HttpJsonOperation, Description>> = {
  SendMessage: {
    summary: operations.SendMessage.summary,
    body: sendBody,
    result: { '1.0': operations.SendMessage.result, '0.3': answerV03HttpSchema },
    errors: ['taskNotFound', ...addressErrors.push, ...addressErrors.send],
  },
  SendStreamingMessage: {
    summary: operations.SendStreamingMessage.summary,
    body: sendBody,
    result: events,
    isStream: true,
    errors: ['taskNotFound', ...addressErrors.push, ...addressErrors.send],
  },
  GetTask: {
    summary: operations.GetTask.summary,
    query: getTaskRequestSchema.out.omit({ id: true }),
    result: task,
    errors: ['taskNotFound'],
  },
  ListTasks: {
    summary: operations.ListTasks.summary,
    query: listTasksRequestSchema.out,
    result: { '1.0': operations.ListTasks.result, '0.3': z.never() },
    errors: [],
  },
  CancelTask: {
    summary: operations.CancelTask.summary,
    body: { '1.0': cancelBody, '0.3': cancelBody },
    result: task,
    errors: ['contentTypeNotSupported', 'taskNotFound', 'taskNotCancelable'],
  },
  SubscribeToTask: {
    summary: operations.SubscribeToTask.summary,
    result: events,
    isStream: true,
    errors: ['taskNotFound', 'taskFinished'],
  },
  CreateTaskPushNotificationConfig: {
    summary: operations.CreateTaskPushNotificationConfig.summary,
    body: {
      '1.0': inlinePushConfigSchema,
      '0.3': createPushConfigBodyV03HttpSchema,
    },
    result: pushConfig,
    errors: ['contentTypeNotSupported', 'taskNotFound', ...addressErrors.push],
  },
  GetTaskPushNotificationConfig: {
    summary: operations.GetTaskPushNotificationConfig.summary,
    result: pushConfig,
    errors: ['pushNotSupported', 'taskNotFound'],
  },
  ListTaskPushNotificationConfigs: {
    summary: operations.ListTaskPushNotificationConfigs.summary,
    query: listPushConfigsRequestSchema.out.omit({ taskId: true }),
    result: {
      '1.0': operations.ListTaskPushNotificationConfigs.result,
      '0.3': pushConfigPageV03HttpSchema,
    },
    errors: ['pushNotSupported', 'taskNotFound'],
  },
  DeleteTaskPushNotificationConfig: {
    summary: operations.DeleteTaskPushNotificationConfig.summary,
    result: {
      '1.0': operations.DeleteTaskPushNotificationConfig.result,
      '0.3': operations.DeleteTaskPushNotificationConfig.result,
    },
    errors: ['pushNotSupported', 'taskNotFound'],
  },
  GetExtendedAgentCard: {
    summary: "An agent's card with the skills that only agents see",
    result: { '1.0': agentCardSchema, '0.3': agentCardV03HttpSchema },
    errors: [],
  },
};

/** One route of the HTTP+JSON binding, at the root or under `/a2a`. */
export function describeHttpJsonRoute(route: HttpJsonRoute, prefix: '' | '/a2a'): Operation {
  const { version, operation } = route;
  const { summary, query, body, errors } = descriptions[operation];
  const isOlder = version === '0.3';
  return {
    id: idOf(route, prefix),
    tag: isOlder ? 'A2A 0.3' : 'A2A',
    summary,
    caller: 'agent',
    headers: addressHeadersSchema,
    ...(query ? { query } : {}),
    ...(body ? { body: body[version], bodyTypes: mediaTypes['1.0'] } : {}),
    answers: answersOf(route),
    errors: [
      ...addressErrors.transport,
      ...(body ? addressErrors.body : []),
      'versionNotSupported',
      'invalidParams',
      ...(isOlder ? (['methodNotFound'] as const) : []),
      ...errors,
      ...(operation === 'GetExtendedAgentCard' ? [noCard[version]] : []),
      'unavailable',
      'internal',
    ],
    errorForm: isOlder ? 'http-json-v03' : 'http-json',
  };
}

const noCard = { '1.0': 'operationNotSupported', '0.3': 'extendedCardNotConfigured' } as const;

const mediaTypes = {
  '1.0': ['application/a2a+json', 'application/json'],
  '0.3': ['application/json'],
} as const;

function answersOf({ version, operation }: HttpJsonRoute): readonly Answer[] {
  const { result, isStream } = descriptions[operation];
  if (!result) return [];
  if (isStream) {
    const form = version === '1.0' ? 'http-json' : 'http-json-v03';
    const data = z.union([result[version], refusalSchemas[form]]);
    const description = 'A stream. A failure is its last event, whose name is `error`.';
    return [{ status: 200, description, content: { 'text/event-stream': data } }];
  }
  const content = Object.fromEntries(mediaTypes[version].map((type) => [type, result[version]]));
  return [{ status: 200, description: 'The result.', content }];
}

function idOf({ version, operation, method }: HttpJsonRoute, prefix: '' | '/a2a'): string {
  return [
    `a2a${operation}`,
    operation === 'SubscribeToTask' && method === 'GET' ? 'ByGet' : '',
    version === '0.3' ? 'V03' : '',
    prefix === '' ? '' : 'UnderA2a',
  ].join('');
}
