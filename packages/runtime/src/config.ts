import { resolve } from 'node:path';
import type { z } from 'zod';
import { readVariables } from './environment.ts';
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
  const variables = readVariables(environment);
  const result = settings.safeParse(variables.values);
  const problems = [...variables.problems, ...(result.error?.issues ?? []).map(describe)];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { port, dataDir, demo, ...rest } = result.data;
  const config = Object.freeze({
    ...rest,
    port: variables.values.port === undefined ? defaultPort : port,
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

function describe(issue: z.core.$ZodIssue): string {
  return `${environmentName(String(issue.path[0]))} ${issue.message}`;
}
