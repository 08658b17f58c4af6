import { resolve } from 'node:path';
import { loadConfig } from '@relay/runtime';
import type { Command } from 'commander';
import { z } from 'zod';
import { environmentOf, onRun } from '../command.ts';
import { printJson } from '../output/print.ts';
import { Progress } from '../output/progress.ts';
import type { Terminal } from '../terminal.ts';

export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .argument('<directory>', 'an empty one, or one that is to be made')
    .summary('write all that NATS holds for Relay into a directory')
    .description(
      'Writes all that NATS holds for Relay into a directory, with checksums. Relay may go on meanwhile: whatever it acknowledged before is in it. It works on RELAY_NATS_URL, else on the data directory, also where no relay runs. The keys that seal secrets (RELAY_SECRET_KEY, or secret.key of the data directory) are not in it, only their ids: keep them somewhere else. Redis needs none.',
    );
  onRun(backup, terminal, {}, async ({ args: [directory = ''], options }) => {
    // What it works with is much to load for the other commands.
    const { takeBackup, withNats } = await import('../backup/index.ts');
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
    .option('--without-keys', 'though a key that sealed secrets in it is lost')
    .description(
      'Brings a backup into a NATS that holds nothing of Relay, before Relay is started on it. All is checked first, also that the keys at hand (RELAY_SECRET_KEY, secret.key of the data directory) open the secrets in it. Lists are made anew from it, and each agent is told by a full sync that Relay may know less than it did.',
    );
  const restoreOptions = { withoutKeys: z.boolean().default(false) };
  onRun(restore, terminal, restoreOptions, async ({ args: [given = ''], options }) => {
    const { checkSealingKeys, readManifest, restoreBackup, withNats } = await import(
      '../backup/index.ts'
    );
    const directory = resolve(given);
    const manifest = await readManifest(directory);
    const config = loadConfig(environmentOf(terminal, options));
    const warning = checkSealingKeys(manifest, { config, withoutKeys: options.withoutKeys });
    if (warning !== undefined) terminal.stderr.write(`relay: warning: ${warning}\n`);
    const progress = new Progress(terminal);
    await withNats(terminal, options, (connection) =>
      restoreBackup(connection, { directory, manifest }, progress),
    );
    if (options.json) printJson(terminal, manifest);
  });
}
