import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommandError } from './command-error.ts';
import { exitCodes } from './exit-codes.ts';

/** Where this installation of Relay is: three levels above the source, or the build, of this file. */
const root = new URL('../../../', import.meta.url);

/** A program of this installation: the first that is there. @throws CommandError */
export function programOf(...candidates: readonly string[]): string {
  const paths = candidates.map((candidate) => fileURLToPath(new URL(candidate, root)));
  const path = paths.find((each) => existsSync(each));
  if (path) return path;
  throw new CommandError(exitCodes.failed, `${paths.join(' and ')} not found: run "npm run build"`);
}
