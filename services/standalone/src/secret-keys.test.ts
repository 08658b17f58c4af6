import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSealer,
  createSecretKeyText,
  readSecretKeys,
  Secret,
  secretKeyPath,
} from '@relay/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadOrCreateSecretKeys } from './secret-keys.ts';

const place = { record: 'a', field: 'b' };
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'relay-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

it('makes a key in a file that only its owner reads, and finds it again', () => {
  const sealed = createSealer(loadOrCreateSecretKeys({ dataDir })).seal(new Secret('x'), place);
  expect(statSync(secretKeyPath(dataDir)).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
  const reopened = createSealer(loadOrCreateSecretKeys({ dataDir })).open(sealed, place);
  expect(reopened.reveal()).toBe('x');
});

it("seals with the operator's key, and still opens what the file's key sealed", () => {
  const sealed = createSealer(loadOrCreateSecretKeys({ dataDir })).seal(new Secret('x'), place);
  const secretKey = readSecretKeys(createSecretKeyText());
  const keys = loadOrCreateSecretKeys({ dataDir, secretKey });
  expect(keys[0]).toBe(secretKey[0]);
  expect(createSealer(keys).open(sealed, place).reveal()).toBe('x');
});

it("makes no file beside the operator's key", () => {
  const secretKey = readSecretKeys(createSecretKeyText());
  expect(loadOrCreateSecretKeys({ dataDir, secretKey })).toEqual(secretKey);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('refuses a file that holds no key, and leaves it alone', () => {
  writeFileSync(secretKeyPath(dataDir), 'half');
  expect(() => loadOrCreateSecretKeys({ dataDir })).toThrow('does not hold a key');
  expect(readFileSync(secretKeyPath(dataDir), 'utf8')).toBe('half');
});
