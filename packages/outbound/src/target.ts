import { isIP } from 'node:net';
import { blockedPorts } from './blocked-ports.ts';
import { RefusedTarget } from './refused-target.ts';

/** Where a request goes: a URL whose form is good. Its addresses are judged at every dial. */
export interface Target {
  /** Canonical text: host in ASCII, IPv4 in dotted decimals, no fragment. */
  readonly url: string;
  readonly origin: string;
  readonly protocol: 'https:' | 'http:';
  /** A name, or an address without brackets. */
  readonly host: string;
  /** True when the host is an address already. */
  readonly isAddress: boolean;
  readonly port: number;
  /** Path and query, as the request line has them. */
  readonly path: string;
}

const maximumUrlLength = 2048;

const maximumKnownTargets = 1_000;

/** Names that only some private network answers (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateName = /^[^.]+$|(^|\.)(localhost|local|internal|home\.arpa)$/;

const allowing = 'The operator can allow private networks with RELAY_ALLOW_PRIVATE_TARGETS.';

/**
 * Reads URLs that users gave, by the WHATWG rules that the dial follows too, so that no spelling of a
 * host is judged as one thing and dialled as another. It remembers those it read last: reading would
 * be a fifth of what a request costs.
 * @param privateAllowed whether the operator allows any private network: then names of private
 *   networks and plain http are left to the addresses they resolve to
 * @returns a function that throws RefusedTarget with the rule that refused
 */
export function createTargetReader(privateAllowed: boolean): (text: string) => Target {
  const known = new Map<string, Target>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered) return remembered;
    const target = readTarget(text, privateAllowed);
    if (known.size >= maximumKnownTargets) known.clear();
    known.set(text, target);
    return target;
  };
}

function readTarget(text: string, privateAllowed: boolean): Target {
  const url = readUrl(text);
  const protocol = readProtocol(url, privateAllowed);
  const port = readPort(url);
  if (url.username !== '' || url.password !== '') {
    throw new RefusedTarget('userinfo', 'The URL may not hold a user name or a password.');
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(host) !== 0;
  if (!isAddress) checkName(host, privateAllowed);
  url.hash = '';
  return {
    url: url.href,
    origin: url.origin,
    protocol,
    host,
    isAddress,
    port,
    path: url.pathname + url.search,
  };
}

function readUrl(text: string): URL {
  checkLength(text);
  // The URL parser drops some of these, so what is shown would not be what is dialled.
  if (/[\s\p{Cc}]/u.test(text)) {
    throw new RefusedTarget('url', 'The URL may not hold spaces or control characters.');
  }
  const url = parseUrl(text);
  // Some characters become several, and what is saved is read again.
  checkLength(url.href);
  return url;
}

function checkLength(text: string): void {
  if (text.length <= maximumUrlLength) return;
  throw new RefusedTarget('length', `The URL is longer than ${maximumUrlLength} characters.`);
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new RefusedTarget('url', 'This is not an absolute URL.');
  }
}

function readProtocol({ protocol }: URL, privateAllowed: boolean): Target['protocol'] {
  if (protocol === 'https:') return protocol;
  if (protocol !== 'http:') throw new RefusedTarget('scheme', 'The URL must begin with https://.');
  if (privateAllowed) return protocol;
  throw new RefusedTarget('scheme', `The URL must begin with https://. ${allowing}`);
}

function readPort({ port, protocol }: URL): number {
  const number = port === '' ? defaultPort(protocol) : Number(port);
  if (!blockedPorts.has(number)) return number;
  throw new RefusedTarget('port', `Port ${number} belongs to another protocol than HTTP.`);
}

const defaultPort = (protocol: string) => (protocol === 'https:' ? 443 : 80);

function checkName(name: string, privateAllowed: boolean): void {
  if (name.endsWith('.')) throw new RefusedTarget('name', 'The host may not end with a dot.');
  if (privateAllowed || !privateName.test(name)) return;
  throw new RefusedTarget('name', `${name} is a name of a private network. ${allowing}`);
}
