import { evolve } from '../evolve.ts';
import { type TaskChange, type TaskOpening, type TaskSnapshot, toRecordedChange } from '../task.ts';
import {
  type ExchangeChange,
  type ExchangeSnapshot,
  isExchange,
  type RecordedPair,
  type StateChange,
  type TaskState,
} from './exchange.ts';

type ChangeOf<Type extends ExchangeChange['type']> = Extract<ExchangeChange, { type: Type }>;

/** The change as the record holds it, and what is under the task's id after it. Pure. */
export function evolveState(state: TaskState | undefined, change: StateChange): RecordedPair {
  if (isTaskChange(change)) {
    if (state && isExchange(state)) throw new Error(`An exchange cannot take ${change.type}`);
    return { change: toRecordedChange(change), snapshot: evolve(state, change) };
  }
  const { id, traceId, at, revision, type } = change;
  const fields = { id, traceId, at, revision };
  switch (type) {
    case 'offered':
      return { change: { type, ...fields }, snapshot: offered(change) };
    case 'answered':
      return { change: { type, ...fields }, snapshot: answer(requireExchange(state), change) };
    case 'opened':
      return { change: { type, ...fields }, snapshot: open(requireExchange(state), change) };
  }
}

function isTaskChange(change: StateChange): change is TaskChange {
  return change.type !== 'offered' && change.type !== 'answered' && change.type !== 'opened';
}

function offered(change: ChangeOf<'offered'>): ExchangeSnapshot {
  const { taskId, chatId, chatMessageId, requester, callee, message, metadata } = change;
  const { id: changeId, revision, at } = change;
  return {
    state: 'offered',
    taskId,
    chatId,
    chatMessageId,
    requester,
    callee,
    message,
    metadata,
    reply: undefined,
    offeredAt: at,
    updatedAt: at,
    revision,
    recentChanges: [{ changeId, revision }],
  };
}

function answer(
  exchange: ExchangeSnapshot,
  { reply, at: updatedAt, revision, id: changeId }: ChangeOf<'answered'>,
): ExchangeSnapshot {
  const recentChanges = [...exchange.recentChanges, { changeId, revision }];
  // What it said stands in the chat: here the answer needs the room.
  const message = { ...exchange.message, parts: [], metadata: undefined };
  const answered = { message, metadata: undefined, reply, updatedAt, revision, recentChanges };
  return { ...exchange, state: 'answered', ...answered };
}

/** The task as if it had been one from the start, and then the call that opened it. */
function open(exchange: ExchangeSnapshot, change: ChangeOf<'opened'>): TaskSnapshot {
  const { taskId, chatId, requester, callee, message, metadata, offeredAt } = exchange;
  const { id, traceId, at, revision } = change;
  const submitted = evolve(undefined, {
    id: exchange.recentChanges[0]?.changeId ?? id,
    traceId,
    at: offeredAt,
    revision: 1,
    type: 'submitted',
    taskId,
    requester,
    calleeId: callee.id,
    contextId: chatId,
    message,
    metadata,
  });
  const opened = evolve(submitted, { id, traceId, at, revision, ...toContent(change.opening) });
  return { ...opened, origin: { chatId, messageId: exchange.chatMessageId } };
}

function toContent(opening: TaskOpening) {
  switch (opening.type) {
    case 'set-status':
      return { ...opening, type: 'status-changed' } as const;
    case 'add-artifact':
      return { ...opening, type: 'artifact-added' } as const;
    case 'reply':
      return { ...opening, type: 'replied' } as const;
  }
}

function requireExchange(state: TaskState | undefined): ExchangeSnapshot {
  if (!state || !isExchange(state)) throw new Error('Only an exchange has an outcome');
  return state;
}
