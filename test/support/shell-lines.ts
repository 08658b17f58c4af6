import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestRelay } from './relay.ts';

const run = promisify(execFile);

export interface PastedLines {
  /** How many of the commands are curl. */
  readonly curls: number;
  /** What they print, each answer from the start of a line. */
  readonly stdout: string;
}

/** Runs the shell lines of a document in the repository as pasted, against this relay and its data. */
export async function pasteLines(document: string, relay: TestRelay): Promise<PastedLines> {
  const text = await readFile(resolve(import.meta.dirname, '../..', document), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  const script = blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', relay.url)
    .replaceAll('.relay/', join(relay.dataDir, '/'));
  const { stdout } = await run('bash', ['-euc', script.replaceAll(/^curl /gm, 'echo; curl ')]);
  return { curls: script.match(/^curl /gm)?.length ?? 0, stdout };
}
