import { environmentName, fileSettings, fileVariable, settings } from './settings.ts';

const INTRODUCTION = `# Settings

Relay is configured by environment variables. An unknown \`RELAY_\` variable or a bad value stops
the start with a line that names it; an empty one counts as unset. What is a secret or may hold one
can also be read from a file, whose path the variable ending in \`_FILE\` gives.

<!-- Written by \`npm run docs\` from packages/runtime/src/settings.ts. -->
`;

export function renderSettingsDocument(): string {
  const rows = Object.entries(settings.shape).map(([name, setting]) =>
    row([
      renderNames(name),
      renderDefault(setting.safeParse(undefined).data),
      setting.description ?? '',
    ]),
  );
  return [
    INTRODUCTION,
    row(['Variable', 'Default', 'Meaning']),
    row(['---', '---', '---']),
    ...rows,
  ]
    .join('\n')
    .concat('\n');
}

const withFiles: ReadonlySet<string> = new Set(fileSettings);

const renderNames = (name: string) =>
  withFiles.has(name)
    ? `\`${environmentName(name)}\` or \`${fileVariable(name)}\``
    : `\`${environmentName(name)}\``;

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const renderDefault = (value: string | number | boolean | object | undefined) => {
  if (value === undefined) return '';
  return `\`${typeof value === 'object' ? Object.values(value).join() : value}\``;
};
