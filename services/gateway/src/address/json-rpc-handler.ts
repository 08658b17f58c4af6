import { idOf, type JsonRpcId, RelayError, readJsonRpcRequest } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { parseRequestBody, requireJsonContent } from '../http/body.ts';
import { findAgent } from '../registry/find-agent.ts';
import type { AddressCall } from './address-call.ts';
import { findMethod } from './methods.ts';
import { readVersion } from './version.ts';

export interface AddressRoute {
  Params: { handle: string };
}

/** POST on an agent's address: A2A's JSON-RPC binding. Errors are answered by the server, with the id read here. */
export async function answerJsonRpc(
  context: GatewayContext,
  request: FastifyRequest<AddressRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { record } = request;
  // Before anything is checked: every refusal carries the request's id.
  const body = parse(request);
  record.rpcId = body instanceof RelayError ? null : idOf(body);
  const caller = await context.authentication.requireAgentAtAddress(request);
  const callee = await findAgent(context.registry, request.params.handle);
  record.handle = callee.handle;
  requireJsonContent(request);
  if (body instanceof RelayError) throw body;
  const { id, method: name, params } = readJsonRpcRequest(body);
  readVersion(request.headers, request.query);
  const method = findMethod(name);
  record.rpcMethod = name;
  const call = { context, caller, callee, request, reply };
  // Returned, not awaited: a call that waits must not hold the whole request meanwhile.
  return method.kind === 'streaming'
    ? method.call(call, params).then(() => reply)
    : sendResult(call, id, method.call(call, params));
}

async function sendResult(
  { reply }: AddressCall,
  id: JsonRpcId,
  result: Promise<unknown>,
): Promise<FastifyReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: await result });
  return reply.type('application/json; charset=utf-8').send(body);
}

function parse(request: FastifyRequest): unknown {
  try {
    return parseRequestBody(request);
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
}
