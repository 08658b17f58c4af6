import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWhenThisProcessEnds } from './reaper.ts';

export async function createTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'relay-test-'));
  removeWhenThisProcessEnds(directory);
  return directory;
}
