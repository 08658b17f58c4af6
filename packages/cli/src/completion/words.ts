import type { Command } from 'commander';

/** What may follow a command on the command line. */
export interface CompletionEntry {
  /** The command with those above it, without the program: `agents list`. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
}

/** For each command what can follow it: commands below it, and options. */
export function completionEntries(program: Command): CompletionEntry[] {
  const global = optionsOf(program);
  const visit = (command: Command, path: readonly string[]): CompletionEntry[] => {
    const below = command.commands.map((each) => ({
      word: each.name(),
      meaning: each.summary() || firstSentence(each.description()),
    }));
    const own = command === program ? [] : optionsOf(command);
    return [
      { path: path.join(' '), words: [...below, ...own, ...global] },
      ...command.commands.flatMap((each) => visit(each, [...path, each.name()])),
    ];
  };
  return visit(program, []);
}

function optionsOf(command: Command): CompletionEntry['words'] {
  return command.options.map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    meaning: description,
  }));
}

function firstSentence(text: string): string {
  return text.split('. ', 1)[0]?.replace(/\.$/, '') ?? '';
}
