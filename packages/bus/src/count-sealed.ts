import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { type Sealed, sealedSchema, sealedWith } from '@relay/runtime';
import { z } from 'zod';
import { Bucket } from './bucket.ts';
import type { Connection } from './connection.ts';

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
  const { nats } = connection;
  const [manager, kvm] = [await jetstreamManager(nats), new Kvm(jetstream(nats))];
  const counts: Record<string, number> = {};
  for (const [name, prefix, schema] of places) {
    const kv = await kvm.open(name);
    const bucket = new Bucket({ connection, manager, name, kv, prefix, schema });
    const keys = await bucket.keys();
    for (let from = 0; from < keys.length; from += readsAtOnce) {
      const entries = await Promise.all(
        keys.slice(from, from + readsAtOnce).map((key) => bucket.get(key)),
      );
      for (const sealed of entries.flatMap((entry) => entry?.value ?? [])) {
        const id = sealedWith(sealed);
        counts[id] = (counts[id] ?? 0) + 1;
      }
    }
  }
  return counts;
}
