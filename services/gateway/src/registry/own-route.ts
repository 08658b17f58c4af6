import type { AgentRecord } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import {
  describe,
  type Handler,
  inputOf,
  type RestInput,
  type RestRoute,
  type RouteGeneric,
} from '../http/rest-route.ts';
import { findManagedAgent } from './find-agent.ts';

/**
 * Adds a route to something of an agent's own twice: for the agent itself below `/v1`, and for those that
 * manage it below `/v1/agents/{handle}`. Both are handled alike.
 */
export function addOwnRoute<
  const Path extends `/${string}`,
  Result extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>(
  server: FastifyInstance,
  { authentication, registry }: GatewayContext,
  route: RestRoute<Path, Query, Body, Result>,
  handle: Handler<RestInput<Path, Query, Body> & { readonly agent: AgentRecord }, Result>,
): void {
  server.route<RouteGeneric<Path>>({
    ...describe({ ...route, path: `/v1${route.path}` }, 'agent'),
    handler: async (request, reply) => {
      const { agent } = await authentication.requireAgent(request);
      return handle({ agent, ...inputOf(route, request, reply) });
    },
  });
  server.route<RouteGeneric<Path>>({
    ...describe(managed(route), 'manager'),
    handler: async (request, reply) => {
      const manager = await authentication.requireManager(request);
      const agent = await findManagedAgent(registry, manager, request);
      return handle({ agent, ...inputOf(route, request, reply) });
    },
  });
}

function managed<Query extends z.ZodObject, Body extends z.ZodType, Result extends z.ZodType>(
  route: RestRoute<string, Query, Body, Result>,
): RestRoute<string, Query, Body, Result> {
  return {
    ...route,
    path: `/v1/agents/:handle${route.path}`,
    id: `${route.id}OfAgent`,
    summary: `${route.summary}, for who manages the agent`,
    errors: ['agentNotFound', ...route.errors],
  };
}
