import { renameSync, writeFileSync } from 'node:fs';
import {
  createSecretKeyText,
  findSecretKeys,
  readSecretKeys,
  type SecretKeys,
  secretKeyPath,
} from '@relay/runtime';

/** The keys that are there; without any, a new one is put into the data directory. */
export function loadOrCreateSecretKeys(source: Parameters<typeof findSecretKeys>[0]): SecretKeys {
  return findSecretKeys(source) ?? createKept(secretKeyPath(source.dataDir));
}

/** A crash leaves the whole key or none. */
function createKept(path: string): SecretKeys {
  const text = createSecretKeyText();
  const temporaryPath = `${path}.new`;
  writeFileSync(temporaryPath, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(temporaryPath, path);
  return readSecretKeys(text);
}
