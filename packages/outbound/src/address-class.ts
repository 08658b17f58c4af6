import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The first class that holds an address is its class. From the special-purpose registries of IANA
 * (RFC 6890), which name the RFC of each network, and from what clouds serve credentials on.
 */
const specialNetworks = [
  [
    'metadata',
    [
      '169.254.169.254/32', // AWS, Azure, Google Cloud and others
      '169.254.170.2/32', // AWS: credentials of a container
      '169.254.170.23/32', // AWS: credentials of a pod
      '100.100.100.200/32', // Alibaba Cloud
      '168.63.129.16/32', // Azure: the host, on an address that looks public
      '192.0.0.192/32', // Oracle Cloud
      'fd00:ec2::254/128', // AWS
      'fd00:ec2::23/128', // AWS: credentials of a pod
      'fd20:ce::254/128', // Google Cloud
      'fe80::a9fe:a9fe/128', // OpenStack
    ],
  ],
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
  ['shared', ['100.64.0.0/10']],
  ['link_local', ['169.254.0.0/16', 'fe80::/10']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['broadcast', ['255.255.255.255/32']],
  ['benchmarking', ['198.18.0.0/15', '2001:2::/48']],
  [
    'documentation',
    ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ],
  // Addresses that hold an IPv4 address: a router or this host may turn them into a private one.
  ['ipv4_mapped', ['::ffff:0:0/96', '::ffff:0:0:0/96']],
  ['ipv4_compatible', ['::/96']],
  ['nat64', ['64:ff9b::/96', '64:ff9b:1::/48']],
  ['6to4', ['2002::/16', '192.88.99.0/24']],
  ['teredo', ['2001::/32']],
  [
    'reserved',
    [
      '192.0.0.0/24',
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.175.48.0/24',
      '240.0.0.0/4',
      '2001::/23',
      '2620:4f:8000::/48',
      // All that is not global unicast, which is 2000::/3.
      '::/3',
      '4000::/2',
      '8000::/1',
    ],
  ],
] as const;

/** Why an address is not one of the public internet. */
export type AddressClass = (typeof specialNetworks)[number][0];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type Network = readonly [base: Address, prefixLength: number];

const classes = specialNetworks.map(
  ([name, networks]) => [name, networks.map((network) => parseNetwork(network))] as const,
);

/**
 * Reads `10.0.0.0/8`, or an address as the network that holds only it.
 * @throws Error when it is neither
 */
export function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, bitLength(address)];
}

/** The class of an address; none for a public one. What is no address counts as reserved. */
export function classOf(text: string): AddressClass | undefined {
  const address = parseAddress(text);
  if (address === undefined) return 'reserved';
  return classes.find(([, networks]) => networks.some((network) => holds(network, address)))?.[0];
}

/** An IPv4 network holds no IPv6 address, not even a mapped one. */
export function networkHolds(network: Network, text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && holds(network, address);
}

export function isSingleAddress([base, prefixLength]: Network): boolean {
  return prefixLength === bitLength(base);
}

/** Texts of one address, such as `::1` and `0:0:0:0:0:0:0:1`, become the same. */
export function normalizeAddress(text: string): string {
  return parseAddress(text)?.toNormalizedString() ?? text;
}

function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.parse(text);
}

function holds([base, prefixLength]: Network, address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, prefixLength);
}

const bitLength = (address: Address) => address.toByteArray().length * 8;
