import { timestampAt } from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatCommands, chatMessage, doorMessage } from '../../../../test/support/chat-commands.ts';
import { testContact } from '../../../../test/support/task-commands.ts';
import {
  activeMembers,
  type ChatCommand,
  type ChatSnapshot,
  decideChat,
  evolveChat,
  type NewChatMessage,
  toChatContact,
} from '../index.ts';

function take(chat: ChatSnapshot | undefined, command: ChatCommand): ChatSnapshot {
  const decision = decideChat(chat, command);
  if (decision.type !== 'change') throw new Error(`${command.type}: ${JSON.stringify(decision)}`);
  return evolveChat(chat, decision.change);
}

/** The chat after these commands, each of which must change it. */
function after(first: ChatCommand, ...more: ChatCommand[]): ChatSnapshot {
  return more.reduce(take, take(undefined, first));
}

function refusalOf(chat: ChatSnapshot | undefined, command: ChatCommand) {
  const decision = decideChat(chat, command);
  return decision.type === 'refusal' ? decision.refusal.error : decision.type;
}

/** The task whose exchange the message would answer. */
function answeredBy(chat: ChatSnapshot, command: ChatCommand) {
  const decision = decideChat(chat, command);
  if (decision.type !== 'change' || decision.change.type !== 'message-sent') {
    throw new Error(JSON.stringify(decision));
  }
  return decision.change.answers;
}

const replyTo = ({ id: messageId }: NewChatMessage) => ({ replyTo: { messageId, partIndex: 0 } });
const taskOf = ({ a2a }: NewChatMessage) => a2a?.taskId;

describe('a chat', () => {
  it('begins with its first message, and takes the same one in once', () => {
    const { send, chatId } = chatCommands();
    const first = send(0, chatMessage('hello'));
    const chat = after(first);
    expect(chat).toMatchObject({ chatId, isGroup: false, revision: 1 });
    expect(refusalOf(chat, { ...send(0, first.message) })).toBe('repeat');
  });

  it('is not there for anybody else, nor before its beginning', () => {
    const { send, read } = chatCommands();
    const chat = after(send(0, chatMessage('hello')));
    const stranger = toChatContact(testContact('stranger'));
    const fromStranger = { ...send(0, chatMessage('hi')), sender: stranger };
    expect(refusalOf(chat, fromStranger)).toBe('notFound');
    expect(refusalOf(chat, { ...read(0), agentId: stranger.id })).toBe('notFound');
    expect(refusalOf(undefined, read(0))).toBe('notFound');
    expect(refusalOf(undefined, { ...send(0, chatMessage('hi')), beginning: undefined })).toBe(
      'notFound',
    );
  });

  it('keeps a thread by the message that began it', () => {
    const { send } = chatCommands();
    const [first, second] = [chatMessage('one'), chatMessage('two')];
    const answer = { ...second, ...replyTo(first) };
    const chat = after(send(0, first), send(1, answer));
    const decision = decideChat(chat, send(0, chatMessage('three', replyTo(answer))));
    expect(decision).toMatchObject({
      change: { message: { thread: { messageId: first.id, partIndex: 0 } } },
    });
    expect(refusalOf(chat, send(0, chatMessage('four', replyTo(chatMessage('?')))))).toBe(
      'invalidParams',
    );
  });

  it('is marked as read as far as it goes', () => {
    const { send, read } = chatCommands();
    const chat = after(send(0, chatMessage('one')), send(0, chatMessage('two')), read(1));
    expect(chat.members.map(({ readThrough }) => readThrough)).toEqual([0, 2]);
    expect(refusalOf(chat, read(1))).toBe('repeat');
  });
});

