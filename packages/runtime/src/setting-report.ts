import { readVariables } from './environment.ts';
import { environmentName, fileSettings, fileVariable, settings } from './settings.ts';

/** One setting as it is now. */
export interface SettingReport {
  /** Of its variable. */
  readonly name: string;
  /** Secrets are not shown; `null` where there is none. */
  readonly value: string | null;
  readonly source: 'environment' | 'file' | 'default' | 'unset';
  readonly description: string;
}

const secrets: ReadonlySet<string> = new Set(['adminToken', 'secretKey', 'cardSigningKey']);
const withFiles: ReadonlySet<string> = new Set(fileSettings);

/** Every setting with its value and where that comes from. Wrong ones are shown as they were set. */
export function reportSettings(environment: NodeJS.ProcessEnv): SettingReport[] {
  const values = new Map(Object.entries(readVariables(environment).values));
  return Object.entries(settings.shape).map(([name, setting]) => {
    const value = values.get(name);
    const description = setting.description ?? '';
    const about = { name: environmentName(name), description };
    if (value !== undefined) {
      const isFile = withFiles.has(name) && environment[fileVariable(name)];
      return { ...about, value: shown(name, value), source: isFile ? 'file' : 'environment' };
    }
    const preset: unknown = setting.safeParse(undefined).data;
    if (preset === undefined) return { ...about, value: null, source: 'unset' };
    return { ...about, value: textOf(preset), source: 'default' };
  });
}

/** As it would be set. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A URL may hold a password. */
function shown(name: string, value: string): string {
  if (secrets.has(name)) return '[secret]';
  return value.replace(/\/\/[^/@,]*@/g, '//[secret]@');
}
