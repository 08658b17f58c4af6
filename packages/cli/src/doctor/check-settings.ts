import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError, loadConfig } from '@relay/runtime';
import { bytesText } from '../output/progress.ts';
import { bad, type Finding, ok, skipped } from './finding.ts';

const mebibyte = 1024 * 1024;

/** The settings, where they can be read at all. */
export function checkSettings(environment: NodeJS.ProcessEnv): {
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
} {
  try {
    const config = loadConfig(environment);
    return { config, findings: [ok('settings', 'all are good'), checkSecretKey(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it; `relay config` and docs/settings.md say what it means.';
    const findings = error.problems.map((found) => bad('settings', 'fault', { found, advice }));
    return { config: undefined, findings };
  }
}

/** Without it stored secrets cannot be read: webhooks would stand still. */
function checkSecretKey({ secretKey, natsUrl, dataDir }: Config): Finding {
  const check = 'secret key';
  if (secretKey) return ok(check, `${secretKey.length} in RELAY_SECRET_KEY`);
  if (natsUrl === undefined) {
    const isThere = existsSync(join(dataDir, 'secret.key'));
    return isThere
      ? ok(check, 'secret.key in the data directory; keep a copy of it apart from backups')
      : ok(check, 'one is made at the first start');
  }
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
  for (const name of ['credentials.json', 'secret.key']) {
    const path = join(dataDir, name);
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
