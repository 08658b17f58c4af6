import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@relay/runtime';
import { writeProcessRecord } from './process-record.ts';

interface ServerCommand<Ready> {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  readonly recordPath: string;
  /** Asked again and again until it says that the server is ready. */
  readonly probe: (pid: number) => Promise<Ready | undefined>;
}

export interface ServerProcess<Ready> {
  readonly pid: number;
  readonly ready: Ready;
  /** Resolves with the reason, and never rejects. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

const PROBE_EVERY_MS = 10;
const TERMINATE_WITHIN_MS = 10_000;

/** What servers print before the message: `[7] 2026/01/02 03:04:05 [FTL]`, `7:M 02 Jan 2026 #`. */
const LOG_PREFIX = /^(\[\d+\]|\d+:[A-Z]) .*?(\[[A-Z]{3}\]|[#*.-]) /;

export async function startServerProcess<Ready>(
  command: ServerCommand<Ready>,
): Promise<ServerProcess<Ready>> {
  const child = spawnServer(command);
  const exited = describeExit(child);
  const pid = await pidOf(child, command);
  terminateWithThisProcess(child);
  const ready = await waitUntilReady(command, pid, exited);
  return { pid, ready, exited, stop: () => terminate(child, exited, command.recordPath) };
}

/** In a process group of its own, or Ctrl-C in a terminal would reach it before Relay drained. */
function spawnServer(command: ServerCommand<unknown>): ChildProcess {
  const child = spawn(command.program, command.arguments, {
    cwd: command.directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const commandLine = [command.program, ...command.arguments].join(' ').trim();
  if (child.pid) writeProcessRecord(command.recordPath, { pid: child.pid, commandLine });
  return child;
}

function pidOf(child: ChildProcess, { program }: ServerCommand<unknown>): Promise<number> {
  return new Promise((resolve, reject) => {
    if (child.pid !== undefined) resolve(child.pid);
    child.once('error', ({ message }) => {
      const reason = message.includes('ENOENT') ? 'it is not on the PATH' : message;
      reject(new StartupError(`${program} did not start: ${reason}`));
    });
  });
}

async function waitUntilReady<Ready>(
  { program, probe }: ServerCommand<Ready>,
  pid: number,
  exited: Promise<string>,
): Promise<Ready> {
  for (;;) {
    const ready = await probe(pid);
    if (ready !== undefined) return ready;
    const exitReason = await Promise.race([exited, sleep(PROBE_EVERY_MS)]);
    if (exitReason !== undefined) throw new StartupError(`${program} did not start: ${exitReason}`);
  }
}

function describeExit(child: ChildProcess): Promise<string> {
  let lastLine = '';
  const follow = (output: Readable | null) => {
    if (output === null) return;
    createInterface({ input: output }).on('line', (line) => {
      if (line.trim() !== '') lastLine = line.replace(LOG_PREFIX, '');
    });
  };
  follow(child.stdout);
  follow(child.stderr);
  return new Promise((resolve) => {
    child.once('close', (code, signal) =>
      resolve(signal === null ? `exit code ${code} ${lastLine}`.trim() : `killed by ${signal}`),
    );
  });
}

function terminateWithThisProcess(child: ChildProcess): void {
  const terminateNow = () => void child.kill('SIGTERM');
  process.once('exit', terminateNow);
  child.once('exit', () => process.off('exit', terminateNow));
}

async function terminate(
  child: ChildProcess,
  exited: Promise<string>,
  recordPath: string,
): Promise<void> {
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), TERMINATE_WITHIN_MS);
  await exited;
  clearTimeout(limit);
  rmSync(recordPath, { force: true });
}
