import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatCommands, chatMessage } from '../../../../test/support/chat-commands.ts';
import { taskCommands, testContact } from '../../../../test/support/task-commands.ts';
import {
  type ChatChange,
  type ChatCommand,
  type ChatSnapshot,
  decideChat,
  decideState,
  deriveExchangeMessageId,
  type ExchangeOutcome,
  type ExchangeSnapshot,
  evolveChat,
  evolveState,
  isExchange,
  outcomeOf,
  sendToChat,
  type TaskCommand,
  type TaskState,
  toChatContact,
} from '../index.ts';

/**
 * What several task-managers do about one exchange, step by step: between what one reads and what it appends
 * others go on, and any of them may be killed there. An append is refused when another one came first.
 */

/** Each yield is a moment at which others go on. */
type Steps<Result> = Generator<undefined, Result, void>;

interface ChatEntry {
  readonly change: ChatChange;
  readonly snapshot: ChatSnapshot;
}

class World {
  readonly tasks: TaskState[] = [];
  readonly chat: ChatEntry[] = [];

  /** @returns what is there after it, or why it is refused */
  *onTask(command: TaskCommand | ExchangeOutcome): Steps<TaskResult> {
    for (;;) {
      const place = this.tasks.length;
      const state = this.tasks.at(-1);
      yield;
      const decision = decideState(state, command);
      if (decision.type === 'refusal') return { refused: decision.refusal.error };
      if (decision.type === 'ask-chat') return { ask: decision };
      if (decision.type === 'repeat') return { state };
      const { snapshot } = evolveState(state, decision.change);
      if (this.tasks.length === place) {
        this.tasks.push(snapshot);
        return { state: snapshot };
      }
    }
  }

  *onChat(command: ChatCommand): Steps<{ change?: ChatChange; refused?: string }> {
    for (;;) {
      const place = this.chat.length;
      const chat = this.chat.at(-1)?.snapshot;
      yield;
      const decision = decideChat(chat, command);
      if (decision.type === 'refusal') return { refused: decision.refusal.error };
      if (decision.type === 'repeat') return {};
      const snapshot = evolveChat(chat, decision.change);
      if (this.chat.length === place) {
        this.chat.push({ change: decision.change, snapshot });
        return { change: decision.change };
      }
    }
  }

  /** As the repair does, and whoever finds chat and task apart. */
  *publishAll(): Steps<string> {
    for (const { change, snapshot } of this.chat) {
      const outcome = outcomeOf(change, snapshot);
      if (outcome) yield* this.onTask(outcome);
    }
    return 'published';
  }
}

interface TaskResult {
  readonly refused?: string;
  readonly state?: TaskState | undefined;
  readonly ask?: { readonly exchange: ExchangeSnapshot };
}

function* send(world: World, command: TaskCommand): Steps<string> {
  const { state, refused } = yield* world.onTask(command);
  if (!state || !isExchange(state) || state.state === 'answered') return refused ?? 'answered';
  yield* world.onChat(sendToChat(state, command));
  return 'waits';
}

function* reply(world: World, command: ChatCommand): Steps<string> {
  const { change, refused } = yield* world.onChat(command);
  const outcome = change && world.chat[0] && outcomeOf(change, world.chat[0].snapshot);
  if (outcome) yield* world.onTask(outcome);
  if (refused) return refused;
  return outcome ? 'answers' : 'is a message';
}

function* open(world: World, command: TaskCommand, upgrade: ChatCommand): Steps<string> {
  const { ask, refused } = yield* world.onTask(command);
  if (!ask) return refused ?? 'done';
  const asked = yield* world.onChat(upgrade);
  yield* world.publishAll();
  if (asked.refused) return asked.refused;
  const done = yield* world.onTask(command);
  return done.refused ?? 'done';
}