describe('a group', () => {
  const trio = ['one', 'two', 'three'].map((handle) => toChatContact(testContact(handle)));
  const guest = toChatContact(testContact('guest'));

  it('adds, removes, lets leave and renames; a direct chat does not', () => {
    const { send, add, remove, leave, rename } = chatCommands(trio);
    const chat = after(send(0, chatMessage('hi')), add(0, guest, true), rename(1, 'Trip'));
    expect(chat.displayName).toBe('Trip');
    expect(chat.members.at(-1)).toMatchObject({ visibleFrom: 2, readThrough: 1 });
    expect(refusalOf(chat, add(1, guest))).toBe('conflict');
    const smaller = [remove(1, guest.id), leave(0)].reduce(take, chat);
    expect(activeMembers(smaller).map(({ contact }) => contact.handle)).toEqual(['two', 'three']);
    expect(refusalOf(smaller, send(0, chatMessage('bye')))).toBe('notFound');
    expect(refusalOf(smaller, remove(1, guest.id))).toBe('notFound');
    const direct = chatCommands();
    const pair = after(direct.send(0, chatMessage('hi')));
    for (const command of [direct.add(0, guest), direct.leave(0), direct.rename(0, 'x')]) {
      expect(refusalOf(pair, command)).toBe('conflict');
    }
  });

  it('has seven members at most', () => {
    const seven = Array.from({ length: 7 }, (_, at) => toChatContact(testContact(`agent_${at}`)));
    const { send, add } = chatCommands(seven);
    expect(refusalOf(after(send(0, chatMessage('hi'))), add(0, guest))).toBe('conflict');
  });
});

describe('a message from the A2A door', () => {
  it('is answered by the next message of the other agent', () => {
    const { send } = chatCommands();
    const asked = doorMessage('asked');
    const chat = after(send(0, asked));
    expect(answeredBy(chat, send(1, chatMessage('yes')))).toBe(taskOf(asked));
    expect(answeredBy(chat, send(0, chatMessage('more')))).toBeNull();
    const answered = take(chat, send(1, chatMessage('yes')));
    expect(answeredBy(answered, send(1, chatMessage('again', replyTo(asked))))).toBeNull();
  });

  it('is answered only by name where its sender has sent something else since', () => {
    const { send } = chatCommands();
    const [one, two] = [doorMessage('one'), doorMessage('two')];
    for (const before of [chatMessage('before'), doorMessage('before')]) {
      const chat = after(send(0, before), send(0, one));
      expect(answeredBy(chat, send(1, chatMessage('which?')))).toBeNull();
    }
    const chat = after(send(0, one), send(0, two), send(1, chatMessage('which?')));
    expect(answeredBy(chat, send(1, chatMessage('this', replyTo(one))))).toBe(taskOf(one));
    expect(answeredBy(chat, send(1, chatMessage('that', replyTo(two))))).toBe(taskOf(two));
    expect(answeredBy(chat, send(1, chatMessage('unnamed')))).toBeNull();
    expect(answeredBy(chat, send(0, chatMessage('own', replyTo(one))))).toBeNull();
  });

  it('is answered or opened, whichever comes first, and once', () => {
    const { send, upgrade } = chatCommands();
    const asked = doorMessage('asked');
    const chat = after(send(0, asked));
    const answered = take(chat, send(1, chatMessage('yes')));
    expect(refusalOf(answered, upgrade(1, asked))).toBe('answeredInChat');
    const opening = upgrade(1, asked);
    const opened = take(chat, opening);
    expect(refusalOf(opened, opening)).toBe('repeat');
    expect(answeredBy(opened, send(1, chatMessage('late', replyTo(asked))))).toBeNull();
    for (const stranger of [upgrade(0, asked), upgrade(1, doorMessage('other'))]) {
      expect(refusalOf(chat, stranger)).toBe('taskNotFound');
    }
  });

  it('lapses when 64 others wait after it', () => {
    const { send } = chatCommands();
    const asked = Array.from({ length: 65 }, (_, at) => doorMessage(`message ${at}`));
    const [first = doorMessage('?'), second = doorMessage('?')] = asked;
    const [command = send(0, first), ...more] = asked.map((message) => send(0, message));
    const chat = after(command, ...more);
    expect(chat.openExchanges).toHaveLength(64);
    expect(answeredBy(chat, send(1, chatMessage('late', replyTo(first))))).toBeNull();
    expect(answeredBy(chat, send(1, chatMessage('in time', replyTo(second))))).toBe(taskOf(second));
  });
});

