import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatCommands, chatMessage } from '../../../../test/support/chat-commands.ts';
import { testContact } from '../../../../test/support/task-commands.ts';
import {
  type ChatChange,
  type ChatCommand,
  type ChatSnapshot,
  chatEventsOf,
  completedBy,
  decideChat,
  evolveChat,
  toChatContact,
} from '../index.ts';

interface Recorded {
  readonly change: ChatChange;
  readonly snapshot: ChatSnapshot;
}

/** A chat whose changes are kept as the record keeps them. */
class History {
  readonly recorded: Recorded[] = [];

  get now(): ChatSnapshot | undefined {
    return this.recorded.at(-1)?.snapshot;
  }

  /** @returns the messages that the command made ones that all have read */
  take(command: ChatCommand): readonly string[] {
    const { now } = this;
    const decision = decideChat(now, command);
    if (decision.type !== 'change') return [];
    const { change } = decision;
    const readByAll =
      change.type === 'read' && now
        ? this.recorded.flatMap((past) => completedBy(change, now, past) ?? [])
        : [];
    const complete = change.type === 'read' ? { ...change, readByAll } : change;
    this.recorded.push({ change: complete, snapshot: evolveChat(now, complete) });
    return readByAll.map(({ message }) => message.id);
  }
}

const contacts = (...handles: string[]) =>
  handles.map((handle) => toChatContact(testContact(handle)));

describe('a message', () => {
  it('is read when the last of those has read it who got it', () => {
    const { send, read, add } = chatCommands(contacts('one', 'two', 'three'));
    const [message, later] = [chatMessage('hello'), chatMessage('again')];
    const chat = new History();
    chat.take(send(0, message));
    expect(chat.take(read(0))).toEqual([]);
    expect(chat.take(read(1))).toEqual([]);
    const [guest] = contacts('guest');
    if (guest) chat.take(add(0, guest));
    chat.take(send(0, later));
    expect(chat.take(read(2))).toEqual([message.id]);
    expect(chat.take(read(1))).toEqual([]);
    if (guest) expect(chat.take({ ...read(1), agentId: guest.id })).toEqual([later.id]);
  });

  it('is never read where one has left it unread, also when it comes back', () => {
    const three = contacts('one', 'two', 'three');
    const { send, read, leave, add } = chatCommands(three);
    const chat = new History();
    chat.take(send(0, chatMessage('hello')));
    chat.take(leave(1));
    expect(chat.take(read(2))).toEqual([]);
    const [, second] = three;
    if (second) chat.take(add(0, second));
    const missed = chatMessage('while it was there again');
    chat.take(send(2, missed));
    chat.take(read(0));
    expect(chat.take(read(1))).toContain(missed.id);
  });

  it('is told of to its sender alone, while that is a member, each by an event of its own', () => {
    const { send, read, leave } = chatCommands(contacts('one', 'two', 'three'));
    const chat = new History();
    const [first, second, third] = [chatMessage('1'), chatMessage('2'), chatMessage('3')];
    for (const command of [send(0, first), send(0, second), send(1, third)]) chat.take(command);
    for (const place of [0, 1]) chat.take(read(place));
    chat.take(leave(1));
    chat.take(read(2));
    const last = chat.recorded.at(-1);
    const events = last ? chatEventsOf(last.change, last.snapshot) : [];
    expect(events).toMatchObject(
      [first, second].map(({ id }) => ({
        event_type: 'message.read',
        agent_id: last?.snapshot.members[0]?.contact.id,
        data: { id, read_at: last?.change.at, is_from_me: true },
      })),
    );
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2);
  });
});

describe('any course of a group', () => {
  const moves = fc.array(
    fc.record({ type: fc.constantFrom('send', 'read'), by: fc.constantFrom(0, 1, 2) }),
    { maxLength: 30 },
  );

  it('tells once of each message that all others have read, and of no other', () => {
    fc.assert(
      fc.property(moves, (course) => {
        const { send, read } = chatCommands(contacts('one', 'two', 'three'));
        const chat = new History();
        const unread = new Map<string, Set<number>>();
        for (const { type, by } of course) {
          const message = chatMessage('m');
          const told = chat.take(type === 'send' ? send(by, message) : read(by));
          const expected = [...unread].filter(([, left]) => {
            return type === 'read' && left.delete(by) && left.size === 0;
          });
          expect(told).toEqual(expected.map(([id]) => id));
          if (type === 'send') unread.set(message.id, new Set([0, 1, 2].filter((at) => at !== by)));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
