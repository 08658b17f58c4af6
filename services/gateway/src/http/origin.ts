import type { Socket } from 'node:net';
import type { Config } from '@relay/runtime';
import type { FastifyRequest } from 'fastify';

const hostPattern = /^[a-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

/** The origin under which clients know this relay, as far as the request can tell. */
export function originOf(
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'socket'>,
  config: Pick<Config, 'publicUrl'>,
): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const { protocol, host } = request;
  const isKnown = (protocol === 'http' || protocol === 'https') && hostPattern.test(host);
  return isKnown ? `${protocol}://${host}` : originOfSocket(request.socket);
}

/** Where the client connected to, for one that named no host that could be one. */
function originOfSocket({ localAddress = 'localhost', localPort }: Socket): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `http://${host}:${localPort}`;
}
