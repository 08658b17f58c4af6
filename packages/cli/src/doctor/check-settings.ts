import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Config,
  ConfigError,
  findSecretKeys,
  loadConfig,
  type SecretKeys,
  StartupError,
  secretKeyPath,
} from '@relay/runtime';
import { bytesText } from '../output/progress.ts';
import { bad, type Finding, ok, skipped } from './finding.ts';

const mebibyte = 1024 * 1024;

/** The settings, where they can be read at all. */
export function checkSettings(environment: NodeJS.ProcessEnv): {
  readonly config: Config | undefined;
  /** Those that a relay with these settings and this data directory opens secrets with. */
  readonly keys: SecretKeys | undefined;
  readonly findings: readonly Finding[];
} {
  try {
    const config = loadConfig(environment);
    const { keys, finding } = checkSecretKeys(config);
    return { config, keys, findings: [ok('settings', 'all are good'), finding] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it; `relay config` and docs/settings.md say what it means.';
    const findings = error.problems.map((found) => bad('settings', 'fault', { found, advice }));
    return { config: undefined, keys: undefined, findings };
  }
}

interface CheckedKeys {
  readonly keys: SecretKeys | undefined;
  readonly finding: Finding;
}

function checkSecretKeys(config: Config): CheckedKeys {
  try {
    const keys = findSecretKeys(config);
    return { keys, finding: describeKeys(config, keys) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const advice = 'Put back the file as it was, from a copy.';
    return {
      keys: undefined,
      finding: bad('secret key', 'fault', { found: error.message, advice }),
    };
  }
}

/** Without it stored secrets cannot be read: webhooks would stand still. */
function describeKeys({ secretKey, natsUrl }: Config, keys: SecretKeys | undefined): Finding {
  const check = 'secret key';
  if (secretKey) return ok(check, `${secretKey.length} in RELAY_SECRET_KEY`);
  if (keys)
    return ok(check, 'secret.key in the data directory; keep a copy of it apart from backups');
  if (natsUrl === undefined) return ok(check, 'one is made at the first start');
  return bad(check, 'warning', {
    found: 'none',
    advice:
      'A delivery that runs alone needs RELAY_SECRET_KEY: `openssl rand -base64 32`. Keep it for ever.',
  });
}

/** Where embedded servers keep their data. */
export async function checkDataDirectory({ dataDir, natsUrl }: Config): Promise<Finding[]> {
  const check = 'data directory';
  if (!existsSync(dataDir)) {
    return [skipped(check, `${dataDir} is not there${natsUrl ? '' : ' yet'}`)];
  }
  const findings: Finding[] = [];
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const advice = 'Give it to the user that Relay runs as.';
    return [bad(check, 'fault', { found: `${dataDir} cannot be written`, advice })];
  }
  findings.push(await checkSpace(dataDir));
  for (const path of [join(dataDir, 'credentials.json'), secretKeyPath(dataDir)]) {
    if (!existsSync(path) || ((await stat(path)).mode & 0o077) === 0) continue;
    const found = `others may read ${path}`;
    findings.push(bad(check, 'warning', { found, advice: `chmod 600 ${path}` }));
  }
  return findings;
}

async function checkSpace(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const found = `${bytesText(free)} are free at ${dataDir}`;
  const advice = 'Make room: NATS refuses what it cannot store.';
  if (free < 100 * mebibyte) return bad('data directory', 'fault', { found, advice });
  if (free < 1_024 * mebibyte) return bad('data directory', 'warning', { found, advice });
  return ok('data directory', found);
}
