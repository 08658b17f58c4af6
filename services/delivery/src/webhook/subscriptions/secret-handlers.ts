import { type Bucket, unavailable } from '@relay/bus';
import type { DeliveryOperation } from '@relay/domain';
import type { RewrapAnswer } from '@relay/protocol';
import { type Logger, SealError, type Sealer } from '@relay/runtime';
import type { Handlers } from '../../delivery-handler.ts';
import type { FeedRecord } from '../../feed/feed-record.ts';
import { rewrapSubscription } from './endpoint.ts';

/** Time for the answer to come back to who asked. */
const reserveMilliseconds = 3_000;

export interface SecretContext {
  readonly records: Bucket<FeedRecord>;
  readonly sealer: Sealer;
  readonly logger: Logger;
}

type Operation = Extract<DeliveryOperation, 'rewrap-secrets'>;

/** Executes what the administrator asks about sealed secrets. */
export function secretHandlers(context: SecretContext): Handlers<Operation> {
  return {
    'rewrap-secrets': ({ pageToken }, deadline) =>
      rewrapSecrets(context, pageToken ?? '', deadline - reserveMilliseconds),
  };
}

interface Counts {
  examined: number;
  rewrapped: number;
  failed: number;
}

/**
 * Seals what webhooks are signed with anew, as long as there is time; the rest is left to the next call.
 * What is sealed with the newest key already stays as it is, so it may be done again.
 */
async function rewrapSecrets(
  context: SecretContext,
  after: string,
  end: number,
): Promise<RewrapAnswer> {
  const keys = (await context.records.keys()).toSorted().filter((key) => key > after);
  const counts: Counts = { examined: 0, rewrapped: 0, failed: 0 };
  let last = after;
  for (const key of keys) {
    if (Date.now() > end) {
      if (last === after) throw unavailable();
      return { ...counts, next_page_token: last };
    }
    await rewrapFeed(context, key, counts);
    last = key;
  }
  return { ...counts, next_page_token: '' };
}

async function rewrapFeed({ records, sealer, logger }: SecretContext, key: string, counts: Counts) {
  let found: Counts = { examined: 0, rewrapped: 0, failed: 0 };
  await records.change(key, (record) => {
    found = { examined: 0, rewrapped: 0, failed: 0 };
    if (!record || record.subscriptions.length === 0) return undefined;
    const subscriptions = record.subscriptions.map((subscription) =>
      rewrapSubscription(subscription, (sealed, place) => {
        found.examined += 1;
        try {
          const rewrapped = sealer.rewrap(sealed, place);
          if (rewrapped !== sealed) found.rewrapped += 1;
          return rewrapped;
        } catch (error) {
          if (!(error instanceof SealError)) throw error;
          found.failed += 1;
          logger.error({ subscriptionId: place.record, err: error }, 'secret.not_opened');
          return sealed;
        }
      }),
    );
    return found.rewrapped === 0 ? undefined : { ...record, subscriptions };
  });
  counts.examined += found.examined;
  counts.rewrapped += found.rewrapped;
  counts.failed += found.failed;
}
