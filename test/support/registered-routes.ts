import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

const channel = 'fastify.initialization';

/** Collects what every router of this process is told to answer, until it is stopped. */
export function collectRegisteredRoutes(): { readonly routes: Set<string>; stop(): void } {
  const routes = new Set<string>();
  const onServer = (message: unknown) => {
    if (!isInitialization(message)) throw new Error('Fastify tells something else');
    message.fastify.addHook('onRoute', ({ method, url }) => {
      for (const verb of [method].flat()) routes.add(`${verb} ${url}`);
    });
  };
  subscribe(channel, onServer);
  return { routes, stop: () => void unsubscribe(channel, onServer) };
}

function isInitialization(message: unknown): message is { readonly fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message;
}
