import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '@relay/protocol';
import type { TaskChange, TaskCommand, TaskSnapshot } from './task.ts';
import { isFinal } from './task-states.ts';

export type Decision =
  | { readonly type: 'change'; readonly change: TaskChange }
  /** Nothing to do: what the command asks for was done at that revision. */
  | { readonly type: 'repeat'; readonly revision: number }
  | { readonly type: 'refusal'; readonly refusal: Refusal };

type CommandOf<Type extends TaskCommand['type']> = Extract<TaskCommand, { type: Type }>;

/** What the command does to the task as it stands. Pure. `undefined`: there is no such task yet. */
export function decide(snapshot: TaskSnapshot | undefined, command: TaskCommand): Decision {
  if (command.type === 'submit') return decideSubmit(snapshot, command);
  if (snapshot === undefined || !isParty(snapshot, command)) return refuse('taskNotFound');
  const earlier = snapshot.recentChanges.find(({ changeId }) => changeId === command.changeId);
  if (earlier) return { type: 'repeat', revision: earlier.revision };
  switch (command.type) {
    case 'follow-up':
      return decideFollowUp(snapshot, command);
    case 'cancel':
      return decideCancel(snapshot, command);
    case 'set-status':
      return decideStatus(snapshot, command);
    case 'add-artifact':
      return decideArtifact(snapshot, command);
    case 'reply':
      return decideReply(snapshot, command);
  }
}

/**
 * The task id is derived from the pair and a messageId, or the requester's own name of the task: one that
 * is there is the requester's, and has this message or takes it as another one.
 */
function decideSubmit(snapshot: TaskSnapshot | undefined, command: CommandOf<'submit'>): Decision {
  if (snapshot) return decideFollowUp(snapshot, command);
  if (!command.calleeAcceptsTasks) return refuse('tasksNotAccepted');
  const { taskId, requester, calleeId, contextId, message, metadata } = command;
  return change(undefined, command, {
    type: 'submitted',
    taskId,
    requester,
    calleeId,
    contextId,
    message,
    metadata,
  });
}

function decideFollowUp(
  snapshot: TaskSnapshot,
  command: CommandOf<'follow-up' | 'submit'>,
): Decision {
  const { message } = command;
  const earlier = snapshot.requesterMessages.find(
    ({ messageId }) => messageId === message.messageId,
  );
  if (earlier) return { type: 'repeat', revision: earlier.revision };
  if (message.contextId !== undefined && message.contextId !== snapshot.task.contextId) {
    return refuse('contextMismatch');
  }
  if (isFinal(snapshot.task.status.state)) return refuse('taskFinished');
  return change(snapshot, command, { type: 'message-added', message });
}

function decideCancel(snapshot: TaskSnapshot, command: CommandOf<'cancel'>): Decision {
  const { state } = snapshot.task.status;
  if (state === 'TASK_STATE_CANCELED') return { type: 'repeat', revision: snapshot.revision };
  if (isFinal(state)) return refuse('taskNotCancelable');
  return change(snapshot, command, { type: 'canceled' });
}

function decideStatus(snapshot: TaskSnapshot, command: CommandOf<'set-status'>): Decision {
  if (isFinal(snapshot.task.status.state)) return refuse('taskFinished');
  const { state, message } = command;
  return change(snapshot, command, { type: 'status-changed', state, message });
}

function decideArtifact(snapshot: TaskSnapshot, command: CommandOf<'add-artifact'>): Decision {
  const { artifact } = command;
  const earlier = snapshot.task.artifacts?.find(
    ({ artifactId }) => artifactId === artifact.artifactId,
  );
  if (earlier && isDeepStrictEqual(earlier, artifact)) {
    return { type: 'repeat', revision: snapshot.revision };
  }
  if (isFinal(snapshot.task.status.state)) return refuse('taskFinished');
  if (earlier) return refuse('artifactTaken');
  return change(snapshot, command, { type: 'artifact-added', artifact });
}

function decideReply(snapshot: TaskSnapshot, command: CommandOf<'reply'>): Decision {
  const { status, artifacts } = snapshot.task;
  if (status.state === 'TASK_STATE_CANCELED') return refuse('taskFinished');
  const isUnanswered =
    status.state === 'TASK_STATE_SUBMITTED' && !status.message && !artifacts?.length;
  if (!isUnanswered) return refuse('taskAnswered');
  return change(snapshot, command, { type: 'replied', message: command.message });
}

/** Anybody else must not learn that the task exists. */
function isParty(snapshot: TaskSnapshot, command: Exclude<TaskCommand, { type: 'submit' }>) {
  const requesterId = 'requesterId' in command ? command.requesterId : undefined;
  const calleeId = 'calleeId' in command ? command.calleeId : undefined;
  return (
    (requesterId === undefined || requesterId === snapshot.requesterId) &&
    (calleeId === undefined || calleeId === snapshot.calleeId)
  );
}

type ChangeContent = TaskChange extends infer Change
  ? Change extends TaskChange
    ? Omit<Change, 'id' | 'traceId' | 'at' | 'revision'>
    : never
  : never;

/** `at` never runs backwards within a task: hosts' clocks differ. */
function change(
  snapshot: TaskSnapshot | undefined,
  command: TaskCommand,
  content: ChangeContent,
): Decision {
  const at = snapshot && snapshot.updatedAt > command.at ? snapshot.updatedAt : command.at;
  const revision = (snapshot?.revision ?? 0) + 1;
  const { changeId: id, traceId } = command;
  return { type: 'change', change: { id, traceId, at, revision, ...content } };
}

function refuse(error: Refusal['error']): Decision {
  return { type: 'refusal', refusal: { error } };
}
