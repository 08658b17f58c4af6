import { type ChildProcess, spawn } from 'node:child_process';
import type { Command } from 'commander';
import { onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { programOf } from '../installation.ts';
import type { Terminal } from '../terminal.ts';

export function addUpCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('up')
    .summary('run the whole relay in one process')
    .description(
      'Runs the whole relay in one process, as `npm start` does. It is configured by the environment: `relay config` shows how.',
    );
  onRun(command, terminal, {}, async ({ options }) => {
    const { dataDir } = options;
    const file = programOf('scripts/start.mjs', 'services/standalone/dist/main.js');
    const child = spawn(process.execPath, [file], {
      stdio: 'inherit',
      env: { ...terminal.environment, ...(dataDir ? { RELAY_DATA_DIR: dataDir } : {}) },
    });
    // Ctrl-C reaches the child from the terminal; this process only waits for it.
    const ignore = () => undefined;
    const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', ignore).on('SIGTERM', passOn).on('SIGHUP', passOn);
    const ending = await ended(child);
    process.off('SIGINT', ignore).off('SIGTERM', passOn).off('SIGHUP', passOn);
    if (ending !== 0) throw new CommandError(exitCodes.failed, `the relay ended with ${ending}`);
  });
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    child.once('error', reject);
  });
}
