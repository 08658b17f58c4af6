import { networkInterfaces } from 'node:os';
import {
  type AddressClass,
  classOf,
  isSingleAddress,
  type Network,
  networkHolds,
  normalizeAddress,
  parseNetwork,
} from './address-class.ts';
import { RefusedTarget } from './refused-target.ts';
import { createTargetReader, type Target } from './target.ts';

/** An address and port on which this relay listens. */
export interface Listener {
  readonly host: string;
  readonly port: number;
}

export interface GuardOptions {
  /** Networks that may be reached although they are not public: addresses or CIDRs. */
  readonly allowedNetworks: readonly string[];
  /** Where this relay itself listens, which is never a target. */
  readonly ownListeners: readonly Listener[];
}

export interface Guard {
  /** @throws RefusedTarget when the form of the URL is refused */
  readTarget(url: string): Target;
  /** Judges what a target resolved to; one bad address refuses all. @throws RefusedTarget */
  checkAddresses(target: Target, addresses: readonly string[]): void;
}

const described: Readonly<Record<AddressClass, string>> = {
  metadata: "a cloud's metadata address",
  unspecified: 'an unspecified address',
  loopback: 'a loopback address',
  private: 'a private address',
  shared: 'an address of the shared space (CGNAT)',
  link_local: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  benchmarking: 'an address for benchmarks',
  documentation: 'an address for documentation',
  ipv4_mapped: 'an IPv4-mapped address',
  ipv4_compatible: 'an IPv4-compatible address',
  nat64: 'a NAT64 address',
  '6to4': 'a 6to4 address',
  teredo: 'a Teredo address',
  reserved: 'a reserved address',
};

export function createGuard({ allowedNetworks, ownListeners }: GuardOptions): Guard {
  const allowed = allowedNetworks.map(parseNetwork);
  const check = (target: Target, address: string) => {
    if (ownListeners.some((listener) => isListener(listener, target, address))) {
      throw new RefusedTarget('own_address', `${target.host} is this relay itself.`);
    }
    const addressClass = classOf(address);
    if (isAllowed(allowed, address, addressClass)) return;
    if (addressClass !== undefined) throw refuseAddress(target, addressClass);
    if (target.protocol === 'http:') throw refuseHttp(target);
  };
  return {
    readTarget: createTargetReader(allowed.length > 0),
    checkAddresses: (target, addresses) => {
      for (const address of addresses) check(target, address);
    },
  };
}

/** Credentials are served on metadata addresses, so a network that happens to hold one is not enough. */
function isAllowed(
  networks: readonly Network[],
  address: string,
  addressClass: AddressClass | undefined,
): boolean {
  return networks.some(
    (network) =>
      networkHolds(network, address) && (addressClass !== 'metadata' || isSingleAddress(network)),
  );
}

function refuseAddress(target: Target, addressClass: AddressClass) {
  const verb = target.isAddress ? 'is' : 'resolves to';
  const what = described[addressClass];
  return new RefusedTarget(
    addressClass,
    `${target.host} ${verb} ${what}. The operator can allow it with RELAY_ALLOW_PRIVATE_TARGETS.`,
  );
}

function refuseHttp({ host }: Target) {
  return new RefusedTarget(
    'scheme',
    `The URL must begin with https://: ${host} is in no network of RELAY_ALLOW_PRIVATE_TARGETS.`,
  );
}

function isListener({ host, port }: Listener, target: Target, address: string): boolean {
  if (port !== target.port) return false;
  if (host === target.host) return true;
  const wanted = normalizeAddress(address);
  if (host !== '0.0.0.0' && host !== '::') return normalizeAddress(host) === wanted;
  return classOf(address) === 'loopback' || ownAddresses().includes(wanted);
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => normalizeAddress(address));
}
