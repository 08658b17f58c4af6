import { jetstreamManager } from '@nats-io/jetstream';
import { type Sealed, sealedSchema, sealedWith } from '@relay/runtime';
import { z } from 'zod';
import { entryIn } from './bucket.ts';
import type { Connection } from './connection.ts';
import { Requests } from './requests.ts';
import { Stream } from './stream.ts';
import { subjects } from './subjects.ts';

/** How many secrets each key has sealed, by the id of the key. */
export type SealedCounts = Readonly<Record<string, number>>;

const readsAtOnce = 64;

/** Where sealed secrets stand in the records of delivery, which alone reads the rest of them. */
const feedSchema = z
  .object({
    subscriptions: z.array(
      z.object({
        secrets: z.array(z.object({ sealed: sealedSchema })),
        headers: z.record(z.string(), sealedSchema),
      }),
    ),
  })
  .transform(({ subscriptions }) =>
    subscriptions.flatMap(({ secrets, headers }) => [
      ...secrets.map(({ sealed }) => sealed),
      ...Object.values(headers),
    ]),
  );
const pushSchema = z
  .object({
    configs: z.array(
      z.object({ credentials: sealedSchema.nullable(), token: sealedSchema.nullable() }),
    ),
  })
  .transform(({ configs }) =>
    configs.flatMap(({ credentials, token }) =>
      [credentials, token].filter((each) => each !== null),
    ),
  );

const places: readonly (readonly [bucket: string, prefix: string, z.ZodType<readonly Sealed[]>])[] =
  [
    // What cannot be read holds nothing that could be opened.
    ['feeds', '', feedSchema.catch([])],
    ['registry', 'push.', pushSchema.catch([])],
  ];

/**
 * Looks at every secret that is stored. It reads thousands of records each second.
 * @throws RelayError unavailable, also where NATS holds no relay
 */
export async function countSealed(connection: Connection): Promise<SealedCounts> {
  const manager = await jetstreamManager(connection.nats);
  const requests = new Requests(connection);
  const counts: Record<string, number> = {};
  for (const [bucket, prefix, schema] of places) {
    const options = { connection, manager, requests, isDirect: false, created: '' };
    const stream = new Stream(`KV_${bucket}`, options);
    const keys = await stream.subjects(subjects.key(bucket, `${prefix}>`));
    for (let from = 0; from < keys.length; from += readsAtOnce) {
      const records = await Promise.all(
        keys.slice(from, from + readsAtOnce).map((key) => stream.readSmall(key)),
      );
      for (const sealed of records.flatMap((record) => entryIn(record, schema)?.value ?? [])) {
        const id = sealedWith(sealed);
        counts[id] = (counts[id] ?? 0) + 1;
      }
    }
  }
  requests.close();
  return counts;
}
