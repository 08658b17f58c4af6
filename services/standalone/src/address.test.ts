import { expect, it } from 'vitest';
import { isLoopback, localOrigin } from './address.ts';

it.each(['127.0.0.1', '127.8.9.1', 'localhost', '::1'])('%s is loopback', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each(['0.0.0.0', '::', '10.0.0.1', 'relay.example', '127.0.0.1.example'])(
  '%s is beyond loopback',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['relay.example', 'http://relay.example:8080'],
])('what listens on %s is reached at %s', (host, origin) => {
  expect(localOrigin(host, 8080)).toBe(origin);
});
