import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from '@relay/bus';
import { StartupError } from '@relay/runtime';
import { z } from 'zod';

const token = z.string().min(1);

const credentialsSchema = z.object({
  url: z.string(),
  admin_token: token,
  agents: z.object({ planner: token, translator: token, concierge: token }),
});

/** As they stand in the file. */
export type Credentials = z.infer<typeof credentialsSchema>;

export const credentialsPath = (dataDir: string) => join(dataDir, 'credentials.json');

interface CredentialsSource {
  readonly dataDir: string;
  readonly url: string;
  /** Set by the operator; it replaces the one in the file. */
  readonly adminToken?: string | undefined;
}

/** Tokens in the file are kept; without a file new ones are made. */
export function loadOrCreateCredentials({
  dataDir,
  url,
  adminToken,
}: CredentialsSource): Credentials {
  const kept = readCredentials(credentialsPath(dataDir)) ?? createCredentials(url);
  const credentials = { ...kept, url, admin_token: adminToken ?? kept.admin_token };
  saveCredentials(dataDir, credentials);
  return credentials;
}

/** A reader sees the old file or the new one, never half of one. */
export function saveCredentials(dataDir: string, credentials: Credentials): void {
  const path = credentialsPath(dataDir);
  const temporaryPath = `${path}.new`;
  const text = `${JSON.stringify(credentials, undefined, 2)}\n`;
  writeFileSync(temporaryPath, text, { mode: 0o600, flush: true });
  renameSync(temporaryPath, path);
}

function readCredentials(path: string): Credentials | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return credentialsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new StartupError(`${path} cannot be read as credentials; remove it to get new tokens`);
  }
}

function createCredentials(url: string): Credentials {
  return {
    url,
    admin_token: makeToken('admin'),
    agents: {
      planner: makeToken('agent'),
      translator: makeToken('agent'),
      concierge: makeToken('agent'),
    },
  };
}
