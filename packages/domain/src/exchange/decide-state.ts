import type { Refusal } from '@relay/protocol';
import { type Decision, decide } from '../decide.ts';
import { deriveExchangeMessageId } from '../derived-ids.ts';
import type { TaskCommand, TaskOpening } from '../task.ts';
import {
  type ExchangeChange,
  type ExchangeOutcome,
  type ExchangeSnapshot,
  isCalleeOf,
  isExchange,
  type StateChange,
  type TaskState,
} from './exchange.ts';

export type StateDecision =
  | Exclude<Decision, { type: 'change' }>
  | { readonly type: 'change'; readonly change: StateChange }
  /** The chat must say first whether the message may still become a task. */
  | {
      readonly type: 'ask-chat';
      readonly exchange: ExchangeSnapshot;
      readonly opening: TaskOpening;
    };

/** What the command does to what is under the task's id: a task, an exchange, or nothing yet. Pure. */
export function decideState(
  state: TaskState | undefined,
  command: TaskCommand | ExchangeOutcome,
): StateDecision {
  if (isOutcome(command)) return decideOutcome(state, command);
  if (command.type === 'submit') return decideSubmit(state, command);
  if (state && isExchange(state)) return decideOnExchange(state, command);
  return decide(state, command);
}

type CommandOf<Type extends TaskCommand['type']> = Extract<TaskCommand, { type: Type }>;

/**
 * Whatever the callee's settings are by now, a retry meets its message. Another message is under the same id
 * only where the requester named the task itself: a task takes it, an exchange is for one message.
 */
function decideSubmit(state: TaskState | undefined, command: CommandOf<'submit'>): StateDecision {
  if (state && !isExchange(state)) return decide(state, command);
  if (state) {
    return state.message.messageId === command.message.messageId
      ? { type: 'repeat', revision: 1 }
      : refuse('operationNotSupported', 'The agent accepts no tasks: name another one.');
  }
  const { calleeAcceptsTasks, offer } = command;
  return calleeAcceptsTasks || !offer ? decide(undefined, command) : decideOffer(command, offer);
}

function isOutcome(command: TaskCommand | ExchangeOutcome): command is ExchangeOutcome {
  return command.type === 'publish-answer' || command.type === 'publish-opening';
}

function decideOffer(
  command: CommandOf<'submit'>,
  { chatId, callee }: NonNullable<CommandOf<'submit'>['offer']>,
): StateDecision {
  const { taskId, requester, message, metadata } = command;
  if (message.contextId !== undefined && message.contextId !== chatId) {
    return refuse('contextMismatch', "The contextId is not the chat's.");
  }
  const chatMessageId = deriveExchangeMessageId(taskId);
  const content = { taskId, chatId, chatMessageId, requester, callee, message, metadata };
  return change(undefined, command, { type: 'offered', ...content });
}

/** Its sender does not know the id, so nobody but the callee can mean it. */
function decideOnExchange(
  exchange: ExchangeSnapshot,
  command: Exclude<TaskCommand, { type: 'submit' }>,
): StateDecision {
  const opening = openingOf(command);
  const isCallee = command.calleeId !== undefined && isCalleeOf(exchange, command.calleeId);
  if (!opening || !isCallee) return refuse('taskNotFound');
  if (exchange.state === 'answered') return refuse('answeredInChat');
  return { type: 'ask-chat', exchange, opening };
}

function openingOf(command: TaskCommand): TaskOpening | undefined {
  switch (command.type) {
    case 'set-status':
      return { type: command.type, state: command.state, message: command.message };
    case 'add-artifact':
      return { type: command.type, artifact: command.artifact };
    case 'reply':
      return { type: command.type, message: command.message };
    case 'submit':
    case 'follow-up':
    case 'cancel':
      return undefined;
  }
}

/** An outcome is published once; one that finds no offer is dropped. */
function decideOutcome(state: TaskState | undefined, outcome: ExchangeOutcome): StateDecision {
  if (state === undefined) return refuse('taskNotFound');
  if (!isExchange(state) || state.state === 'answered') {
    return { type: 'repeat', revision: state.revision };
  }
  return outcome.type === 'publish-answer'
    ? change(state, outcome, { type: 'answered', reply: outcome.reply })
    : change(state, outcome, { type: 'opened', opening: outcome.opening });
}

type ChangeContent = ExchangeChange extends infer Change
  ? Change extends ExchangeChange
    ? Omit<Change, 'id' | 'traceId' | 'at' | 'revision'>
    : never
  : never;

function change(
  state: ExchangeSnapshot | undefined,
  command: TaskCommand | ExchangeOutcome,
  content: ChangeContent,
): StateDecision {
  const { changeId: id, traceId } = command;
  const at = state && state.updatedAt > command.at ? state.updatedAt : command.at;
  const revision = (state?.revision ?? 0) + 1;
  return { type: 'change', change: { id, traceId, at, revision, ...content } };
}

function refuse(error: Refusal['error'], message?: string): StateDecision {
  return { type: 'refusal', refusal: { error, message } };
}
