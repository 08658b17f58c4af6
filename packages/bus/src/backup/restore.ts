import { z } from 'zod';
import { type Connection, whileAvailable } from '../connection.ts';
import { errorSchema, readAnswer, type StreamDescription } from './snapshot.ts';

const requestTimeout = 30_000;
/** The server unpacks and checks everything before it answers the last request. */
const unpackTimeout = 600_000;

const destinationSchema = z.looseObject({ deliver_subject: z.string() });

/**
 * Makes a stream of what a snapshot gave.
 * @param replicas copies that a cluster is to keep
 * @throws RelayError unavailable, also where the archive is broken or the stream exists
 */
export function restoreStream(
  connection: Connection,
  { config, state }: StreamDescription,
  { chunks, replicas }: { readonly chunks: AsyncIterable<Uint8Array>; readonly replicas: number },
): Promise<void> {
  const { nats } = connection;
  return whileAvailable(connection, async () => {
    const asked = { ...config, num_replicas: replicas, allow_direct: replicas === 1 };
    const begun = await nats.request(
      `$JS.API.STREAM.RESTORE.${config.name}`,
      JSON.stringify({ config: asked, state }),
      { timeout: requestTimeout },
    );
    const { error } = errorSchema.parse(begun.json());
    if (error) throw new Error(`NATS refused ${config.name}: ${error.description}`);
    const { deliver_subject: destination } = destinationSchema.parse(begun.json());
    for await (const chunk of chunks) {
      const taken = await nats.request(destination, chunk, { timeout: requestTimeout });
      // It is empty unless something is wrong.
      if (taken.data.length > 0) readAnswer(taken);
    }
    const restored = readAnswer(await nats.request(destination, '', { timeout: unpackTimeout }));
    if (restored.state.last_seq < state.last_seq) {
      throw new Error(`The archive of ${config.name} ends before its stream did.`);
    }
  });
}
