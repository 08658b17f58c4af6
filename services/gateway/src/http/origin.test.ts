import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { originOf } from './origin.ts';

const request = (host: string) => ({ host, protocol: 'https' as const, socket: new Socket() });

it.each(['relay.example', 'relay.example:8443', '127.0.0.1:80', '[::1]:8080'])(
  'is of the host %s that the request names',
  (host) => {
    expect(originOf(request(host), {})).toBe(`https://${host}`);
  },
);

it.each(['', 'a b', 'x"><script>', 'x/y', 'x@y', 'x:123456'])('is not of the host %j', (host) => {
  expect(originOf(request(host), {})).toMatch(/^http:\/\/localhost:/);
});

it('is the one that is set, whatever the request says', () => {
  const publicUrl = 'https://public.example';
  expect(originOf(request('other.example'), { publicUrl })).toBe(publicUrl);
});
