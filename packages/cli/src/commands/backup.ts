import { resolve } from 'node:path';
import { type BackupConnection, connectBackup } from '@relay/bus';
import type { Command } from 'commander';
import { restoreBackup } from '../backup/restore-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { type GlobalOptions, onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { reachNats } from '../nats/reach-nats.ts';
import { printJson } from '../output/print.ts';
import { Progress } from '../output/progress.ts';
import type { Terminal } from '../terminal.ts';

export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .argument('<directory>', 'an empty one, or one that is to be made')
    .summary('write all that NATS holds for Relay into a directory')
    .description(
      'Writes all that NATS holds for Relay into a directory, with checksums. Relay may go on meanwhile: whatever it acknowledged before is in it. It works on RELAY_NATS_URL, else on the data directory, also where no relay runs. The keys that seal secrets (RELAY_SECRET_KEY, or secret.key of the data directory) are not in it: keep them somewhere else. Redis needs none.',
    );
  onRun(backup, terminal, {}, async ({ args: [directory = ''], options }) => {
    const progress = new Progress(terminal);
    const manifest = await withNats(terminal, options, (connection) =>
      takeBackup(connection, resolve(directory), progress),
    );
    if (options.json) printJson(terminal, manifest);
  });
  const restore = program
    .command('restore')
    .argument('<directory>', 'of the backup')
    .summary('bring a backup into an empty NATS')
    .description(
      'Brings a backup into a NATS that holds nothing of Relay, before Relay is started on it. All is checked first. Lists are made anew from it, and each agent is told by a full sync that Relay may know less than it did.',
    );
  onRun(restore, terminal, {}, async ({ args: [directory = ''], options }) => {
    const progress = new Progress(terminal);
    const manifest = await withNats(terminal, options, (connection) =>
      restoreBackup(connection, resolve(directory), progress),
    );
    if (options.json) printJson(terminal, manifest);
  });
}

async function withNats<Result>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (connection: BackupConnection) => Promise<Result>,
): Promise<Result> {
  const nats = await reachNats(terminal, options);
  try {
    const connection = await connectBackup(nats).catch((cause: unknown) => {
      throw new CommandError(exitCodes.unavailable, 'NATS cannot be reached', { cause });
    });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  } finally {
    await nats.release();
  }
}
