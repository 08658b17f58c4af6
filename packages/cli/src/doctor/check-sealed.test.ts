import { createSecretKeyText, readSecretKeys } from '@relay/runtime';
import { expect, it } from 'vitest';
import { checkSealed } from './check-sealed.ts';

const keys = readSecretKeys(`${createSecretKeyText()},${createSecretKeyText()}`);
const [{ id: newest }] = keys;
const oldest = keys[1]?.id ?? '';

it.each([
  ['nothing is sealed', {}, undefined, 'ok'],
  ['each key is here', { [newest]: 3, [oldest]: 1 }, keys, 'ok'],
  ['one is not here', { [newest]: 3, lostlost: 1 }, keys, 'fault'],
  ['there is no key here', { [newest]: 3 }, undefined, 'skipped'],
] as const)('secrets are told of where %s', (_, sealed, given, status) => {
  expect(checkSealed(sealed, given).status).toBe(status);
});

it('secrets that no key opens are counted, with the ids of their keys', () => {
  const { found } = checkSealed({ [newest]: 3, lostlost: 1, gonegone: 1 }, keys);
  expect(found).toMatch(/^2 of 5 .*lostlost, gonegone/);
});
