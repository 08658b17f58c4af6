import type { Bucket, Bus } from '@relay/bus';
import { taskIdSchema } from '@relay/protocol';
import type { Sealed, SealedPlace } from '@relay/runtime';
import { feedRecordSchema } from '../feed/feed-record.ts';
import { pushConfigRecordSchema } from '../push/push-config-record.ts';
import { rewrapPushConfigs } from '../push/push-secrets.ts';
import { rewrapSubscription } from '../webhook/subscriptions/endpoint.ts';

/** Gives a secret sealed anew, or as it is. */
export type Rewrap = (sealed: Sealed, place: SealedPlace) => Sealed;

/** Records of one kind that hold secrets. */
export interface SealedRecords {
  readonly name: string;
  keys(): Promise<string[]>;
  /**
   * Writes the record of a key with its secrets as `begin` gives them, where any is another one.
   * @param begin called anew for each try
   */
  rewrapAt(key: string, begin: () => Rewrap): Promise<void>;
}

/** Everything that is sealed, in the order in which it is looked at. */
export function allSealedRecords(bus: Bus): readonly SealedRecords[] {
  return [
    sealedRecords({
      name: 'webhooks',
      records: bus.bucket('feeds', '', feedRecordSchema),
      rewrap: (record, rewrap) => ({
        ...record,
        subscriptions: record.subscriptions.map((each) => rewrapSubscription(each, rewrap)),
      }),
    }),
    sealedRecords({
      name: 'push',
      records: bus.bucket('registry', 'push.', pushConfigRecordSchema),
      rewrap: (record, rewrap, key) => rewrapPushConfigs(record, taskIdSchema.parse(key), rewrap),
    }),
  ];
}

function sealedRecords<Value>({
  name,
  records,
  rewrap,
}: {
  readonly name: string;
  readonly records: Bucket<Value>;
  readonly rewrap: (value: Value, rewrap: Rewrap, key: string) => Value;
}): SealedRecords {
  return {
    name,
    keys: () => records.keys(),
    rewrapAt: async (key, begin) => {
      await records.change(key, (value) => {
        if (value === undefined) return undefined;
        let isChanged = false;
        const seal = begin();
        const rewrapped = rewrap(
          value,
          (sealed, place) => {
            const anew = seal(sealed, place);
            isChanged ||= anew !== sealed;
            return anew;
          },
          key,
        );
        return isChanged ? rewrapped : undefined;
      });
    },
  };
}
