import type { Config, SecretKeys } from '@relay/runtime';
import { environmentOf, type GlobalOptions } from '../command.ts';
import { findEmbeddedNats } from '../nats/reach-nats.ts';
import type { Terminal } from '../terminal.ts';
import { checkLimits } from './check-limits.ts';
import { checkNats } from './check-nats.ts';
import { checkRedis } from './check-redis.ts';
import { checkRelay } from './check-relay.ts';
import { checkDataDirectory, checkSettings } from './check-settings.ts';
import { type Finding, skipped } from './finding.ts';

/** Everything that can be looked at from here, each check with what to do. */
export async function examine(terminal: Terminal, options: GlobalOptions): Promise<Finding[]> {
  const { config, keys, findings } = checkSettings(environmentOf(terminal, options));
  const relay = await checkRelay(terminal, options);
  return [
    ...findings,
    ...(await checkLimits()),
    ...(config ? await checkDataDirectory(config) : []),
    ...relay.findings,
    ...(config
      ? await checkServers(terminal, { options, config, keys, isInUse: relay.isRunning })
      : []),
  ];
}

interface Servers {
  readonly options: GlobalOptions;
  readonly config: Config;
  readonly keys: SecretKeys | undefined;
  readonly isInUse: boolean;
}

async function checkServers(
  terminal: Terminal,
  { options, config: { natsUrl, natsReplicas: replicas, redisUrl }, keys, isInUse }: Servers,
): Promise<Finding[]> {
  const embedded = natsUrl === undefined ? await findEmbeddedNats(terminal, options) : undefined;
  const servers = natsUrl ?? embedded;
  return [
    ...(servers
      ? await checkNats({ servers, replicas, keys, isInUse })
      : [skipped('nats', 'it is embedded, and no relay runs on this data directory')]),
    ...(redisUrl
      ? await checkRedis(redisUrl)
      : [skipped('redis', 'it is embedded; /readyz of a relay that runs says how it is')]),
  ];
}
