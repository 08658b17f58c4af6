import type { Handle } from '@relay/protocol';
import type { Config } from '@relay/runtime';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../http/origin.ts';

/** Where an agent is reached. */
export interface AgentAddress {
  readonly origin: string;
  readonly url: string;
  /** Whether push notifications go out for tasks that are sent there. */
  readonly hasPush: boolean;
}

/** The address of an agent in the form in which a request asks for it: with or without `/a2a`. */
export function addressOf(request: FastifyRequest, handle: Handle, config: Config): AgentAddress {
  const origin = originOf(request, config);
  const prefix = request.routeOptions.url?.startsWith('/a2a/') ? '/a2a' : '';
  return { origin, url: `${origin}${prefix}/${handle}`, hasPush: config.a2aPush };
}
