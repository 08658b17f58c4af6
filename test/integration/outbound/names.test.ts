import { createOutbound } from '@relay/outbound';
import { expect, it } from 'vitest';
import { answerNames } from './dns-server.ts';

/** An IPv4 address in decimals, or an IPv6 address as its first and its last group. */
const bytesOf = (...addresses: string[]) =>
  addresses.map((address) => {
    const [first = '', last = ''] = address.split('::');
    if (!address.includes('::')) return Buffer.from(address.split('.').map(Number));
    return Buffer.from(first.padStart(4, '0') + last.padStart(28, '0'), 'hex');
  });

const checkTarget = (url: string) =>
  createOutbound({ allowedNetworks: [], ownListeners: [] }).checkTarget(url);

it.each([
  [['10.0.0.1'], [], 'private'],
  [['8.8.8.8'], ['fd00::1'], 'private'],
  [['8.8.8.8', '127.0.0.1'], ['2606:4700::1'], 'loopback'],
  [[], ['::1'], 'loopback'],
])('a name with the A records %j and AAAA %j is refused', async (ipv4, ipv6, rule) => {
  await answerNames((_name, type) => bytesOf(...(type === 'A' ? ipv4 : ipv6)));
  await expect(checkTarget('https://hooks.example/')).rejects.toMatchObject({ rule });
});

it('a name whose every record is public is allowed', async () => {
  const asked = new Set<string>();
  await answerNames((name, type) => {
    asked.add(`${name} ${type}`);
    return bytesOf(type === 'A' ? '8.8.8.8' : '2606:4700::1');
  });
  expect(await checkTarget('https://hooks.example/')).toBe('https://hooks.example/');
  expect(asked).toEqual(new Set(['hooks.example A', 'hooks.example AAAA']));
});

it('a name that does not exist is a failure to try again after', async () => {
  await answerNames(() => []);
  const outbound = createOutbound({ allowedNetworks: [], ownListeners: [] });
  const limits = { milliseconds: 2_000, answerBytes: 0 };
  expect(
    await outbound.post({ url: 'https://hooks.example/', headers: {}, body: '', limits }),
  ).toMatchObject({ kind: 'retry', failure: { code: 'dns', detail: 'ENOTFOUND' } });
});

it('names whose server is silent do not keep others from being resolved', async () => {
  await answerNames((name) => (name.startsWith('silent') ? 'silent' : bytesOf('10.0.0.1')));
  const outbound = createOutbound({ allowedNetworks: [], ownListeners: [] });
  const limits = { milliseconds: 1_000, answerBytes: 0 };
  const attempt = (url: string) => outbound.post({ url, headers: {}, body: '', limits });
  const silent = Array.from({ length: 32 }, (_, n) => attempt(`https://silent-${n}.example/`));
  const finished: string[] = [];
  const note = (name: string) => () => void finished.push(name);
  const all = Promise.all(silent).then(note('silent'));
  const other = attempt('https://hooks.example/').then(note('other'));
  await Promise.all([all, other]);
  expect(finished).toEqual(['other', 'silent']);
});
