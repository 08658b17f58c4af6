import type { AgentRecord } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import type { Manager } from '../http/authentication.ts';
import {
  addManagerRoute,
  type Handler,
  type RestInput,
  type RestRoute,
} from '../http/rest-route.ts';
import { findManagedAgent } from './find-agent.ts';

interface Managed {
  readonly manager: Manager;
  readonly agent: AgentRecord;
}

/** Adds a route to the agent that its path names, for those that manage it; to others it is unknown. */
export function addManagedAgentRoute<
  const Path extends `${string}/:handle${string}`,
  Result extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>(
  server: FastifyInstance,
  context: GatewayContext,
  route: RestRoute<Path, Query, Body, Result>,
  handle: Handler<RestInput<Path, Query, Body> & Managed, Result>,
): void {
  const errors = ['agentNotFound', ...route.errors] as const;
  addManagerRoute(server, context, { ...route, errors }, async (input) => {
    const agent = await findManagedAgent(context.registry, input.manager, input.request);
    return handle({ ...input, agent });
  });
}
