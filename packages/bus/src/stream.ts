import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamManager,
  type MsgRequest,
  type NextMsgRequest,
  type SeqMsgRequest,
  type StoredMsg,
} from '@nats-io/jetstream';
import { Empty, type MsgHdrs } from '@nats-io/transport-node';
import { linkHeader } from './appender.ts';
import { type Connection, unavailable, whileAvailable } from './connection.ts';
import type { Answer, Request, Requests } from './requests.ts';

/** A message of a stream, however it was read. */
export interface StreamMessage {
  readonly subject: string;
  readonly sequence: number;
  /** Sequence of the message before it on its subject; 0 for the first. */
  readonly previous: number;
  readonly data: Uint8Array;
  header(name: string): string;
}

/** What a stream still holds. */
export interface StreamBounds {
  /** Sequence of the first message; one more than the last where there is none. */
  readonly first: number;
  /** Sequence of the last message that was stored, also where it is gone. */
  readonly last: number;
  /** How many messages are missing between the two. */
  readonly gaps: number;
  /** Before this, in milliseconds since the epoch, all was stored that is gone from the stream's beginning. */
  readonly removedBefore: number;
}

export interface WalkLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** How far links are followed before something else is better (0.3 ms a step idle, 10 ms under load). */
export const defaultWalkLimits: WalkLimits = { messages: 64, bytes: 4 * 1024 * 1024 };

type Query = MsgRequest | (SeqMsgRequest & NextMsgRequest);

const readTimeout = 5_000;
const notFound = 404;

export interface StreamOptions {
  readonly connection: Connection;
  readonly manager: JetStreamManager;
  readonly requests: Requests;
  /** Whether any server may be asked, since there is only one that has it. */
  readonly isDirect: boolean;
  /** When it was made, as the server told it last. */
  readonly created: string;
}

/** Reads of one stream that see every acknowledged write. */
export class Stream {
  readonly name: string;
  readonly #connection: Connection;
  readonly #manager: JetStreamManager;
  readonly #requests: Requests;
  readonly #isDirect: boolean;
  #created: string;

  constructor(name: string, { connection, manager, requests, isDirect, created }: StreamOptions) {
    this.name = name;
    this.#connection = connection;
    this.#manager = manager;
    this.#requests = requests;
    this.#isDirect = isDirect;
    this.#created = created;
  }

  /** When it was made, as of its last bounds: tells it from another stream that took its name. */
  get created(): string {
    return this.#created;
  }

  /** @param subject may hold wildcards: then the last message of all that it names */
  readLast(subject: string): Promise<StreamMessage | undefined> {
    return this.#read({ last_by_subj: subject });
  }

  /** Without a turn: for what is known to be small. */
  readSmall(subject: string): Promise<StreamMessage | undefined> {
    const query = { last_by_subj: subject };
    return this.#isDirect
      ? this.#requests.send(directRead(this.name, query)).then(fromDirect)
      : this.#readFromLeader(query);
  }

  readAt(sequence: number): Promise<StreamMessage | undefined> {
    return this.#read({ seq: sequence });
  }

  /** The first message of a subject from a sequence on. The server may have to search for it: not for a request's path. */
  readNext(subject: string, sequence: number): Promise<StreamMessage | undefined> {
    return this.#read({ next_by_subj: subject, seq: sequence });
  }

  async lastSequence(): Promise<number> {
    return (await this.bounds()).last;
  }

  async bounds(): Promise<StreamBounds> {
    const { state, created } = await whileAvailable(this.#connection, () =>
      this.#manager.streams.info(this.name),
    );
    this.#created = created;
    return {
      first: state.first_seq,
      last: state.last_seq,
      gaps: state.num_deleted ?? 0,
      removedBefore: Date.parse(state.messages > 0 ? state.first_ts : state.last_ts),
    };
  }

