import { createHash } from 'node:crypto';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupConnection, backupStreams } from '@relay/bus';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { bytesText, type Progress } from '../output/progress.ts';
import { type BackedUpStream, type Manifest, writeManifest } from './manifest.ts';

/**
 * Writes all that NATS holds for a relay into a directory that is empty, or is made. Relay may go on: what
 * was acknowledged before is in it.
 * @throws CommandError where the directory is in use or NATS holds no relay
 */
export async function takeBackup(
  connection: BackupConnection,
  directory: string,
  progress: Progress,
): Promise<Manifest> {
  const began = new Date().toISOString();
  const present = await connection.presentStreams();
  const missing = backupStreams.filter((stream) => !present.includes(stream));
  if (missing.length > 0) {
    const what = missing.length === backupStreams.length ? 'no relay' : `no ${missing.join(', ')}`;
    throw new CommandError(exitCodes.notFound, `NATS holds ${what}: there is nothing to back up`);
  }
  await makeEmptyDirectory(directory);
  const sealedBefore = await connection.countSealed();
  const streams: BackedUpStream[] = [];
  for (const stream of backupStreams) {
    streams.push(await backUpStream(connection, { stream, directory, progress }));
  }
  // They may have been sealed anew meanwhile.
  const sealed = { ...sealedBefore, ...(await connection.countSealed()) };
  const manifest: Manifest = {
    format: 'relay-backup',
    version: 1,
    began_at: began,
    finished_at: new Date().toISOString(),
    nats_version: connection.serverVersion,
    sealing_keys: Object.keys(sealed),
    streams,
  };
  await writeManifest(directory, manifest);
  const bytes = streams.reduce((sum, stream) => sum + stream.bytes, 0);
  progress.done(`${streams.length} streams, ${bytesText(bytes)}`);
  return manifest;
}

interface StreamToBackUp {
  readonly stream: string;
  readonly directory: string;
  readonly progress: Progress;
}

async function backUpStream(
  connection: BackupConnection,
  { stream, directory, progress }: StreamToBackUp,
): Promise<BackedUpStream> {
  const name = `${stream}.snapshot`;
  const hash = createHash('sha256');
  const file = await open(join(directory, name), 'wx', 0o600);
  let bytes = 0;
  try {
    const description = await connection.snapshot(stream, async (chunk) => {
      await file.write(chunk);
      hash.update(chunk);
      bytes += chunk.length;
      progress.update(`${stream} ${bytesText(bytes)}`);
    });
    await file.sync();
    return { name: stream, file: name, bytes, sha256: hash.digest('hex'), description };
  } finally {
    await file.close();
  }
}

/** Nothing is overwritten: an old backup is better than half of a new one. */
async function makeEmptyDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length === 0) return;
  throw new CommandError(exitCodes.usage, `${directory} is not empty`);
}
