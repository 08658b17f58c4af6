import { promises as dns } from 'node:dns';
import { AttemptError } from './attempt-error.ts';
import { errorCode } from './error-code.ts';
import type { Target } from './target.ts';

/** All addresses of a name. @throws when it has none */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>;

/**
 * Asks the name servers. Unlike the system's resolver it holds no thread while a server is silent, so
 * names whose servers never answer cannot keep other names from being resolved.
 */
export const resolveByDns: ResolveAddresses = async (name) => {
  const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  const addresses = [ipv4, ipv6].flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
};

/** Asks the system, which also knows a private network's names: hosts file, search domains. */
export const resolveBySystem: ResolveAddresses = async (name) => {
  const answers = await dns.lookup(name, { all: true });
  return answers.map(({ address }) => address);
};

/** The addresses of a target, at least one. @throws AttemptError */
export async function resolveTarget(
  { host, isAddress }: Target,
  resolve: ResolveAddresses,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isAddress) return [host];
  const addresses = await unlessAborted(resolve(host), signal).catch((error: unknown) => {
    throw new AttemptError('dns', errorCode(error));
  });
  if (addresses.length === 0) throw new AttemptError('dns', 'no address');
  return addresses;
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', reject, { once: true });
    work.then(resolve, reject);
  });
}
