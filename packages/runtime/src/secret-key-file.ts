import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretKey, readSecretKeys, type SecretKeys } from './secret-key.ts';
import { StartupError } from './startup-error.ts';

/** Where a relay with a data directory keeps the key that it made itself. */
export const secretKeyPath = (dataDir: string) => join(dataDir, 'secret.key');

interface SecretKeysSource {
  readonly dataDir: string;
  /** Set by the operator; the key of the file still opens what it sealed before. */
  readonly secretKey?: SecretKeys | undefined;
}

/**
 * The operator's keys and the one in the file; undefined where there is none.
 * @throws StartupError where the file holds no key
 */
export function findSecretKeys({ dataDir, secretKey }: SecretKeysSource): SecretKeys | undefined {
  const kept = readKept(secretKeyPath(dataDir));
  return secretKey ? [...secretKey, ...(kept ?? [])] : kept;
}

function readKept(path: string): SecretKeys | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  if (isSecretKey(text)) return readSecretKeys(text);
  throw new StartupError(`${path} does not hold a key; without it stored secrets cannot be read`);
}
