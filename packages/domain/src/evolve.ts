import type { Message, Task, TaskStatus } from '@relay/protocol';
import type { TaskChange, TaskSnapshot } from './task.ts';

/** How many changes are remembered so that a command that comes again answers its first outcome. */
const rememberedChanges = 16;

type ChangeOf<Type extends TaskChange['type']> = Extract<TaskChange, { type: Type }>;

/** The task after the change. Pure, and total for every change that `decide` makes. */
export function evolve(snapshot: TaskSnapshot | undefined, change: TaskChange): TaskSnapshot {
  if (change.type === 'submitted') return submitted(change);
  if (snapshot === undefined) throw new Error(`A task cannot begin with ${change.type}`);
  return remember(apply(snapshot, change), change);
}

function submitted(change: ChangeOf<'submitted'>): TaskSnapshot {
  const { taskId, contextId, requester, calleeId, message, metadata, at, revision } = change;
  return remember(
    {
      task: {
        id: taskId,
        contextId,
        status: { state: 'TASK_STATE_SUBMITTED', timestamp: at },
        history: [placed({ id: taskId, contextId }, message)],
        metadata: { ...metadata, relay: { requester } },
      },
      requesterId: requester.id,
      calleeId,
      revision,
      statusRevision: revision,
      updatedAt: at,
      requesterMessages: [{ messageId: message.messageId, revision }],
      recentChanges: [],
      answeredByMessage: false,
    },
    change,
  );
}

function apply(snapshot: TaskSnapshot, change: Exclude<TaskChange, { type: 'submitted' }>) {
  switch (change.type) {
    case 'message-added':
      return addMessage(snapshot, change);
    case 'artifact-added':
      return {
        ...snapshot,
        task: {
          ...snapshot.task,
          artifacts: [...(snapshot.task.artifacts ?? []), change.artifact],
        },
      };
    case 'status-changed':
      return setStatus(snapshot, change, change.state, change.message);
    case 'replied':
      return {
        ...setStatus(snapshot, change, 'TASK_STATE_COMPLETED', change.message),
        answeredByMessage: true,
      };
    case 'canceled':
      return setStatus(snapshot, change, 'TASK_STATE_CANCELED', undefined);
  }
}

function addMessage(snapshot: TaskSnapshot, change: ChangeOf<'message-added'>): TaskSnapshot {
  const { message, revision } = change;
  return {
    ...snapshot,
    task: withHistory(snapshot.task, placed(snapshot.task, message)),
    requesterMessages: [...snapshot.requesterMessages, { messageId: message.messageId, revision }],
  };
}

/** A status message is the task's current status and, for good, part of its history. */
function setStatus(
  snapshot: TaskSnapshot,
  change: TaskChange,
  state: TaskStatus['state'],
  message: Message | undefined,
): TaskSnapshot {
  const placedMessage = message && placed(snapshot.task, message);
  const status: TaskStatus = {
    state,
    timestamp: change.at,
    ...(placedMessage ? { message: placedMessage } : {}),
  };
  const task = { ...snapshot.task, status };
  return {
    ...snapshot,
    task: placedMessage ? withHistory(task, placedMessage) : task,
    statusRevision: change.revision,
  };
}

function withHistory(task: Task, message: Message): Task {
  return { ...task, history: [...(task.history ?? []), message] };
}

function placed({ id, contextId }: Pick<Task, 'id' | 'contextId'>, message: Message): Message {
  const { taskId: _taskId, contextId: _contextId, ...rest } = message;
  return { taskId: id, contextId, ...rest };
}

function remember(snapshot: TaskSnapshot, change: TaskChange): TaskSnapshot {
  const { id: changeId, revision, at } = change;
  return {
    ...snapshot,
    revision,
    updatedAt: at,
    recentChanges: [...snapshot.recentChanges, { changeId, revision }].slice(-rememberedChanges),
  };
}
