import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { streamDescriptionSchema } from '@relay/bus';
import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';

const backedUpStreamSchema = z.object({
  name: z.string(),
  file: z.string().regex(/^[\w.-]+$/),
  bytes: z.int(),
  sha256: z.string(),
  description: streamDescriptionSchema,
});
export type BackedUpStream = z.infer<typeof backedUpStreamSchema>;

const manifestSchema = z.object({
  format: z.literal('relay-backup'),
  version: z.literal(1),
  /** When it was begun: everything that was acknowledged before is in it. */
  began_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  nats_version: z.string(),
  /** Ids of the keys that sealed the secrets in it. An early backup does not tell. */
  sealing_keys: z.array(z.string()).optional(),
  streams: z.array(backedUpStreamSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

const manifestName = 'manifest.json';

/** It is written last: a backup without it was not finished. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const path = join(directory, manifestName);
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** @throws CommandError */
export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, manifestName);
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const message = `${path} is not that of a finished backup of this version`;
    throw new CommandError(exitCodes.usage, message, { cause });
  }
}
