import {
  type DecodedCall,
  idOf,
  parseJsonRpcBody,
  RelayError,
  readJsonRpcRequest,
} from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { parseRequestBody, requireJsonContent } from '../http/body.ts';
import { refusalOf } from '../http/refusals.ts';
import type { AddressRequest } from './address-call.ts';
import { jsonRpcBinding } from './bindings/json-rpc.ts';
import { findMethod, type Method } from './methods.ts';
import { withTaskIds } from './named-tasks.ts';
import { type AddressRoute, requireParties } from './parties.ts';
import { performCall } from './perform-call.ts';
import { refusePushWhereOff } from './push-operations.ts';
import { refuseInStream, wantsStream } from './refuse-in-stream.ts';
import { readVersion } from './version.ts';

/**
 * POST on an agent's address: A2A's JSON-RPC binding, in every version. Errors are answered by the server,
 * with the id read here.
 */
export async function answerJsonRpc(
  context: GatewayContext,
  request: FastifyRequest<AddressRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { record } = request;
  // Before anything is checked: every refusal carries the request's id.
  const body = parse(request);
  record.rpcId = body instanceof RelayError ? null : idOf(body);
  const parties = await requireParties(context, request);
  requireJsonContent(request);
  if (body instanceof RelayError) throw body;
  const { id, method: name, params } = readJsonRpcRequest(body);
  const method = findMethod(name, readVersion(request.headers, request.query));
  record.rpcMethod = name;
  refusePushWhereOff(context, name);
  const called = { context, request, reply, binding: jsonRpcBinding(id), ...parties };
  // Returned, not awaited: a call that waits must not hold the whole request meanwhile.
  return method.refusesInStream && wantsStream(request)
    ? perform(called, method, params).catch((error) => refuseInStream(called, refusalOf(error)))
    : perform(called, method, params);
}

/** What is there of 1.0 and 0.3 alone takes no turn of its own. */
function perform(
  called: AddressRequest,
  { decode, decodeNamed }: Method,
  params: unknown,
): Promise<FastifyReply> {
  const performDecoded = ({ call, encoder }: DecodedCall) =>
    performCall({ encoder, ...called }, call);
  const decoded = decode?.(params);
  if (decodeNamed) {
    return withTaskIds(called, decodeNamed(params), decoded).then(performDecoded);
  }
  if (!decoded) throw new RelayError('methodNotFound');
  return performDecoded(decoded);
}

function parse(request: FastifyRequest): unknown {
  try {
    return parseRequestBody(request, parseJsonRpcBody);
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
}
