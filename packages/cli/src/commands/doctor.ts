import type { Command } from 'commander';
import { onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/table.ts';
import type { Terminal } from '../terminal.ts';

const marks = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ', skipped: 'skipped' } as const;

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .summary('look for what is wrong, and say what to do')
    .description(
      'Looks at the settings, the limits of this machine, the data directory, the relay, NATS, Redis and their clocks, and says what to do about what it finds. A fault ends it with 1, a warning does not.',
    );
  onRun(command, terminal, {}, async ({ options }) => {
    // What it looks at is much to load for the other commands.
    const { examine } = await import('../doctor/examine.ts');
    const findings = await examine(terminal, options);
    if (options.json) printJson(terminal, findings);
    else {
      const width = Math.max(...findings.map(({ check }) => check.length));
      for (const { check, status, found, advice } of findings) {
        terminal.stdout.write(`${marks[status]}  ${check.padEnd(width)}  ${printable(found)}\n`);
        if (advice !== null) terminal.stdout.write(`${' '.repeat(width + 11)}→ ${advice}\n`);
      }
    }
    const faults = findings.filter(({ status }) => status === 'fault').length;
    if (faults === 0) return;
    throw new CommandError(exitCodes.failed, faults === 1 ? '1 fault' : `${faults} faults`);
  });
}
