import { once } from 'node:events';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { AttemptError } from './attempt-error.ts';
import { errorCode } from './error-code.ts';
import type { Guard } from './guard.ts';
import { type ResolveAddresses, resolveTarget } from './resolve.ts';
import type { Target } from './target.ts';

export interface DialOptions {
  readonly guard: Guard;
  readonly resolve: ResolveAddresses;
  /** For name, connection and TLS together. */
  readonly milliseconds: number;
}

/**
 * Opens a connection to a target, and hands it over only when the guard has passed the target's every
 * address and the peer's own. The name is resolved once, and what was judged is what is dialled, so it
 * cannot turn into something else in between.
 * @throws RefusedTarget, AttemptError
 */
export async function dial(target: Target, options: DialOptions): Promise<Socket> {
  const { guard, resolve, milliseconds } = options;
  const signal = AbortSignal.timeout(milliseconds);
  try {
    const addresses = await resolveTarget(target, resolve, signal);
    guard.checkAddresses(target, addresses);
    const socket = await connectTcp(target, addresses, signal);
    checkPeer(target, guard, socket);
    return target.protocol === 'https:' ? await startTls(target, socket, signal) : socket;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new AttemptError('connect_timeout', `no connection within ${milliseconds} ms`);
  }
}

async function connectTcp(
  { host, port }: Target,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_name, _options, answer) => answer(null, answers);
  const options = { host, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true };
  const socket = connect(options);
  await opened(socket, 'connect', signal).catch((error: unknown) => {
    throw new AttemptError('connect', errorCode(error));
  });
  return socket;
}

function checkPeer(target: Target, guard: Guard, socket: Socket): void {
  const { remoteAddress } = socket;
  try {
    // It was reset already.
    if (remoteAddress === undefined) throw new AttemptError('reset', 'closed before the request');
    guard.checkAddresses(target, [remoteAddress]);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function startTls(
  { host, isAddress }: Target,
  socket: Socket,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const servername = isAddress ? '' : host;
  const secure = connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] });
  await opened(secure, 'secureConnect', signal).catch((error: unknown) => {
    socket.destroy();
    throw new AttemptError('tls', errorCode(error));
  });
  return secure;
}

async function opened(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  // A socket may fail between one owner's listener and the next one's.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
