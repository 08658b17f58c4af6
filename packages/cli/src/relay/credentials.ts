import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';

const credentialsSchema = z.object({
  url: z.string(),
  admin_token: z.string(),
  agents: z.record(z.string(), z.string()),
});
type Credentials = z.infer<typeof credentialsSchema>;

interface Place {
  readonly dataDir?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

function dataDirectoryOf({ dataDir, environment }: Place): string {
  return resolve(dataDir ?? (environment['RELAY_DATA_DIR'] || '.relay'));
}

export function credentialsPath(place: Place): string {
  return join(dataDirectoryOf(place), 'credentials.json');
}

/** What a relay that keeps its data there has written for whoever may read it. */
export function readCredentials(place: Place): Credentials | undefined {
  const path = credentialsPath(place);
  if (!existsSync(path)) return undefined;
  try {
    return credentialsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new CommandError(exitCodes.usage, `${path} cannot be read as credentials`, { cause });
  }
}
