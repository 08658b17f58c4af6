import type { Msg } from '@nats-io/transport-node';
import { nuid } from '@nats-io/transport-node';
import { z } from 'zod';
import { type Connection, whileAvailable } from '../connection.ts';

const requestTimeout = 30_000;
/** No chunk in so long means that none will come. */
const silenceMilliseconds = 60_000;
const chunkBytes = 512 * 1024;

/** As the server describes a stream. */
export const streamDescriptionSchema = z.object({
  config: z.looseObject({ name: z.string() }),
  state: z.looseObject({
    messages: z.int(),
    bytes: z.int(),
    first_seq: z.int(),
    last_seq: z.int(),
  }),
});
export type StreamDescription = z.infer<typeof streamDescriptionSchema>;

/**
 * Reads a stream as the server keeps it: a compressed archive of its messages, for a restore alone. The
 * stream goes on meanwhile, and what is stored after the beginning may be in the archive or not.
 * @param write takes the next chunk; the server is kept waiting until it is done
 * @returns the stream as it was at the beginning
 * @throws RelayError unavailable
 */
export function snapshotStream(
  connection: Connection,
  name: string,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<StreamDescription> {
  return whileAvailable(connection, async () => {
    const incoming = new IncomingChunks(connection, write);
    try {
      const answer = await connection.nats.request(
        `$JS.API.STREAM.SNAPSHOT.${name}`,
        JSON.stringify({
          deliver_subject: incoming.subject,
          no_consumers: true,
          chunk_size: chunkBytes,
          jsck: true,
        }),
        { timeout: requestTimeout },
      );
      const description = readAnswer(answer);
      await incoming.complete;
      return description;
    } finally {
      incoming.close();
    }
  });
}

/** What the server answers, in the form that both a stream and an error have. @throws where it refuses */
export function readAnswer(answer: Msg): StreamDescription {
  const { error } = errorSchema.parse(answer.json());
  if (error) throw new Error(`NATS refused: ${error.description}`);
  return streamDescriptionSchema.parse(answer.json());
}

export const errorSchema = z.looseObject({
  error: z.looseObject({ description: z.string() }).optional(),
});

/** Chunks are written one after the other, and each is acknowledged when it is. */
class IncomingChunks {
  readonly subject = `_INBOX.${nuid.next()}`;
  readonly complete: Promise<void>;
  #close = () => {};

  constructor({ nats }: Connection, write: (chunk: Uint8Array) => Promise<void>) {
    let written: Promise<void> = Promise.resolve();
    this.complete = new Promise((resolve, reject) => {
      const silence = setTimeout(
        () => reject(new Error('NATS sends nothing more of the stream')),
        silenceMilliseconds,
      );
      const take = async ({ data, headers, reply }: Msg): Promise<void> => {
        silence.refresh();
        if (data.length === 0) {
          const isBad = (headers?.code ?? 0) >= 400;
          return isBad ? reject(new Error(`NATS: ${headers?.description}`)) : resolve();
        }
        await write(data);
        if (reply) nats.publish(reply);
      };
      const subscription = nats.subscribe(this.subject, {
        callback: (error, message) => {
          if (error) return reject(error);
          written = written.then(() => take(message));
          written.catch(reject);
        },
      });
      this.#close = () => {
        clearTimeout(silence);
        subscription.unsubscribe();
      };
    });
    // Nobody may wait for it yet when it fails.
    this.complete.catch(() => undefined);
  }

  close(): void {
    this.#close();
  }
}
