import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type BackupConnection, backupStreams } from '@relay/bus';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { bytesText, type Progress } from '../output/progress.ts';
import type { BackedUpStream, Manifest } from './manifest.ts';

const chunkBytes = 512 * 1024;

export interface Backup {
  readonly directory: string;
  readonly manifest: Manifest;
}

/**
 * Brings a backup into a NATS that holds nothing of Relay. All of it is checked before anything is written,
 * and what was written is removed where the rest cannot be.
 * @throws CommandError
 */
export async function restoreBackup(
  connection: BackupConnection,
  { directory, manifest }: Backup,
  progress: Progress,
): Promise<void> {
  requireAll(manifest);
  const present = await connection.presentStreams();
  if (present.length > 0) {
    const message = `NATS is not empty: it holds ${present.join(', ')}. Restore into an empty one`;
    throw new CommandError(exitCodes.refused, message);
  }
  for (const stream of manifest.streams) {
    progress.update(`checking ${stream.name}`);
    await check(directory, stream);
  }
  const restored: string[] = [];
  try {
    for (const stream of manifest.streams) {
      progress.update(`${stream.name} ${bytesText(stream.bytes)}`);
      await connection.restore(stream.description, chunksOf(directory, stream));
      restored.push(stream.name);
    }
    await connection.noteRestore(Date.now());
  } catch (cause) {
    const removals = await Promise.allSettled(restored.map((stream) => connection.remove(stream)));
    const isClean = removals.every(({ status }) => status === 'fulfilled');
    const message = `the restore failed; NATS is ${isClean ? 'as empty as before' : 'to be emptied'}`;
    throw new CommandError(exitCodes.failed, message, { cause });
  }
  const bytes = manifest.streams.reduce((sum, stream) => sum + stream.bytes, 0);
  progress.done(`${manifest.streams.length} streams, ${bytesText(bytes)}`);
}

function requireAll({ streams }: Manifest): void {
  const names = streams.map(({ name }) => name);
  const missing = backupStreams.filter((stream) => !names.includes(stream));
  if (missing.length === 0) return;
  throw new CommandError(exitCodes.usage, `the backup has no ${missing.join(', ')}`);
}

async function check(directory: string, stream: BackedUpStream): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(directory, stream)) hash.update(chunk);
  if (hash.digest('hex') === stream.sha256) return;
  throw new CommandError(exitCodes.usage, `${stream.file} is not what was backed up`);
}

async function* chunksOf(
  directory: string,
  { file }: BackedUpStream,
): AsyncGenerator<Uint8Array, void> {
  const path = join(directory, file);
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes });
    yield* chunks;
  } catch (cause) {
    throw new CommandError(exitCodes.usage, `${path} cannot be read`, { cause });
  }
}
