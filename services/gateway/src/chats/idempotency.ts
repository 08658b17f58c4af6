import { createHash, randomUUID } from 'node:crypto';
import type { Bus } from '@relay/bus';
import {
  type AgentId,
  type ChatId,
  type ChatMessageId,
  chatIdSchema,
  chatMessageIdSchema,
  RelayError,
  type Timestamp,
  timestampAt,
  timestampSchema,
} from '@relay/protocol';
import { z } from 'zod';

const recordSchema = z.object({
  /** Of the request. */
  digest: z.string(),
  chatId: chatIdSchema,
  messageId: chatMessageIdSchema,
  sentAt: timestampSchema,
});

/** Which message a request sends: the same one whenever it comes again. */
export interface MessageIdentity {
  readonly chatId: ChatId;
  readonly messageId: ChatMessageId;
  /** When it first came. */
  readonly sentAt: Timestamp;
  /** Whether it came before. */
  readonly isRepeat: boolean;
}

export interface KeyedRequest {
  readonly senderId: AgentId;
  /** The caller's idempotency key, if it gave one. */
  readonly key: string | null;
  /** All that the request asks for. */
  readonly content: unknown;
}

/** Remembers for 30 days which message a key has sent, from before it is sent. */
export class Idempotency {
  readonly #records;

  constructor(bus: Bus) {
    this.#records = bus.bucket('idempotency', '', recordSchema);
  }

  /**
   * @param findChat where a message without an earlier one goes
   * @throws RelayError conflict where the key was used with another request
   */
  async identify(
    { senderId, key, content }: KeyedRequest,
    findChat: () => Promise<ChatId>,
  ): Promise<MessageIdentity> {
    const fresh = async () => ({
      chatId: await findChat(),
      messageId: chatMessageIdSchema.parse(randomUUID()),
      sentAt: timestampAt(Date.now()),
      isRepeat: false,
    });
    if (key === null) return fresh();
    const place = `${senderId}.${digestOf(key)}`;
    const digest = digestOf(content);
    const earlier = async (otherwise: unknown) => {
      const entry = await this.#records.get(place);
      if (!entry) throw otherwise;
      return sameRequest(entry.value, digest);
    };
    // What was sent before is answered again, also where a new message would be refused.
    const made = await fresh().catch(earlier);
    if (made.isRepeat) return made;
    const { isRepeat, ...identity } = made;
    const created = await this.#records.create(place, { digest, ...identity });
    if (created !== undefined) return { isRepeat, ...identity };
    return earlier(new RelayError('unavailable'));
  }
}

function sameRequest(record: z.infer<typeof recordSchema>, digest: string): MessageIdentity {
  if (record.digest === digest) return { isRepeat: true, ...record };
  throw new RelayError({
    error: 'conflict',
    message: 'This idempotency key was used with another request.',
  });
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
