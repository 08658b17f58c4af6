import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { renderCompletion, shells } from '../completion/scripts.ts';
import { completionEntries } from '../completion/words.ts';
import type { Terminal } from '../terminal.ts';

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .summary('print a script that lets a shell complete commands')
    .description(
      'Prints a script for a shell. bash: `eval "$(relay completion bash)"` in ~/.bashrc; zsh: `relay completion zsh > ~/.zfunc/_relay`, or `eval` it in ~/.zshrc after compinit; fish: `relay completion fish > ~/.config/fish/completions/relay.fish`.',
    );
  onRun(command, terminal, {}, async ({ args: [shell] }) => {
    const chosen = z.enum(shells).parse(shell);
    terminal.stdout.write(renderCompletion(chosen, completionEntries(program)));
  });
}
