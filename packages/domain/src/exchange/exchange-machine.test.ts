import { chatIdSchema } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { taskCommands, testContact } from '../../../../test/support/task-commands.ts';
import {
  decideState,
  type ExchangeOutcome,
  eventsOf,
  evolveState,
  isAnswered,
  isOfTask,
  type RecordedPair,
  type TaskCommand,
  type TaskState,
  toChatContact,
  viewAnswer,
} from '../index.ts';

const { callee, requester, taskId, submit, ...commands } = taskCommands();
const { status, artifact, reply, cancel, followUp } = commands;
const chatId = chatIdSchema.parse(commands.contextId);

const offered = () => ({
  ...submit(),
  calleeAcceptsTasks: false,
  offer: { chatId, callee: toChatContact(callee) },
});

function outcome(content: { type: 'publish-answer' } | ReturnType<typeof status>): ExchangeOutcome {
  const { changeId, traceId, at, message } = status('WORKING', 'hello back');
  const fields = { taskId, changeId, traceId, at };
  if (!message) throw new Error('no message');
  if (content.type === 'publish-answer') return { ...fields, type: content.type, reply: message };
  const { state } = content;
  const opening = { type: 'set-status', state, message: content.message } as const;
  return { ...fields, type: 'publish-opening', opening };
}

const answered = () => outcome({ type: 'publish-answer' });

function after(...[first, ...more]: (TaskCommand | ExchangeOutcome)[]): RecordedPair {
  if (!first) throw new Error('no commands');
  return more.reduce<RecordedPair>(
    (pair, command) => step(pair.snapshot, command),
    step(undefined, first),
  );
}

function step(state: TaskState | undefined, command: TaskCommand | ExchangeOutcome): RecordedPair {
  const decision = decideState(state, command);
  if (decision.type !== 'change') throw new Error(`${command.type}: ${JSON.stringify(decision)}`);
  return evolveState(state, decision.change);
}

function taskAfter(...all: (TaskCommand | ExchangeOutcome)[]) {
  const pair = after(...all);
  if (!isOfTask(pair)) throw new Error('there is no task yet');
  return pair;
}

function decisionOn(state: TaskState, command: TaskCommand | ExchangeOutcome) {
  const decision = decideState(state, command);
  return decision.type === 'refusal' ? decision.refusal.error : decision.type;
}

describe('a message to an agent that takes no tasks', () => {
  it('is offered, and refused where nothing but a task will do', () => {
    const { change, snapshot } = after(offered());
    expect(change.type).toBe('offered');
    expect(snapshot).toMatchObject({ taskId, chatId, state: 'offered', revision: 1 });
    const { offer: _offer, ...plain } = offered();
    expect(decideState(undefined, plain)).toMatchObject({
      refusal: { error: 'tasksNotAccepted' },
    });
  });

  it('belongs to the context of its chat alone', () => {
    const { message, ...command } = offered();
    const within = (contextId: string) => ({ ...command, message: { ...message, contextId } });
    expect(decideState(undefined, within('other'))).toMatchObject({
      refusal: { error: 'contextMismatch' },
    });
    expect(decideState(undefined, within(chatId)).type).toBe('change');
  });

  it('meets itself when it is sent again, whatever the agent takes by then', () => {
    const exchange = after(offered()).snapshot;
    for (const again of [offered(), submit()]) {
      expect(decideState(exchange, again)).toEqual({ type: 'repeat', revision: 1 });
    }
    const task = after(submit()).snapshot;
    expect(decideState(task, offered())).toEqual({ type: 'repeat', revision: 1 });
  });

  it('is for one message, also where its requester named it', () => {
    const exchange = after(offered()).snapshot;
    const { message, ...command } = offered();
    const another = { ...command, message: { ...message, messageId: 'another' } };
    expect(decisionOn(exchange, another)).toBe('operationNotSupported');
  });

  it('is no task for anybody but who may make one of it', () => {
    const exchange = after(offered()).snapshot;
    const { id: calleeId } = testContact('stranger');
    const others = [cancel(), followUp('more'), { ...status('WORKING'), calleeId }];
    for (const command of others) expect(decisionOn(exchange, command)).toBe('taskNotFound');
    for (const command of [status('WORKING'), artifact('a', 'text'), reply('r')]) {
      expect(decisionOn(exchange, command)).toBe('ask-chat');
    }
  });

  it('is answered once', () => {
    const { snapshot } = after(offered(), answered());
    expect(snapshot).toMatchObject({ state: 'answered', revision: 2 });
    for (const late of [answered(), outcome(status('WORKING'))]) {
      expect(decisionOn(snapshot, late)).toBe('repeat');
    }
    for (const late of [status('WORKING'), artifact('a', 'text'), reply('r')]) {
      expect(decisionOn(snapshot, late)).toBe('answeredInChat');
    }
  });

  it('becomes the task it could have been from the start', () => {
    const { change, snapshot } = taskAfter(offered(), outcome(status('WORKING', 'on it')));
    expect(change.type).toBe('opened');
    expect(snapshot.task).toMatchObject({
      id: taskId,
      contextId: chatId,
      status: { state: 'TASK_STATE_WORKING', message: { parts: [{ text: 'on it' }] } },
      history: [{ messageId: 'first', role: 'ROLE_USER', taskId, contextId: chatId }, {}],
      metadata: { relay: { requester } },
    });
    expect(eventsOf(change, snapshot).map((event) => [event.event_type, event.agent_id])).toEqual([
      ['task.updated', requester.id],
    ]);
    expect(isAnswered(snapshot, 1)).toBe(true);
    expect(viewAnswer(snapshot, 1)).toEqual({ task: snapshot.task });
    const done = taskAfter(offered(), outcome(status('WORKING')), status('COMPLETED'));
    expect(done.snapshot.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(decisionOn(done.snapshot, answered())).toBe('repeat');
  });

  it('has no outcome that nobody was offered', () => {
    expect(decideState(undefined, answered())).toMatchObject({ type: 'refusal' });
  });
});
