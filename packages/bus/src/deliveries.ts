import { deriveRecordId } from '@relay/domain';
import {
  type AgentId,
  agentIdSchema,
  type ChangeId,
  deliveryAttemptSchema,
  deliveryStatuses,
  type EventType,
  eventTypes,
  pushFormSchema,
  type SubscriptionId,
  subscriptionIdSchema,
  taskIdSchema,
  traceIdSchema,
} from '@relay/protocol';
import { z } from 'zod';
import type { Appender, AppendOutcome } from './appender.ts';
import { type Stream, type StreamMessage, textOf } from './stream.ts';
import { subjects } from './subjects.ts';

/** Which event, for which endpoint. */
export interface DeliveryKey {
  readonly agentId: AgentId;
  /** Of a push notification: what all to one receiver have in common. */
  readonly subscriptionId: SubscriptionId;
  /** Of the message in INBOX; of a push notification, in TASKS. */
  readonly sequence: number;
  /** Of the event in it; of a push notification, the number of its config. */
  readonly index: number;
}

/** Times are milliseconds since the epoch. */
const recordSchema = z.object({
  status: z.enum(deliveryStatuses),
  eventId: z.string(),
  type: z.enum(eventTypes),
  lane: z.string(),
  revision: z.int(),
  /** Attempts of all rounds; a redrive begins a round. */
  attemptCount: z.int(),
  roundAttempts: z.int(),
  nextAttemptAt: z.int().nullable(),
  firstAttemptAt: z.int().nullable(),
  lastAttemptAt: z.int().nullable(),
  deadLetteredAt: z.int().nullable(),
  createdAt: z.int(),
  /** Whether the body is here too: what is held or given up outlives its message in INBOX. */
  hasBody: z.boolean(),
  /** It was redriven: who looked before that for what waits, or is held, has not seen it. */
  isRedriven: z.boolean().optional(),
  /** Of a push notification: its config, and how it is written. */
  push: z
    .object({
      taskId: taskIdSchema,
      configId: z.string(),
      form: pushFormSchema,
      /** Of the change. A record of before has none. */
      traceId: traceIdSchema.optional(),
    })
    .optional(),
});
/** What stands about an event that one endpoint has not taken. */
export type DeliveryRecord = Readonly<z.infer<typeof recordSchema>>;

const attemptsSchema = z.array(deliveryAttemptSchema);
export type DeliveryAttempts = Readonly<z.infer<typeof attemptsSchema>>;

export interface DeliveryToWrite {
  readonly key: DeliveryKey;
  readonly record: DeliveryRecord;
  readonly attempts: DeliveryAttempts;
  /** Empty where the record says that it has none. */
  readonly body: Uint8Array;
}

const recordHeader = 'Relay-Delivery';
const attemptsHeader = 'Relay-Attempts';
/** By which the server knows for two minutes, which is its default, what it has stored. */
const dedupeHeader = 'Nats-Msg-Id';
const keyPattern = /^delivery\.\d\.([^.]+)\.([^.]+)\.(\d+)_(\d+)$/;

/**
 * Events that an endpoint has not taken yet, one message for each: every write replaces the one that the
 * writer knows, or is refused. They go 30 days after their last write. Only delivery writes.
 */
export class Deliveries {
  readonly stream: Stream;
  readonly #appender: Appender;

  constructor(stream: Stream, appender: Appender) {
    this.stream = stream;
    this.#appender = appender;
  }

  read(key: DeliveryKey): Promise<StreamMessage | undefined> {
    return this.stream.readLast(subjects.delivery(key));
  }

  /** @param replaced sequence of the message that it replaces; 0 for none */
  write(delivery: DeliveryToWrite, replaced: number): Promise<AppendOutcome> {
    return this.#append(delivery, replaced, {});
  }

  /**
   * Writes the first record of a delivery, once: where it was written in the last two minutes it is not
   * written again, though what it was for is delivered and it is gone.
   */
  begin(delivery: DeliveryToWrite): Promise<AppendOutcome> {
    return this.#append(delivery, 0, { [dedupeHeader]: subjects.delivery(delivery.key) });
  }

  /** A later write that names the removed message is refused. */
  remove(sequence: number): Promise<void> {
    return this.stream.remove(sequence);
  }

  /** Removes all of an agent for good. */
  forgetAllOf(agentId: AgentId): Promise<void> {
    return this.stream.purge(subjects.deliveriesOfAgent(agentId));
  }

  #append(
    { key, record, attempts, body }: DeliveryToWrite,
    expectedLastSequence: number,
    headers: Readonly<Record<string, string>>,
  ): Promise<AppendOutcome> {
    return this.#appender.append({
      subject: subjects.delivery(key),
      payload: body,
      headers: {
        [recordHeader]: JSON.stringify(record),
        [attemptsHeader]: JSON.stringify(attempts),
        ...headers,
      },
      expectedLastSequence,
    });
  }

  /** Keeps what a reader of a stream cannot process; done where it is kept already. */
  setAside(reader: string, { subject: stuck, sequence }: StuckPlace): Promise<AppendOutcome> {
    return this.#appender.append({
      subject: subjects.stuck(reader, sequence),
      payload: Buffer.from(JSON.stringify({ subject: stuck, sequence, at: Date.now() })),
      headers: {},
      expectedLastSequence: 0,
    });
  }

  /** What a reader has set aside at a sequence of its stream. */
  readStuck(reader: string, sequence: number): Promise<StreamMessage | undefined> {
    return this.stream.readLast(subjects.stuck(reader, sequence));
  }
}

/** A message of a stream. */
export interface StuckPlace {
  readonly subject: string;
  readonly sequence: number;
}

const stuckKeyPattern = /^stuck\.([^.]+)\.(\d+)$/;
const stuckSchema = z.object({
  subject: z.string(),
  sequence: z.int(),
  /** Milliseconds since the epoch; records of before it was kept have none. */
  at: z.int().optional(),
});

/** @throws where the subject is not one of what is stuck */
export function readStuckKey({ subject }: Pick<StreamMessage, 'subject'>) {
  const [, reader, sequence] = stuckKeyPattern.exec(subject) ?? [];
  if (!reader) throw new Error(`not stuck: ${subject}`);
  return { reader, sequence: Number(sequence) };
}

export function readStuck(message: StreamMessage): Readonly<z.infer<typeof stuckSchema>> {
  return stuckSchema.parse(JSON.parse(textOf(message.data)));
}

/** @throws where the subject is not one of a delivery */
export function readDeliveryKey({ subject }: StreamMessage): DeliveryKey {
  const [, agentId, subscriptionId, sequence, index] = keyPattern.exec(subject) ?? [];
  return {
    agentId: agentIdSchema.parse(agentId),
    subscriptionId: subscriptionIdSchema.parse(subscriptionId),
    sequence: Number(sequence),
    index: Number(index),
  };
}

export function readDelivery(message: StreamMessage): DeliveryRecord {
  return recordSchema.parse(JSON.parse(message.header(recordHeader)));
}

/** Whether an event of this type was given up, by its head alone: of most records nothing else is read. */
export function isDeadLetterOf(message: StreamMessage, type: EventType): boolean {
  const head = message.header(recordHeader);
  return head.includes('"status":"dead_letter"') && head.includes(`"type":"${type}"`);
}

/** Of what is written about a delivery: each other record of it is another change. */
export function deliveryChangeId(message: StreamMessage): ChangeId {
  return deriveRecordId(message.subject, message.header(recordHeader));
}

export function readDeliveryAttempts(message: StreamMessage): DeliveryAttempts {
  return attemptsSchema.parse(JSON.parse(message.header(attemptsHeader)));
}
