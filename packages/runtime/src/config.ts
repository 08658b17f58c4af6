import { resolve } from 'node:path';
import type { z } from 'zod';
import { environmentName, type SettingName, settings } from './settings.ts';
import { StartupError } from './startup-error.ts';

export type Config = Readonly<z.output<typeof settings> & { demo: boolean }>;

export type WithSettings<Name extends SettingName> = Config & {
  readonly [Key in Name]-?: NonNullable<Config[Key]>;
};

/** One line for each setting that is wrong. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export function loadConfig(environment: NodeJS.ProcessEnv, defaultPort = 8080): Config {
  const result = settings.safeParse(readSettings(environment));
  const problems = [...unknownNames(environment), ...(result.error?.issues ?? []).map(describe)];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { port, dataDir, demo, ...rest } = result.data;
  const config = Object.freeze({
    ...rest,
    port: isSet(environment['RELAY_PORT']) ? port : defaultPort,
    dataDir: resolve(dataDir),
    demo: demo ?? rest.natsUrl === undefined,
  });
  // Signed cards must not vouch for an origin that a request made up.
  return config.cardSigningKey ? requireSettings(config, ['publicUrl']) : config;
}

/** A service that runs alone cannot do without some settings that standalone provides itself. */
export function requireSettings<Name extends SettingName>(
  config: Config,
  names: readonly Name[],
): WithSettings<Name> {
  if (hasSettings(config, names)) return config;
  const missing = names.filter((name) => config[name] === undefined);
  throw new ConfigError(missing.map((name) => `${environmentName(name)} is required`));
}

function hasSettings<Name extends SettingName>(
  config: Config,
  names: readonly Name[],
): config is WithSettings<Name> {
  return names.every((name) => config[name] !== undefined);
}

function readSettings(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const names = Object.keys(settings.shape);
  return Object.fromEntries(names.map((name) => [name, readVariable(environment, name)]));
}

function readVariable(environment: NodeJS.ProcessEnv, setting: string): string | undefined {
  const value = environment[environmentName(setting)];
  return isSet(value) ? value : undefined;
}

/** Compose files pass a variable on as an empty string when it is unset outside. */
const isSet = (value: string | undefined) => value !== undefined && value !== '';

function unknownNames(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.keys(settings.shape).map(environmentName));
  return Object.keys(environment)
    .filter((name) => name.startsWith('RELAY_') && !known.has(name))
    .map((name) => `${name} is not a setting (docs/settings.md lists them all)`);
}

function describe(issue: z.core.$ZodIssue): string {
  return `${environmentName(String(issue.path[0]))} ${issue.message}`;
}
