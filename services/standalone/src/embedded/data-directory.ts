import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from '@relay/runtime';
import {
  isRunning,
  readCommandLine,
  readProcessRecord,
  writeProcessRecord,
} from './process-record.ts';

const LOCK_NAME = /^relay-\d+\.lock$/;

/**
 * One relay to a data directory. Each puts down a lock of its own before it looks for others, so of
 * two that start together neither can miss the other; one left behind by a killed relay is removed.
 */
export function lockDataDirectory(directory: string): () => void {
  const lock = join(directory, `relay-${process.pid}.lock`);
  try {
    createDirectory(directory);
    writeProcessRecord(lock, { pid: process.pid, commandLine: readCommandLine(process.pid) });
  } catch (error) {
    throw new StartupError(`the data directory cannot be written: ${messageOf(error)}`);
  }
  const release = () => rmSync(lock, { force: true });
  const holder = findOtherHolder(directory, lock);
  if (holder === undefined) return release;
  release();
  throw new StartupError(`another relay (process ${holder}) uses the data directory ${directory}`);
}

function findOtherHolder(directory: string, ownLock: string): number | undefined {
  const locks = readdirSync(directory)
    .filter((name) => LOCK_NAME.test(name))
    .map((name) => join(directory, name))
    .filter((path) => path !== ownLock);
  for (const path of locks) {
    const holder = readProcessRecord(path);
    if (holder && isRunning(holder)) return holder.pid;
    rmSync(path, { force: true });
  }
  return undefined;
}

/** Node's own recursive mkdir never returns where the kernel answers ENOENT, as under /proc. */
function createDirectory(directory: string): void {
  if (existsSync(directory)) return;
  createDirectory(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