  /** Where the messages begin that were stored at or after a moment. It makes a consumer: not for a request's path. */
  firstSequenceSince(moment: Date): Promise<number> {
    return whileAvailable(this.#connection, async () => {
      const { name, delivered } = await this.#manager.consumers.add(this.name, {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.StartTime,
        opt_start_time: moment.toISOString(),
      });
      await this.#manager.consumers.delete(this.name, name);
      return delivered.stream_seq + 1;
    });
  }

  /**
   * Follows the links back from a message to the one after `after`: those between, oldest first, without
   * `from` itself. `undefined` where a message is gone or a limit is reached first.
   */
  async walkBack(
    from: StreamMessage,
    after: number,
    limits: WalkLimits = defaultWalkLimits,
  ): Promise<StreamMessage[] | undefined> {
    const found: StreamMessage[] = [];
    let bytes = 0;
    for (let next = from.previous; next > after; ) {
      const message = await this.readAt(next);
      bytes += message?.data.length ?? 0;
      if (!message || message.subject !== from.subject) return undefined;
      if (found.length === limits.messages || bytes > limits.bytes) return undefined;
      found.push(message);
      next = message.previous;
    }
    return found.toReversed();
  }

  /** Removes one message; done where it is gone. */
  async remove(sequence: number): Promise<void> {
    try {
      await whileAvailable(this.#connection, () =>
        this.#manager.streams.deleteMessage(this.name, sequence, false),
      );
    } catch (error) {
      // The server says in several ways that it was removed before.
      if (await this.readAt(sequence)) throw error;
    }
  }

  /** Removes the messages of a subject for good: all, or those up to and with that sequence. */
  async purge(subject: string, through?: number): Promise<void> {
    const end = through === undefined ? {} : { seq: through + 1 };
    await whileAvailable(this.#connection, () =>
      this.#manager.streams.purge(this.name, { filter: subject, ...end }),
    );
  }

  /** The subjects that a filter names and that have messages. It lists them all: not for a request's path. */
  async subjects(filter: string): Promise<string[]> {
    const { state } = await whileAvailable(this.#connection, () =>
      this.#manager.streams.info(this.name, { subjects_filter: filter }),
    );
    return Object.keys(state.subjects ?? {});
  }

  #read(query: Query): Promise<StreamMessage | undefined> {
    return this.#connection.readTurns.run(() =>
      this.#isDirect ? this.#readDirect(query) : this.#readFromLeader(query),
    );
  }

  async #readDirect(query: Query): Promise<StreamMessage | undefined> {
    return fromDirect(await this.#requests.sendAtOnce(directRead(this.name, query)));
  }

  async #readFromLeader(query: Query): Promise<StreamMessage | undefined> {
    const stored = await whileAvailable(this.#connection, () =>
      this.#manager.streams.getMessage(this.name, query),
    );
    return stored ? fromStored(stored) : undefined;
  }
}

/** What a server is asked that reads by itself. The client's own way costs twice as much. */
function directRead(stream: string, query: Query): Request {
  const subject = `$JS.API.DIRECT.GET.${stream}`;
  return 'last_by_subj' in query
    ? { subject: `${subject}.${query.last_by_subj}`, payload: Empty, timeout: readTimeout }
    : { subject, payload: Buffer.from(JSON.stringify(query)), timeout: readTimeout };
}

/**
 * What it answered: it tells a message's place in headers, and by a status that there is none.
 * @throws RelayError unavailable
 */
function fromDirect(answer: Answer): StreamMessage | undefined {
  if (answer.type !== 'answered') throw unavailable(answer.type);
  const { headers, data } = answer.message;
  if (headers?.code === notFound) return undefined;
  if (!headers || headers.hasError) throw unavailable(headers?.status);
  const subject = headers.get('Nats-Subject');
  return streamMessage(subject, Number(headers.get('Nats-Sequence')), data, headers);
}

function fromStored({ subject, seq, data, header }: StoredMsg): StreamMessage {
  return streamMessage(subject, seq, data, header);
}

export function streamMessage(
  subject: string,
  sequence: number,
  data: Uint8Array,
  headers: MsgHdrs | undefined,
): StreamMessage {
  const header = (name: string) => headers?.get(name) ?? '';
  return { subject, sequence, previous: Number(header(linkHeader)), data, header };
}

/** The message with a body of its own: one that is kept as it came keeps all that came with it. */
export function withOwnBody(message: StreamMessage): StreamMessage {
  return { ...message, data: new Uint8Array(message.data) };
}

/** The body as text, read where it lies. */
export function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
