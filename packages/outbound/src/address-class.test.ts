import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { ruleFor } from './test-support/rule-for.ts';
import { spellIpv4, spellIpv6 } from './test-support/spellings.ts';

describe('an address in the URL', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.0.0.1.', 'loopback'],
    ['127.1', 'loopback'],
    ['127.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['2130706433', 'loopback'],
    ['017700000001', 'loopback'],
    ['0x7f000001', 'loopback'],
    ['0X7F.1', 'loopback'],
    ['0x7f.0.0.0x1', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['00000177.0x0.0.01', 'loopback'],
    ['１２７.0.0.1', 'loopback'],
    ['①②⑦.⓪.⓪.①', 'loopback'],
    ['127。0。0。1', 'loopback'],
    ['127｡0｡0｡1', 'loopback'],
    ['127．0．0．1', 'loopback'],
    ['%31%32%37.0.0.1', 'loopback'],
    ['127.0.0.1%2e', 'loopback'],
    ['𝟏𝟐𝟕.𝟎.𝟎.𝟏', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0', 'unspecified'],
    ['0x0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['012.1.2.3', 'private'],
    ['167772161', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['0xc0a80001', 'private'],
    ['192.168.257', 'private'],
    ['169.254.0.1', 'link_local'],
    ['169.254.255.255', 'link_local'],
    ['169.254.169.254', 'metadata'],
    ['2852039166', 'metadata'],
    ['0xa9fea9fe', 'metadata'],
    ['0251.0376.0251.0376', 'metadata'],
    ['169.254.43518', 'metadata'],
    ['１６９.254.169.254', 'metadata'],
    ['169.254.170.2', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['100.64.0.1', 'shared'],
    ['100.127.255.255', 'shared'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['4294967295', 'broadcast'],
    ['240.0.0.1', 'reserved'],
    ['192.0.0.8', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['192.88.99.1', '6to4'],
    ['[::]', 'unspecified'],
    ['[0:0:0:0:0:0:0:0]', 'unspecified'],
    ['[::1]', 'loopback'],
    ['[0:0:0:0:0:0:0:1]', 'loopback'],
    ['[0000:0000:0000:0000:0000:0000:0000:0001]', 'loopback'],
    ['[::0.0.0.1]', 'loopback'],
    ['[::127.0.0.1]', 'ipv4_compatible'],
    ['[::7f00:1]', 'ipv4_compatible'],
    ['[::8.8.8.8]', 'ipv4_compatible'],
    ['[::ffff:127.0.0.1]', 'ipv4_mapped'],
    ['[::ffff:7f00:1]', 'ipv4_mapped'],
    ['[0:0:0:0:0:FFFF:7F00:0001]', 'ipv4_mapped'],
    ['[::ffff:169.254.169.254]', 'ipv4_mapped'],
    ['[::ffff:8.8.8.8]', 'ipv4_mapped'],
    ['[::ffff:0:127.0.0.1]', 'ipv4_mapped'],
    ['[64:ff9b::127.0.0.1]', 'nat64'],
    ['[64:ff9b::a9fe:a9fe]', 'nat64'],
    ['[64:ff9b:1::1]', 'nat64'],
    ['[64:ff9b:1:fffe::10.0.0.1]', 'nat64'],
    ['[2002:7f00:1::]', '6to4'],
    ['[2002:a00:1::1]', '6to4'],
    ['[2001::1]', 'teredo'],
    ['[2001:0:7f00:1::]', 'teredo'],
    ['[2001:2::1]', 'benchmarking'],
    ['[2001:10::1]', 'reserved'],
    ['[2001:20::1]', 'reserved'],
    ['[2001:db8::1]', 'documentation'],
    ['[3fff::1]', 'documentation'],
    ['[fc00::1]', 'private'],
    ['[fdff:ffff::1]', 'private'],
    ['[fec0::1]', 'private'],
    ['[fd00:ec2::254]', 'metadata'],
    ['[FD00:EC2:0:0:0:0:0:254]', 'metadata'],
    ['[fd20:ce::254]', 'metadata'],
    ['[fe80::a9fe:a9fe]', 'metadata'],
    ['[fe80::1]', 'link_local'],
    ['[febf::1]', 'link_local'],
    ['[ff02::1]', 'multicast'],
    ['[ff0e::1]', 'multicast'],
    ['[100::1]', 'reserved'],
    ['[5f00::1]', 'reserved'],
    ['[4000::1]', 'reserved'],
    ['[1fff::1]', 'reserved'],
  ])('%s is refused as %s', async (host, rule) => {
    expect(await ruleFor(`https://${host}/hook`)).toBe(rule);
  });

  const hosts = fc.oneof(fc.ipV4(), fc.ipV6()).filter((address) => {
    return ipaddr.parse(address).range() !== 'unicast';
  });

  it('is refused in any spelling when it is not public', async () => {
    await fc.assert(
      fc.asyncProperty(hosts, fc.nat(), async (address, choice) => {
        const spellings = isIPv6(address) ? spellIpv6(address) : spellIpv4(address);
        const host = spellings[choice % spellings.length] ?? '';
        expect(await ruleFor(`https://${host}/`)).not.toBe('allowed');
      }),
    );
  });

  it('is allowed in any spelling when it is public', async () => {
    const publicAddress = fc.ipV4().filter((address) => {
      return ipaddr.parse(address).range() === 'unicast' && address !== '168.63.129.16';
    });
    await fc.assert(
      fc.asyncProperty(publicAddress, fc.nat(), async (address, choice) => {
        const spellings = spellIpv4(address);
        const host = spellings[choice % spellings.length] ?? '';
        expect(await ruleFor(`https://${host}/`)).toBe('allowed');
      }),
    );
  });
});
