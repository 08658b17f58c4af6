import {
  type Bus,
  deliveryChangeId,
  type InboxEvent,
  type Partition,
  readChatIndex,
  readTaskIndex,
  type SourceMarks,
  type Stream,
  type StreamMessage,
  subjects,
} from '@relay/bus';
import { chatEventsOf, eventsOf, isOfTask } from '@relay/domain';
import type { AgentId, ChangeId } from '@relay/protocol';
import { type PushedChange, pushedChangeOf } from '../push/pushed-change.ts';
import { readDeadLetter } from './dead-letters.ts';
import { eventsByRecipient } from './recipients.ts';

/** A change, and what each agent hears of it. */
export interface ReadChange {
  readonly changeId: ChangeId;
  readonly recipients: ReadonlyMap<AgentId, readonly InboxEvent[]>;
  /** What receivers of the requester's may be told of it. */
  readonly pushed?: PushedChange | undefined;
}

/** A stream of changes that agents hear of. */
export interface ChangeSource {
  readonly name: keyof SourceMarks;
  readonly stream: Stream;
  readonly subjectsOf: (partition: Partition) => string;
  readonly read: (message: StreamMessage) => ReadChange;
  readonly changeIdOf: (message: StreamMessage) => ChangeId;
}

/** By which name what cannot be read of it is set aside. */
export function stuckReader({ name }: ChangeSource): string {
  return `fan-out-${name}`;
}

export function changeSources(bus: Bus): readonly ChangeSource[] {
  return [
    {
      name: 'tasks',
      stream: bus.tasks.stream,
      subjectsOf: subjects.tasksOf,
      changeIdOf: (message) => readTaskIndex(message).changeId,
      read: (message) => readTaskChange(bus, message),
    },
    {
      name: 'chats',
      stream: bus.chats.stream,
      subjectsOf: subjects.chatsOf,
      changeIdOf: (message) => readChatIndex(message).changeId,
      read: (message) => {
        const { change, snapshot } = bus.chats.decode(message);
        const { chatId: lane, revision } = snapshot;
        const about = { lane, revision, at: Date.parse(change.at) };
        const recipients = eventsByRecipient(chatEventsOf(change, snapshot), about);
        return { changeId: change.id, recipients };
      },
    },
    {
      name: 'deliveries',
      stream: bus.deliveries.stream,
      subjectsOf: subjects.deliveriesOf,
      changeIdOf: deliveryChangeId,
      read: readDeadLetter,
    },
  ];
}

/** Nobody hears from here of a message in a chat: the chat itself tells of it. */
function readTaskChange(bus: Bus, message: StreamMessage): ReadChange {
  const recorded = bus.tasks.decode(message);
  const changeId = recorded.change.id;
  if (!isOfTask(recorded)) return { changeId, recipients: new Map() };
  const { change, snapshot } = recorded;
  const { task, revision } = snapshot;
  const about = { lane: task.id, revision, at: Date.parse(change.at) };
  return {
    changeId,
    recipients: eventsByRecipient(eventsOf(change, snapshot), about),
    pushed: pushedChangeOf(change, snapshot),
  };
}
