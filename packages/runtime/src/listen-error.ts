import type { Config } from './config.ts';
import { StartupError } from './startup-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use the port',
  EADDRINUSE: 'the port is taken (RELAY_PORT sets another)',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is unknown',
};

/** For the `catch` of a listen: what the operator can put right becomes a StartupError. */
export function explainListenError(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
): unknown {
  const reason = isSystemError(error) ? REASONS[error.code] : undefined;
  return reason === undefined
    ? error
    : new StartupError(`cannot listen on ${host}:${port}: ${reason}`);
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
