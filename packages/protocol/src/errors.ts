import { z } from 'zod';
import { contactErrors } from './contact-errors.ts';
import { define } from './error-definition.ts';
import type { Immutable } from './immutable.ts';

/**
 * Every refusal Relay can give. `code` is Relay's own (contract §7.2), `status` the HTTP status on REST,
 * `rpc` the JSON-RPC code, `reason` the ErrorInfo reason at the A2A address. One place, so that each
 * wire answers the same refusal in its own words. Match on the key, never on the message.
 */
export const errorCatalogue = define({
  // Transport: refused before the operation is looked at.
  unauthenticated: {
    code: 2004,
    status: 401,
    rpc: -32000,
    rpcStatus: 401,
    reason: 'UNAUTHENTICATED',
    message: 'Bearer authentication is required.',
  },
  forbidden: {
    code: 2003,
    status: 403,
    rpc: -32000,
    reason: 'FORBIDDEN',
    message: 'This identity may not do that.',
  },
  agentNotFound: {
    code: 2001,
    status: 404,
    rpc: -32000,
    rpcStatus: 404,
    reason: 'AGENT_NOT_FOUND',
    message: 'Contact was not found.',
  },
  notFound: {
    code: 2001,
    status: 404,
    rpc: -32000,
    rpcStatus: 404,
    reason: 'NOT_FOUND',
    message: 'Resource not found.',
  },
  bodyTooLarge: {
    code: 1005,
    status: 413,
    rpc: -32600,
    rpcStatus: 413,
    reason: 'BODY_TOO_LARGE',
    message: 'The request body is too large.',
  },
  mediaTypeNotSupported: {
    code: 1005,
    status: 415,
    rpc: -32005,
    rpcStatus: 415,
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    message: 'The request body must be application/json.',
  },
  tooManyConnections: {
    code: 2008,
    status: 429,
    rpc: -32000,
    rpcStatus: 429,
    reason: 'TOO_MANY_CONNECTIONS',
    message: 'This agent has too many connections. Close some, or try again later.',
  },
  unavailable: {
    code: 3006,
    status: 503,
    rpc: -32603,
    rpcStatus: 503,
    reason: 'UNAVAILABLE',
    message: 'Relay cannot do this right now. Try again shortly.',
  },
  internal: {
    code: 3006,
    status: 500,
    rpc: -32603,
    reason: 'INTERNAL',
    message: 'Relay could not complete the request.',
  },

  // Requests that cannot be read.
  parseError: {
    code: 1005,
    status: 400,
    rpc: -32700,
    reason: 'PARSE_ERROR',
    message: 'The request body is not valid JSON.',
  },
  invalidRequest: {
    code: 1005,
    status: 400,
    rpc: -32600,
    reason: 'INVALID_REQUEST',
    message: 'The request is not a JSON-RPC 2.0 request object.',
  },
  methodNotFound: {
    code: 1005,
    status: 404,
    rpc: -32601,
    reason: 'METHOD_NOT_FOUND',
    message: 'There is no such method.',
  },
  invalidParams: {
    code: 1005,
    status: 400,
    rpc: -32602,
    reason: 'INVALID_PARAMS',
    message: 'The request is not valid.',
  },
  versionNotSupported: {
    code: 1005,
    status: 400,
    rpc: -32009,
    reason: 'VERSION_NOT_SUPPORTED',
    message: 'This A2A version is not supported.',
  },

  // Agents and the registry.
  ...contactErrors,
  tasksNotAccepted: {
    code: 2033,
    status: 409,
    rpc: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    message: "This agent doesn't accept tasks.",
  },
  conflict: {
    code: 1005,
    status: 409,
    rpc: -32602,
    reason: 'CONFLICT',
    message: 'The request conflicts with what is there.',
  },

  // URLs that Relay is asked to send to; the message says which rule refused.
  targetRefused: {
    code: 1005,
    status: 400,
    rpc: -32602,
    reason: 'TARGET_REFUSED',
    message: 'Relay may not send to this URL.',
  },

  // Tasks.
  taskNotFound: {
    code: 2001,
    status: 404,
    rpc: -32001,
    reason: 'TASK_NOT_FOUND',
    message: 'Task not found.',
  },
  taskNotCancelable: {
    code: 2034,
    status: 409,
    rpc: -32002,
    reason: 'TASK_NOT_CANCELABLE',
    message: 'This task is already finished.',
  },
  taskFinished: {
    code: 2034,
    status: 409,
    rpc: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    message: 'This task is already finished.',
  },
  taskAnswered: {
    code: 2034,
    status: 409,
    rpc: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    message: 'This task was already answered.',
  },
  answeredInChat: {
    code: 2034,
    status: 409,
    rpc: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    message: 'This message was already answered in the chat.',
  },
  answerTimedOut: {
    code: 3006,
    status: 504,
    rpc: -32603,
    reason: 'DEADLINE_EXCEEDED',
    message: 'The agent has not answered yet. The message stays in the chat.',
  },
  taskTooLarge: {
    code: 1005,
    status: 413,
    rpc: -32602,
    reason: 'TASK_TOO_LARGE',
    message: 'The task would grow past its limit. It can still be ended.',
  },
  artifactTaken: {
    code: 1005,
    status: 400,
    rpc: -32602,
    reason: 'ARTIFACT_TAKEN',
    message: 'The task already has a different artifact with this artifactId.',
  },
  contextMismatch: {
    code: 1005,
    status: 400,
    rpc: -32602,
    reason: 'CONTEXT_MISMATCH',
    message: "The contextId is not the task's.",
  },
  contentTypeNotSupported: {
    code: 1005,
    status: 400,
    rpc: -32005,
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    message: 'A message on a task takes only text/plain and application/json parts.',
  },
  contentNotProcessable: {
    code: 2006,
    status: 422,
    rpc: -32005,
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    message: 'The message holds what Relay cannot take.',
  },
  pushNotSupported: {
    code: 1005,
    status: 400,
    rpc: -32003,
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    message: 'Push notifications are not supported.',
  },
  extendedCardNotConfigured: {
    code: 1005,
    status: 400,
    rpc: -32007,
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    message: 'This agent has no extended card.',
  },
  operationNotSupported: {
    code: 1005,
    status: 400,
    rpc: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    message: 'This operation is not supported.',
  },
});

export type ErrorKey = keyof typeof errorCatalogue;

/** One field that was wrong, as google.rpc.BadRequest names it. */
export const fieldViolationSchema = z.object({ field: z.string(), description: z.string() });
export type FieldViolation = Immutable<z.infer<typeof fieldViolationSchema>>;

/** A refusal on its way to a caller. It crosses the command port, so it is plain data. */
export interface Refusal {
  readonly error: ErrorKey;
  /** A clearer text than the catalogue's, for this case. */
  readonly message?: string | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** What the caller may want to know beside it, by name; shown at the A2A address. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Thrown where a refusal ends a request; the edge turns it into the caller's wire form. */
export class RelayError extends Error {
  override name = 'RelayError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal | ErrorKey) {
    const value = typeof refusal === 'string' ? { error: refusal } : refusal;
    super(value.message ?? errorCatalogue[value.error].message);
    this.refusal = value;
  }
}
