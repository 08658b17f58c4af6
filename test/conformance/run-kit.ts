import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import type { Options } from './options.ts';

const outcomeSchema = z.object({
  test: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** Why it failed or was skipped. */
  reason: z.string(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/**
 * Runs pytest in the kit's folder and leaves nothing there.
 * @throws Error when it could not run the tests
 */
export async function runKit(
  { python, kit }: Options,
  pytestArguments: readonly string[],
): Promise<Outcome[]> {
  const path = join(await createTemporaryDirectory(), 'outcomes.jsonl');
  const plugin = ['-p', 'outcomes', `--outcomes=${path}`, '-p', 'no:cacheprovider'];
  const output = ['-q', '-rN', '--tb=no', '--disable-warnings', '--color=no'];
  const pytest = spawn(python, ['-m', 'pytest', ...pytestArguments, ...plugin, ...output], {
    cwd: kit,
    env: { ...process.env, PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(pytest, 'exit');
  // 1 is that tests failed; anything above, that they could not be run.
  if (code !== 0 && code !== 1) throw new Error(`pytest ended with ${code}`);
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => outcomeSchema.parse(JSON.parse(line)));
}
