import { isIPv6 } from 'node:net';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const isLoopback = (host: string) => LOOPBACK.test(host);

/** The origin under which this machine reaches what listens on the host and port. */
export function localOrigin(host: string, port: number): string {
  const reachable = ANY_ADDRESS[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
