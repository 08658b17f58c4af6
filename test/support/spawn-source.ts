import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript file of this repository in a Node process of its own, without a build. */
export function spawnSource(
  path: string,
  args: readonly string[] = [],
  settings: NodeJS.ProcessEnv = {},
): ChildProcess {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const options = ['--import', 'tsx', '--conditions=@relay/source', '--enable-source-maps'];
  return spawn(process.execPath, [...options, file, ...args], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...environmentWithoutSettings(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What is set around the test run must not reach the relay that is tested. */
function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('RELAY_'));
  return Object.fromEntries(entries);
}

export async function readFirstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the output is not piped');
  const lines = createInterface({ input: stdout });
  const [line]: unknown[] = await once(lines, 'line');
  return String(line);
}
