import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSecretKeyText,
  isSecretKey,
  readSecretKeys,
  type SecretKeys,
  StartupError,
} from '@relay/runtime';

export const secretKeyPath = (dataDir: string) => join(dataDir, 'secret.key');

interface SecretKeysSource {
  readonly dataDir: string;
  /** Set by the operator; the key of the file still opens what it sealed before. */
  readonly secretKey?: SecretKeys | undefined;
}

/** The operator's keys and the one in the file; without any, a new one is put there. */
export function loadOrCreateSecretKeys({ dataDir, secretKey }: SecretKeysSource): SecretKeys {
  const path = secretKeyPath(dataDir);
  const kept = readKept(path);
  if (secretKey !== undefined) return [...secretKey, ...(kept ?? [])];
  return kept ?? createKept(path);
}

function readKept(path: string): SecretKeys | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  if (isSecretKey(text)) return readSecretKeys(text);
  throw new StartupError(`${path} does not hold a key; without it stored secrets cannot be read`);
}

/** A crash leaves the whole key or none. */
function createKept(path: string): SecretKeys {
  const text = createSecretKeyText();
  const temporaryPath = `${path}.new`;
  writeFileSync(temporaryPath, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(temporaryPath, path);
  return readSecretKeys(text);
}
