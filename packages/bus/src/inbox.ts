import { type AgentId, type EventType, eventTypes } from '@relay/protocol';
import { z } from 'zod';
import type { Appender, AppendOutcome } from './appender.ts';
import type { LiveSubscription, LiveSubscriptions } from './live.ts';
import type { Stream, StreamMessage } from './stream.ts';
import { partitionCount, subjects } from './subjects.ts';

/** One event for one agent: its final bytes, and what a reader needs to know without parsing them. */
export interface InboxEvent {
  readonly eventId: string;
  readonly type: EventType;
  /** Id of the task or chat that it tells of: events of one are delivered in order. */
  readonly lane: string;
  /** Of that task or chat. */
  readonly revision: number;
  /** When the change was recorded, in milliseconds since the epoch. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * For each source stream, the last sequence of each partition whose events for this agent are in its
 * inbox, up to and with this message. `created` tells the stream from another one of the same name.
 */
const sourceMarksSchema = z
  .object({ created: z.string(), sequences: z.array(z.int()).readonly() })
  .readonly();
const noSource = { created: '', sequences: [] };
const marksSchema = z.object({
  tasks: sourceMarksSchema,
  /** None in a message of before there were chats. */
  chats: sourceMarksSchema.default(noSource),
  /** None in a message of before failed messages were told of. */
  deliveries: sourceMarksSchema.default(noSource),
});
export type SourceMarks = Readonly<z.infer<typeof marksSchema>>;

/** Event id, type, lane, revision, time. */
const eventHeadsSchema = z.array(
  z.tuple([z.string(), z.enum(eventTypes), z.string(), z.int(), z.int()]),
);
type EventHead = z.infer<typeof eventHeadsSchema>[number];

/** One message of INBOX. */
export interface InboxMessage {
  readonly sequence: number;
  readonly previous: number;
  readonly events: readonly InboxEvent[];
}

export const inboxLimits = { events: 64, bytes: 256 * 1024 } as const;

const marksHeader = 'Relay-Marks';
const eventsHeader = 'Relay-Events';
const newLine = 0x0a;

/** The agents' feeds of events. Only delivery appends. */
export class Inbox {
  readonly stream: Stream;
  readonly #appender: Appender;
  readonly #live: LiveSubscriptions;

  constructor(stream: Stream, appender: Appender, live: LiveSubscriptions) {
    this.stream = stream;
    this.#appender = appender;
    this.#live = live;
  }

  async readLast(agentId: AgentId): Promise<StreamMessage | undefined> {
    return this.stream.readLast(subjects.inbox(agentId));
  }

  append(
    agentId: AgentId,
    events: readonly InboxEvent[],
    marks: SourceMarks,
    expectedLastSequence: number,
  ): Promise<AppendOutcome> {
    return this.#appender.append({
      subject: subjects.inbox(agentId),
      payload: encodeEvents(events),
      headers: {
        [marksHeader]: JSON.stringify(marks),
        [eventsHeader]: JSON.stringify(events.map(headOf)),
      },
      expectedLastSequence,
    });
  }

  follow(agentId: AgentId, listener: (message: StreamMessage) => void): LiveSubscription {
    return this.#live.subscribe(subjects.inbox(agentId), listener);
  }
}

function headOf({ eventId, type, lane, revision, at }: InboxEvent): EventHead {
  return [eventId, type, lane, revision, at];
}

/** Event bodies one a line: JSON as Relay writes it has no line break in it. */
function encodeEvents(events: readonly InboxEvent[]): Uint8Array {
  const [first, ...rest] = events.map(({ bytes }) => bytes);
  if (!first) throw new Error('An inbox message holds at least one event');
  return rest.length === 0
    ? first
    : Buffer.concat([first, ...rest.flatMap((bytes) => [Buffer.of(newLine), bytes])]);
}

export function decodeInbox(message: StreamMessage): InboxMessage {
  const heads = eventHeadsSchema.parse(JSON.parse(message.header(eventsHeader)));
  let from = 0;
  const events = heads.map(([eventId, type, lane, revision, at]) => {
    const end = message.data.indexOf(newLine, from);
    const bytes = message.data.subarray(from, end < 0 ? undefined : end);
    from = end + 1;
    return { eventId, type, lane, revision, at, bytes };
  });
  const { sequence, previous } = message;
  return { sequence, previous, events };
}

/** What the writer of the next message goes on from. */
export function readMarks(message: StreamMessage): SourceMarks {
  return marksSchema.parse(JSON.parse(message.header(marksHeader)));
}

/** When each source stream was made. */
export interface SourceStreams {
  readonly tasksCreated: string;
  readonly chatsCreated: string;
  readonly deliveriesCreated: string;
}

/** Marks of an inbox that holds nothing yet. */
export function noMarks(streams: SourceStreams): SourceMarks {
  const sequences = Array.from({ length: partitionCount }, () => 0);
  return {
    tasks: { created: streams.tasksCreated, sequences },
    chats: { created: streams.chatsCreated, sequences },
    deliveries: { created: streams.deliveriesCreated, sequences },
  };
}
