import { readFileSync } from 'node:fs';
import {
  environmentName,
  fileSettings,
  fileVariable,
  type SettingName,
  settings,
} from './settings.ts';

export interface Variables {
  readonly values: Readonly<Partial<Record<SettingName, string>>>;
  /** One line for each variable that cannot be used. */
  readonly problems: readonly string[];
}

/** The text of each setting that is set, from its variable or from the file that another one names. */
export function readVariables(environment: NodeJS.ProcessEnv): Variables {
  const values: Record<string, string> = {};
  const problems = unknownNames(environment);
  for (const name of Object.keys(settings.shape)) {
    const value = environment[environmentName(name)];
    if (isSet(value)) values[name] = value;
  }
  for (const name of fileSettings) {
    const variable = fileVariable(name);
    const path = environment[variable];
    if (!isSet(path)) continue;
    if (name in values) {
      problems.push(`${variable} and ${environmentName(name)} are both set`);
      continue;
    }
    const { text, problem } = readSecretFile(path);
    if (problem === undefined) values[name] = text;
    else problems.push(`${variable} ${problem}`);
  }
  return { values, problems };
}

/** Compose files pass a variable on as an empty string when it is unset outside. */
const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

/** A file's last line break is the editor's, not the secret's. */
function readSecretFile(path: string): { text: string; problem?: string } {
  try {
    const text = readFileSync(path, 'utf8').trimEnd();
    return text === '' ? { text, problem: 'names an empty file' } : { text };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { text: '', problem: `names a file that cannot be read: ${reason}` };
  }
}

/** What clients read, such as the command line: a shell that has them may start a relay too. */
const clientVariables = ['RELAY_URL', 'RELAY_TOKEN'];

function unknownNames(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set([
    ...clientVariables,
    ...Object.keys(settings.shape).map(environmentName),
    ...fileSettings.map(fileVariable),
  ]);
  return Object.keys(environment)
    .filter((name) => name.startsWith('RELAY_') && !known.has(name))
    .map((name) => `${name} is not a setting (docs/settings.md lists them all)`);
}
