import { loadConfig, reportSettings } from '@relay/runtime';
import type { Command } from 'commander';
import { onRun } from '../command.ts';
import { printList } from '../output/print.ts';
import type { Terminal } from '../terminal.ts';

export function addConfigCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('config')
    .summary('show every setting, its value and where that comes from')
    .description(
      'Shows every setting as a relay that was started here would read it: its value, where that comes from, and what it means. Secrets are not shown. A wrong setting ends the command with 2.',
    );
  onRun(command, terminal, {}, async ({ options }) => {
    const settings = reportSettings(terminal.environment);
    printList({ terminal, options }, settings, [
      { title: 'setting', of: ({ name }) => name },
      { title: 'value', of: ({ value }) => value },
      { title: 'source', of: ({ source }) => source },
      { title: 'meaning', of: ({ description }) => description },
    ]);
    loadConfig(terminal.environment);
  });
}
