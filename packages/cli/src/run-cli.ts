import { CommanderError } from 'commander';
import { explain } from './command-error.ts';
import { exitCodes } from './exit-codes.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command line.
 * @param args without the program itself
 * @returns how the process is to end
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has told it already.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const { lines, exitCode } = explain(error);
    for (const line of lines) terminal.stderr.write(`relay: ${line}\n`);
    return exitCode;
  }
}
