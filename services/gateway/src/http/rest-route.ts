import { type Immutable, validate } from '@relay/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';
import type { Authentication } from './authentication.ts';
import { readJsonBody } from './body.ts';
import { describeRestRoute, type RestDescription } from './rest-operation.ts';

/** One route of Relay's REST: what it takes and answers, as it is checked and as the reference has it. */
export interface RestRoute<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Result extends z.ZodType,
> extends RestDescription {
  readonly method: HTTPMethods;
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Result;
}

/** The answer of a route that answers 204. */
export const noContent = z.void();

type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

export type RouteGeneric<Path extends string> = { Params: PathParameters<Path> };

/** A request of the route. Query and body are checked when they are asked for. */
export interface RestInput<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> {
  readonly request: FastifyRequest<RouteGeneric<Path>>;
  readonly reply: FastifyReply;
  /** @throws RelayError invalidParams */
  readonly query: () => z.output<Query>;
  /**
   * The body before it is checked.
   * @throws RelayError mediaTypeNotSupported, parseError, invalidRequest
   */
  readonly json: () => unknown;
  /** @throws RelayError as json does, or invalidParams */
  readonly body: () => z.output<Body>;
}

export type Handler<Input, Result extends z.ZodType> = (
  input: Input,
) => Immutable<z.output<Result>> | Promise<Immutable<z.output<Result>>>;

interface RestContext {
  readonly authentication: Authentication;
}

/** Adds a route that only agents may use. */
export const addAgentRoute = routeAdder('agent', async (authentication, request) => ({
  caller: await authentication.requireAgent(request),
}));

/** Adds a route that only the administrator may use. */
export const addAdministratorRoute = routeAdder(
  'administrator',
  async (authentication, request) => {
    await authentication.requireAdministrator(request);
    return {};
  },
);

/** Adds a route that the administrator and owners may use. */
export const addManagerRoute = routeAdder('manager', async (authentication, request) => ({
  manager: await authentication.requireManager(request),
}));

/** Adds a route that agents and persons may use. */
export const addContactRoute = routeAdder('contact', async (authentication, request) => ({
  caller: await authentication.requireContact(request),
}));

/** Adds a route that needs no token. */
export const addPublicRoute = routeAdder('anyone', async () => ({}));

/**
 * @param identify gives what handlers know of who asks
 * @throws RelayError for whoever may not use the route
 */
function routeAdder<Identity extends object>(
  caller: Operation['caller'],
  identify: (authentication: Authentication, request: FastifyRequest) => Promise<Identity>,
) {
  return <
    const Path extends string,
    Result extends z.ZodType,
    Query extends z.ZodObject = z.ZodObject,
    Body extends z.ZodType = z.ZodType,
  >(
    server: FastifyInstance,
    { authentication }: RestContext,
    route: RestRoute<Path, Query, Body, Result>,
    handle: Handler<RestInput<Path, Query, Body> & Identity, Result>,
  ): void => {
    server.route<RouteGeneric<Path>>({
      ...describe(route, caller),
      handler: async (request, reply) => {
        const identity = await identify(authentication, request);
        return handle(Object.assign(inputOf(route, request, reply), identity));
      },
    });
  };
}

export function describe<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Result extends z.ZodType,
>(route: RestRoute<Path, Query, Body, Result>, caller: Operation['caller']) {
  const config = { operation: describeRestRoute(route, caller) };
  return { method: route.method, url: route.path, config };
}

export function inputOf<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Result extends z.ZodType,
>(
  { query, body, status = 200 }: RestRoute<Path, Query, Body, Result>,
  request: FastifyRequest<RouteGeneric<Path>>,
  reply: FastifyReply,
): RestInput<Path, Query, Body> {
  reply.code(status);
  // It can be read once.
  let parsed: { readonly value: unknown } | undefined;
  const json = () => {
    parsed ??= { value: readJsonBody(request) };
    return parsed.value;
  };
  return {
    request,
    reply,
    query: () => validate(declared(query), request.query),
    json,
    body: () => validate(declared(body), json()),
  };
}

function declared<Schema>(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error('The route does not say that it takes this');
  return schema;
}
