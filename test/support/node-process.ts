import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program as an operator does, with these settings alone. It is gone when this process ends. */
export function spawnNode(
  file: string,
  environment: Readonly<Record<string, string>>,
  output: 'pipe' | 'inherit',
): ChildProcess {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', output, output],
  });
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  return child;
}

/** Runs it to its end: for starts that must be refused. */
export async function runToEnd(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const child = spawnNode(file, environment, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Ends it where it still runs. @returns its exit code, or null where a signal ended it */
export async function endProcess(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (!child) return null;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}
