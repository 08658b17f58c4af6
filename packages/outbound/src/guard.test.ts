import { inspect } from 'node:util';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { createOutbound } from './index.ts';
import { publicOnly, resolveTo, ruleFor } from './test-support/rule-for.ts';

describe('a name', () => {
  const url = 'https://hooks.example/';

  it.each([
    ['a private address', ['10.0.0.1'], 'private'],
    ['loopback', ['127.0.0.1'], 'loopback'],
    ['loopback of IPv6', ['::1'], 'loopback'],
    ['a metadata address', ['169.254.169.254'], 'metadata'],
    ['a mapped address', ['::ffff:10.0.0.1'], 'ipv4_mapped'],
    ['a link-local address with a zone', ['fe80::1%eth0'], 'link_local'],
    ['public and private addresses', ['8.8.8.8', '192.168.1.1'], 'private'],
    ['private and public addresses', ['192.168.1.1', '8.8.8.8'], 'private'],
    ['public IPv4 and private IPv6', ['8.8.8.8', '2606:4700::1', 'fd00::1'], 'private'],
    ['what is no address', ['0x7f.1'], 'reserved'],
  ])('that resolves to %s is refused', async (_what, addresses, rule) => {
    expect(await ruleFor(url, { resolve: resolveTo(...addresses) })).toBe(rule);
  });

  it('is refused whatever address that is not public is among its addresses', async () => {
    const addresses = fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(addresses, async (addresses) => {
        const ranges = addresses.map((address) => ipaddr.parse(address).range());
        fc.pre(ranges.some((range) => range !== 'unicast'));
        expect(await ruleFor(url, { resolve: resolveTo(...addresses) })).not.toBe('allowed');
      }),
    );
  });

  it('is allowed when all its addresses are public', async () => {
    const resolve = resolveTo('8.8.8.8', '2606:4700:4700::1111');
    expect(await ruleFor(url, { resolve })).toBe('allowed');
  });

  it('that does not resolve now may be saved', async () => {
    expect(await ruleFor(url, { resolve: resolveTo() })).toBe('allowed');
    const resolve = () => Promise.reject(new Error('queryA ENOTFOUND'));
    expect(await ruleFor(url, { resolve })).toBe('allowed');
  });

  it('is judged anew at a post, which nothing is sent for once it is private', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const outbound = createOutbound({ ...publicOnly, resolve });
    await outbound.checkTarget(url);
    const limits = { milliseconds: 1_000, answerBytes: 0 };
    expect(await outbound.post({ url, headers: {}, body: '', limits })).toMatchObject({
      kind: 'rejected',
      failure: { code: 'refused', rule: 'loopback' },
    });
  });
});

describe('networks that the operator allows', () => {
  const allowedNetworks = ['127.0.0.0/8', '10.1.0.0/16', 'fd00::/8', '192.168.1.7'];

  it.each([
    ['http://127.0.0.1:3000/', 'allowed'],
    ['https://127.0.0.1/', 'allowed'],
    ['http://0x7f.1:3000/', 'allowed'],
    ['http://10.1.255.255/', 'allowed'],
    ['http://10.2.0.0/', 'private'],
    ['http://192.168.1.7/', 'allowed'],
    ['http://192.168.1.8/', 'private'],
    ['http://[fd12::1]/', 'allowed'],
    ['http://[fc12::1]/', 'private'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'ipv4_mapped'],
    ['http://[64:ff9b::7f00:1]/', 'nat64'],
    ['http://8.8.8.8/', 'scheme'],
    ['https://8.8.8.8/', 'allowed'],
    ['http://[fd00:ec2::254]/', 'metadata'],
    ['http://127.0.0.1:22/', 'port'],
    ['http://user@127.0.0.1/', 'userinfo'],
    ['ftp://127.0.0.1/', 'scheme'],
  ])('%s: %s', async (url, rule) => {
    expect(await ruleFor(url, { allowedNetworks })).toBe(rule);
  });

  it.each([
    ['http://receiver:3000/', ['10.1.0.5'], 'allowed'],
    ['http://localhost:3000/', ['127.0.0.1'], 'allowed'],
    ['http://localhost:3000/', ['127.0.0.1', '::1'], 'loopback'],
    ['http://hooks.example/', ['10.1.0.5', '8.8.8.8'], 'scheme'],
    ['https://hooks.example/', ['10.1.0.5', '8.8.8.8'], 'allowed'],
    ['https://hooks.example/', ['10.1.0.5', '10.2.0.5'], 'private'],
  ])('%s at %j: %s', async (url, addresses, rule) => {
    expect(await ruleFor(url, { allowedNetworks, resolve: resolveTo(...addresses) })).toBe(rule);
  });

  it('hold a metadata address only when it is listed by itself', async () => {
    const url = 'http://169.254.169.254/';
    expect(await ruleFor(url, { allowedNetworks: ['169.254.0.0/16'] })).toBe('metadata');
    expect(await ruleFor(url, { allowedNetworks: ['169.254.169.254'] })).toBe('allowed');
  });
});

describe('this relay itself', () => {
  const allowedNetworks = ['0.0.0.0/0', '::/0'];

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/', 'own_address'],
    ['127.0.0.1', 'http://127.0.0.1:8081/', 'allowed'],
    ['127.0.0.1', 'http://127.0.0.2:8080/', 'allowed'],
    ['::1', 'http://[0:0::1]:8080/', 'own_address'],
    ['0.0.0.0', 'http://127.0.0.1:8080/', 'own_address'],
    ['0.0.0.0', 'http://127.9.9.9:8080/', 'own_address'],
    ['::', 'http://[::1]:8080/', 'own_address'],
    ['0.0.0.0', 'http://127.0.0.1:8081/', 'allowed'],
    ['relay', 'http://relay:8080/', 'own_address'],
  ])('listening on %s: %s is %s', async (host, url, rule) => {
    const ownListeners = [{ host, port: 8080 }];
    expect(await ruleFor(url, { allowedNetworks, ownListeners })).toBe(rule);
  });
});

describe('a refusal', () => {
  const refusalOf = (url: string, ...addresses: string[]) =>
    createOutbound({ ...publicOnly, resolve: resolveTo(...addresses) })
      .checkTarget(url)
      .catch((error: unknown) => error);

  it('tells the rule and how the operator allows it, in the form of every refusal', async () => {
    expect(await refusalOf('https://10.0.0.1/')).toMatchObject({
      rule: 'private',
      refusal: {
        error: 'targetRefused',
        message:
          '10.0.0.1 is a private address. The operator can allow it with RELAY_ALLOW_PRIVATE_TARGETS.',
      },
    });
  });

  it('does not tell the address behind a name', async () => {
    const refusal = await refusalOf('https://db.corp.example/', '10.3.2.1');
    expect(refusal).toMatchObject({
      refusal: { message: expect.stringContaining('resolves to a private address') },
    });
    expect(inspect(refusal)).not.toContain('10.3.2.1');
  });
});
