import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const recordSchema = z.object({ pid: z.int().positive(), commandLine: z.string().min(1) });

/** Which process wrote a file: a pid alone may by now belong to another program. */
export type ProcessRecord = z.infer<typeof recordSchema>;

/** Written synchronously, so that no crash comes between a spawn and its record. */
export function writeProcessRecord(path: string, record: ProcessRecord): void {
  writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
}

export function readProcessRecord(path: string): ProcessRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

export function isRunning({ pid, commandLine }: ProcessRecord): boolean {
  return readCommandLine(pid) === commandLine;
}

/** Empty for a process that has ended, also while its parent has not yet taken note. */
export function readCommandLine(pid: number): string {
  try {
    return existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
      : execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
