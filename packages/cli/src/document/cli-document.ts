import type { Command } from 'commander';
import { exitCodeMeanings, exitCodes } from '../exit-codes.ts';

const introduction = `# The \`relay\` command

\`npx relay\` in this directory runs it, or \`packages/cli/bin/relay.mjs\` from anywhere; \`npm run build\` builds it.
Whoever asks and where is taken from the options, else from \`RELAY_URL\` and \`RELAY_TOKEN\`, else from the
\`credentials.json\` of a relay on this machine: commands for the administrator take its token there, others that of an agent.

<!-- Written by \`npm run docs\` from the commands in packages/cli/src. -->
`;

/** The reference of all commands, as Markdown. */
export function renderCliDocument(program: Command): string {
  const sections = program.commands.flatMap((command) => sectionsOf(command, 'relay'));
  return [
    introduction,
    '## Options of every command\n',
    table(['Option', 'Meaning'], optionRows(program)),
    ...sections,
    '## How it ends\n',
    'Data goes to the standard output; progress and problems go to the standard error, problems in lines that begin with `relay:`.\n',
    table(
      ['Exit code', 'Meaning'],
      Object.entries(exitCodes).map(([name, code]) => [String(code), meaningOf(name)]),
    ),
  ].join('\n');
}

function sectionsOf(command: Command, above: string): string[] {
  const name = `${above} ${command.name()}`;
  const depth = above.split(' ').length + 1;
  const argumentRows = command.registeredArguments.map((argument) => [
    `\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``,
    argument.description,
  ]);
  const rows = [...argumentRows, ...optionRows(command)];
  return [
    `${'#'.repeat(depth)} \`${[name, ...argumentRows.map(([shown = '']) => shown.replaceAll('`', ''))].join(' ')}\`\n`,
    `${command.description()}\n`,
    ...(rows.length > 0 ? [table(['', 'Meaning'], rows)] : []),
    ...command.commands.flatMap((each) => sectionsOf(each, name)),
  ];
}

function optionRows(command: Command): string[][] {
  return command.options.map(({ flags, description }) => [`\`${flags}\``, description]);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function meaningOf(name: string): string {
  return new Map(Object.entries(exitCodeMeanings)).get(name) ?? '';
}
