import {
  isJsonObject,
  type MethodDecoder,
  methodsV1,
  operationsV03Http,
  RelayError,
} from '@relay/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { readA2aBody } from '../http/body.ts';
import { negotiatedMediaType } from '../http/media-types.ts';
import { httpJsonBinding, httpJsonBindingV03 } from './bindings/http-json.ts';
import { describeHttpJsonRoute } from './http-json-operation.ts';
import { type HttpJsonOperation, type HttpJsonRoute, httpJsonRoutes } from './http-json-paths.ts';
import { type AddressRoute, requireParties } from './parties.ts';
import { performCall } from './perform-call.ts';
import { refusePushWhereOff } from './push-operations.ts';
import { readVersion } from './version.ts';

type HttpJsonRequest = FastifyRequest<{ Params: AddressRoute['Params'] & Record<string, string> }>;

/** A2A's HTTP+JSON binding below an agent's address: that of 1.0, and below `/v1` that of 0.3. */
export function addHttpJsonRoutes(
  server: FastifyInstance,
  context: GatewayContext,
  prefix: '' | '/a2a',
): void {
  for (const route of httpJsonRoutes) {
    server.route<{ Params: HttpJsonRequest['params'] }>({
      method: route.method,
      url: `${prefix}/:handle${route.path}`,
      config: { operation: describeHttpJsonRoute(route, prefix) },
      handler: (request, reply) => answerHttpJson(context, route, request, reply),
    });
  }
}

async function answerHttpJson(
  context: GatewayContext,
  route: HttpJsonRoute,
  request: HttpJsonRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const parties = await requireParties(context, request);
  const isCurrent = route.version === '1.0';
  refuseOtherVersion(request, route);
  const binding = isCurrent
    ? httpJsonBinding(negotiatedMediaType(request.headers))
    : httpJsonBindingV03;
  request.record.rpcMethod = route.operation;
  refusePushWhereOff(context, route.operation);
  const { call, encoder } = decoderOf(route)(readParams(request, route));
  return performCall({ context, request, reply, binding, encoder, ...parties }, call);
}

/** As over JSON-RPC: what 1.0 has is answered whatever version was asked for, older forms not as 1.0. */
function refuseOtherVersion({ headers, query }: HttpJsonRequest, { version }: HttpJsonRoute): void {
  const asked = readVersion(headers, query);
  if (version === '0.3' && asked === '1.0') throw new RelayError('methodNotFound');
}

function decoderOf({ version, operation }: HttpJsonRoute): MethodDecoder {
  if (version === '1.0') return methodsV1[operation];
  const decoders: Partial<Record<HttpJsonOperation, MethodDecoder>> = operationsV03Http;
  return decoders[operation] ?? refuseMethod;
}

function refuseMethod(): never {
  throw new RelayError('methodNotFound');
}

/** The parameters as JSON-RPC would have them: from the query, or the body, and the path. */
function readParams(request: HttpJsonRequest, { method, pathFields }: HttpJsonRoute): unknown {
  const given = method === 'POST' ? readA2aBody(request) : request.query;
  if (pathFields === undefined) return given;
  if (given !== undefined && !isJsonObject(given)) throw new RelayError('invalidParams');
  const named = Object.entries(pathFields).map(([parameter, field]) => [
    field,
    request.params[parameter],
  ]);
  return { ...given, ...Object.fromEntries(named) };
}