interface Writing {
  readonly type: 'ask' | 'chat';
  readonly by: 0 | 1;
  readonly names: number | undefined;
}

interface Upgrading {
  readonly type: 'upgrade';
  readonly by: 0 | 1;
  readonly of: number;
}

const moves = fc.array(
  fc.oneof(
    fc.record<Writing>({
      type: fc.constantFrom('ask', 'chat'),
      by: fc.constantFrom(0, 1),
      names: fc.option(fc.nat(12), { nil: undefined }),
    }),
    fc.record<Upgrading>({
      type: fc.constant('upgrade'),
      by: fc.constantFrom(0, 1),
      of: fc.nat(12),
    }),
  ),
  { maxLength: 40 },
);

interface Written {
  readonly by: number;
  readonly message: NewChatMessage;
}

/** Contract §3.7 in its own words, on the whole history. */
function expectedAnswer(history: readonly Written[], settled: ReadonlySet<unknown>, last: Written) {
  const isOpen = ({ by, message }: Written) =>
    message.a2a !== null && by !== last.by && !settled.has(message.a2a.taskId);
  const named = last.message.replyTo;
  if (named) return history.find((each) => isOpen(each) && each.message.id === named.messageId);
  const lastOwn = history.map(({ by }) => by).lastIndexOf(last.by);
  const [only, ...others] = history.slice(lastOwn + 1);
  return only && others.length === 0 && isOpen(only) ? only : undefined;
}

interface Played {
  readonly does: unknown;
  readonly should: unknown;
}

/** A direct chat, played move by move beside what the contract says of it. */
class Course {
  readonly #commands = chatCommands();
  readonly #history: Written[] = [];
  readonly #settled = new Set<unknown>();
  #chat: ChatSnapshot | undefined;

  /** What the move does, and what it should do. */
  play(move: Writing | Upgrading): Played {
    return move.type === 'upgrade' ? this.#upgrade(move) : this.#write(move);
  }

  #upgrade({ of, by }: Upgrading): Played {
    const target = this.#history[of];
    const taskId = target && taskOf(target.message);
    if (!this.#chat || !taskId) return { does: undefined, should: undefined };
    const command = this.#commands.upgrade(by, target.message);
    const should = target.by !== by && !this.#settled.has(taskId);
    const does = refusalOf(this.#chat, command) === 'change';
    if (does) {
      this.#settled.add(taskId);
      this.#chat = take(this.#chat, command);
    }
    return { does, should };
  }

  #write({ type, by, names }: Writing): Played {
    const named = this.#history.at(names ?? this.#history.length)?.message;
    const base = type === 'ask' ? doorMessage('ask') : chatMessage('say');
    const message = { ...base, ...(named ? replyTo(named) : {}) };
    const expected = expectedAnswer(this.#history, this.#settled, { by, message });
    const should = (expected && taskOf(expected.message)) ?? null;
    const command = this.#commands.send(by, message);
    const does = this.#chat ? answeredBy(this.#chat, command) : null;
    this.#settled.add(does);
    this.#history.push({ by, message });
    this.#chat = take(this.#chat, command);
    return { does, should };
  }
}

describe('any course of a direct chat', () => {
  it('settles each exchange at most once, by the rules, however messages and calls fall', () => {
    fc.assert(
      fc.property(moves, (course) => {
        const chat = new Course();
        for (const move of course) {
          const { does, should } = chat.play(move);
          expect(does).toBe(should);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never runs backwards in time', () => {
    const { send } = chatCommands();
    const chat = after(send(0, chatMessage('one')));
    const early = { ...send(1, chatMessage('two')), at: timestampAt(0) };
    expect(take(chat, early).updatedAt).toBe(chat.updatedAt);
  });
});