function exchange() {
  const [planner, concierge] = [testContact('planner'), testContact('concierge')];
  const tasks = taskCommands(planner, concierge);
  const chat = chatCommands([planner, concierge].map(toChatContact));
  const { chatId } = chat;
  const { taskId } = tasks;
  const messageId = deriveExchangeMessageId(taskId);
  const offer = { chatId, callee: toChatContact(concierge) };
  const submit = tasks.submit();
  const named = { replyTo: { messageId, partIndex: 0 } };
  const opening = () => {
    const command = tasks.status('WORKING');
    const { changeId, at, traceId, state, message } = command;
    const upgrade: ChatCommand = {
      changeId,
      at,
      traceId,
      chatId,
      type: 'upgrade',
      calleeId: concierge.id,
      taskId,
      opening: { type: 'set-status', state, message },
    };
    return { command, upgrade };
  };
  return {
    taskId,
    messageId,
    sent: (calleeAcceptsTasks: boolean): TaskCommand => ({ ...submit, calleeAcceptsTasks, offer }),
    said: () => chat.send(1, chatMessage('yes', named)),
    opening,
  };
}

/** Runs all, in the order that the numbers say, each until it is done or killed. */
function interleave(
  all: readonly Steps<string>[],
  order: readonly number[],
  killedAt: readonly number[],
) {
  const results = all.map((): string | undefined => undefined);
  const steps = all.map(() => 0);
  const isOver = all.map(() => false);
  const advance = (at: number) => {
    const actor = all[at];
    if (!actor || isOver[at]) return;
    steps[at] = (steps[at] ?? 0) + 1;
    if (steps[at] === killedAt[at]) {
      isOver[at] = true;
      return;
    }
    const { done, value } = actor.next();
    isOver[at] = done === true;
    if (done) results[at] = value ?? undefined;
  };
  for (const next of order) advance(next % all.length);
  for (const [at] of all.entries()) while (!isOver[at]) advance(at);
  return results;
}

const runs = fc.record({
  order: fc.array(fc.nat(5), { maxLength: 60 }),
  /** At which of its steps each is killed; most are not. */
  killedAt: fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 8 })),
    {
      minLength: 6,
      maxLength: 6,
    },
  ),
  /** The callee takes tasks by the time that the message is sent again. */
  isTurnedOn: fc.boolean(),
});

describe('the first answer', () => {
  it('wins, and there is one, however those who answer race and whoever is killed', () => {
    const outcomes = new Set<string>();
    const { taskId, messageId, sent, said, opening } = exchange();
    const [first, second, one, other] = [said(), said(), opening(), opening()];
    fc.assert(
      fc.property(runs, ({ order, killedAt, isTurnedOn }) => {
        const world = new World();
        interleave([send(world, sent(false))], [], []);
        const retried = sent(isTurnedOn);
        const results = interleave(
          [
            reply(world, first),
            reply(world, second),
            open(world, one.command, one.upgrade),
            open(world, other.command, other.upgrade),
            send(world, retried),
            world.publishAll(),
          ],
          order,
          killedAt,
        );
        // What was killed is made up for by the repair, and asked for again.
        interleave([world.publishAll()], [], []);
        const settling = world.chat.filter(
          ({ change }) =>
            change.type === 'upgraded' ||
            (change.type === 'message-sent' && change.answers === taskId),
        );
        expect(settling.length).toBeLessThanOrEqual(1);
        const [settled] = settling;
        const state = world.tasks.at(-1);
        const [again] = interleave([open(world, one.command, one.upgrade)], [], []);
        const copies = world.chat.filter(
          ({ change }) => change.type === 'message-sent' && change.message.id === messageId,
        );
        expect(copies).toHaveLength(1);
        const [repliedFirst, repliedSecond, openedFirst, openedSecond] = results;
        const replies = [repliedFirst, repliedSecond].filter((result) => result === 'answers');
        const opened = [openedFirst, openedSecond, again].filter((result) => result === 'done');
        if (settled?.change.type === 'message-sent') {
          outcomes.add('answered');
          expect(state && isExchange(state) && state.reply?.messageId).toBe(
            settled.change.message.id,
          );
          expect(opened).toEqual([]);
          expect([openedFirst, openedSecond, again]).not.toContain('taskNotFound');
          expect(again).toBe('answeredInChat');
        } else {
          if (settled) outcomes.add('opened');
          expect(state && isExchange(state)).toBe(!settled);
          expect(replies).toEqual([]);
          expect(again).toBe('done');
        }
      }),
      { numRuns: 5_000 },
    );
    expect(outcomes).toEqual(new Set(['answered', 'opened']));
  }, 60_000);
});
