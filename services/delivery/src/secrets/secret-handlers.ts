import { type Bus, unavailable } from '@relay/bus';
import type { DeliveryOperation } from '@relay/domain';
import { RelayError, type RewrapAnswer } from '@relay/protocol';
import { type Logger, SealError, type Sealer } from '@relay/runtime';
import type { Handlers } from '../delivery-handler.ts';
import { allSealedRecords, type Rewrap, type SealedRecords } from './sealed-records.ts';

/** Time for the answer to come back to who asked. */
const reserveMilliseconds = 3_000;

export interface SecretContext {
  readonly bus: Bus;
  readonly sealer: Sealer;
  readonly logger: Logger;
}

type Operation = Extract<DeliveryOperation, 'rewrap-secrets'>;

/** Executes what the administrator asks about sealed secrets. */
export function secretHandlers(context: SecretContext): Handlers<Operation> {
  return {
    'rewrap-secrets': ({ pageToken }, deadline) =>
      rewrapSecrets(context, pageToken, deadline - reserveMilliseconds),
  };
}

interface Counts {
  examined: number;
  rewrapped: number;
  failed: number;
}

/**
 * Seals all that is sealed anew with the newest key, as long as there is time; the rest is left to the next
 * call. What that key has sealed already stays as it is, so it may be done again.
 * @throws RelayError invalidParams for a token that is none; unavailable where there was time for nothing
 */
async function rewrapSecrets(
  context: SecretContext,
  pageToken: string | undefined,
  end: number,
): Promise<RewrapAnswer> {
  const kinds = allSealedRecords(context.bus);
  const total: Counts = { examined: 0, rewrapped: 0, failed: 0 };
  const begin = pageToken ?? '';
  let next = begin;
  for await (const { kind, key } of placesAfter(kinds, readToken(kinds, pageToken))) {
    if (Date.now() > end) {
      if (next === begin) throw unavailable();
      return { ...total, next_page_token: next };
    }
    await rewrapAt(context, kind, { key, total });
    next = `${kind.name}:${key}`;
  }
  return { ...total, next_page_token: '' };
}

/** The kind to go on with, and the key in it to go on after. */
type Position = readonly [kind: number, after: string];

async function* placesAfter(kinds: readonly SealedRecords[], [first, after]: Position) {
  for (const [index, kind] of kinds.slice(first).entries()) {
    const keys = (await kind.keys()).toSorted();
    for (const key of keys) if (index > 0 || key > after) yield { kind, key };
  }
}

interface Place {
  readonly key: string;
  readonly total: Counts;
}

async function rewrapAt(
  { sealer, logger }: SecretContext,
  kind: SealedRecords,
  { key, total }: Place,
): Promise<void> {
  let counts: Counts = { examined: 0, rewrapped: 0, failed: 0 };
  const rewrap: Rewrap = (sealed, place) => {
    counts.examined += 1;
    try {
      const anew = sealer.rewrap(sealed, place);
      if (anew !== sealed) counts.rewrapped += 1;
      return anew;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      counts.failed += 1;
      logger.error({ kind: kind.name, key, err: error }, 'secret.not_opened');
      return sealed;
    }
  };
  await kind.rewrapAt(key, () => {
    counts = { examined: 0, rewrapped: 0, failed: 0 };
    return rewrap;
  });
  total.examined += counts.examined;
  total.rewrapped += counts.rewrapped;
  total.failed += counts.failed;
}

/** @throws RelayError invalidParams */
function readToken(kinds: readonly SealedRecords[], token: string | undefined): Position {
  if (token === undefined) return [0, ''];
  const [name, key] = token.split(':', 2);
  const kind = kinds.findIndex((each) => each.name === name);
  if (kind >= 0 && key !== undefined) return [kind, key];
  throw new RelayError({
    error: 'invalidParams',
    message: 'The page token is not one of this operation.',
  });
}
