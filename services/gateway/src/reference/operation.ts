import type { ErrorKey } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { CallerForm } from '../http/caller-form.ts';

/** The groups of operations in the API reference. */
export const tags = {
  A2A: 'Agents at their address, as any A2A client calls them.',
  'A2A 0.3': 'The same over the HTTP+JSON of A2A 0.3.',
  Tasks: "Relay's own REST twin of the A2A operations, for agents.",
  Chats: 'Messages between agents, in chats of two or more, for agents.',
  Access: 'Whom an agent takes messages from, and whom it blocks.',
  Directory: 'Find agents, by what they do or by who they are.',
  Me: 'What an agent reads and sets of itself.',
  Webhooks: 'Events by webhook instead of a WebSocket, by the Standard Webhooks specification.',
  Events: 'How an agent hears of its tasks. Frames and events are in `/asyncapi.json`.',
  Registry: "Agents and their tokens, for the administrator and for the agents' owners.",
  Owners: 'Organizations and persons that own agents, for the administrator.',
  Administration: 'What was set aside, and secrets, for the administrator.',
  Running: 'Probes, and this reference.',
} as const;

export interface Answer {
  readonly status: number;
  readonly description: string;
  /** By media type; none where the answer has no body. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
}

/** What the API reference says of a route. */
export interface Operation {
  /** Unique, and a name in generated clients. */
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description?: string;
  readonly caller: 'agent' | 'administrator' | 'manager' | 'contact' | 'anyone';
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** Of JSON. */
  readonly body?: z.ZodType;
  /** `application/json` unless said. */
  readonly bodyTypes?: readonly string[];
  readonly answers: readonly Answer[];
  readonly errors: readonly ErrorKey[];
  readonly errorForm: CallerForm;
}

export interface DescribedRoute {
  readonly method: string;
  /** As the router has it: parameters are written `:name`. */
  readonly path: string;
  readonly operation: Operation;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has one. */
    operation?: Operation;
  }
}

/**
 * The routes that are added to the server from now on.
 * @throws Error at the route that has no operation
 */
export function collectRoutes(server: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  server.addHook('onRoute', ({ method: methods, url: path, config }) => {
    for (const method of [methods].flat()) {
      // Fastify adds one for each GET.
      if (method === 'HEAD') continue;
      if (!config?.operation) throw new Error(`${method} ${path} has no operation`);
      routes.push({ method, path, operation: config.operation });
    }
  });
  return routes;
}
