import { environmentName, settings } from './settings.ts';

const INTRODUCTION = `# Settings

Relay is configured by environment variables. An unknown \`RELAY_\` variable or a bad value stops
the start with a line that names it; an empty one counts as unset.

<!-- Written by \`npm run docs\` from packages/runtime/src/settings.ts. -->
`;

export function renderSettingsDocument(): string {
  const rows = Object.entries(settings.shape).map(([name, setting]) =>
    row([
      `\`${environmentName(name)}\``,
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

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const renderDefault = (value: string | number | boolean | object | undefined) => {
  if (value === undefined) return '';
  return `\`${typeof value === 'object' ? Object.values(value).join() : value}\``;
};
