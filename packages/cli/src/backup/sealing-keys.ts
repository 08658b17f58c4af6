import { type Config, findSecretKeys } from '@relay/runtime';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Manifest } from './manifest.ts';

interface Destination {
  readonly config: Pick<Config, 'dataDir' | 'natsUrl' | 'secretKey'>;
  /** They are lost, and the rest is wanted all the same. */
  readonly withoutKeys: boolean;
}

/**
 * Whether the keys at hand open the secrets of a backup.
 * @returns what the operator must be warned of
 * @throws CommandError where they do not
 */
export function checkSealingKeys(
  { sealing_keys: needed }: Pick<Manifest, 'sealing_keys'>,
  { config, withoutKeys }: Destination,
): string | undefined {
  if (!needed) return 'the backup is of a time when none told which keys sealed its secrets';
  const keys = findSecretKeys(config);
  const missing = needed.filter((id) => !keys?.some((key) => key.id === id));
  if (missing.length === 0) return undefined;
  const sealed = `secrets in the backup were sealed with ${missing.join(', ')}`;
  if (withoutKeys) return `${sealed}: they stay unreadable without`;
  // A delivery that runs elsewhere may have the key.
  if (!keys && config.natsUrl !== undefined) {
    return `${sealed}. There is no key here to compare: see that RELAY_SECRET_KEY of delivery has it`;
  }
  const place = 'RELAY_SECRET_KEY or secret.key of the data directory';
  const message = `${sealed}, and no key of that id is here. Put it in ${place} first, or restore --without-keys`;
  throw new CommandError(exitCodes.refused, message);
}
