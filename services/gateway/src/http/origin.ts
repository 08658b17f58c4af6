import type { Config } from '@relay/runtime';
import type { FastifyRequest } from 'fastify';

const hostPattern = /^[a-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

/** The origin under which clients know this relay, as far as the request can tell. */
export function originOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const { protocol, host } = request;
  const isKnown = (protocol === 'http' || protocol === 'https') && hostPattern.test(host);
  return isKnown ? `${protocol}://${host}` : `http://${config.host}:${config.port}`;
}
