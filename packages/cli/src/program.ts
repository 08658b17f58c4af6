import { Command } from 'commander';
import { addAgentCommands } from './commands/agents.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addSecretCommands } from './commands/secrets.ts';
import { addSendCommand } from './commands/send.ts';
import { addStuckCommands } from './commands/stuck.ts';
import { addTailCommand } from './commands/tail.ts';
import { addTaskCommand } from './commands/task.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addUpCommand } from './commands/up.ts';
import type { Terminal } from './terminal.ts';

/** Every command with its arguments and options: what is run, completed and documented. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('relay')
    .description('Runs a relay, and asks one that runs.')
    .option('--url <url>', 'where Relay is; else RELAY_URL, else as credentials.json says')
    .option('--token <token>', 'who asks; else RELAY_TOKEN, else as credentials.json says')
    .option('--data-dir <directory>', 'where credentials.json is; else RELAY_DATA_DIR, else .relay')
    .option('--json', 'print JSON instead of tables and texts')
    .showHelpAfterError('(relay --help says more)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride();
  for (const add of [
    addUpCommand,
    addAgentCommands,
    addTokenCommands,
    addSendCommand,
    addTailCommand,
    addTaskCommand,
    addDeadLetterCommands,
    addStuckCommands,
    addDoctorCommand,
    addConfigCommand,
    addBackupCommands,
    addSecretCommands,
    addCompletionCommand,
  ]) {
    add(program, terminal);
  }
  return program;
}
