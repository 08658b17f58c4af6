import type { Message, SendMessageResponse, StreamResponse, Task } from '@relay/protocol';
import type { RecordedTaskChange, TaskSnapshot } from './task.ts';
import { isFinal, isInterrupted } from './task-states.ts';

/** The task with at most the given number of its latest messages; unset means all, 0 none (A2A §3.2.4). */
export function viewTask(task: Task, historyLength?: number | undefined): Task {
  if (historyLength === undefined) return task;
  const { history, ...rest } = task;
  if (historyLength === 0 || !history) return rest;
  return { history: history.slice(-historyLength), ...rest };
}

/** The task as lists show it: artifacts only when asked for, no history unless asked for. */
export function viewListedTask(
  task: Task,
  options: { historyLength?: number | undefined; includeArtifacts?: boolean | undefined },
): Task {
  const { artifacts, ...rest } = viewTask(task, options.historyLength ?? 0);
  return options.includeArtifacts && artifacts ? { artifacts, ...rest } : rest;
}

/**
 * Whether a blocking call for the message taken in at that revision has its answer: the task is final,
 * or waits for the requester since after that message. A test on the task alone, so a retried call, a
 * skipped wake-up or a merged one cannot hang. A message in a chat is answered when a task is made of it.
 */
export function isAnswered(snapshot: TaskSnapshot, messageRevision: number): boolean {
  const { state } = snapshot.task.status;
  const isOpening = snapshot.origin !== undefined && messageRevision === 1;
  const isAsked = isInterrupted(state) && snapshot.statusRevision > messageRevision;
  return isOpening || isFinal(state) || isAsked;
}

/** What SendMessage answers: the Task, or the Message by which the callee answered the creating one. */
export function viewAnswer(
  snapshot: TaskSnapshot,
  messageRevision: number,
  historyLength?: number | undefined,
): SendMessageResponse {
  const { message } = snapshot.task.status;
  if (snapshot.answeredByMessage && messageRevision === 1 && message) {
    const { taskId: _taskId, ...withoutTask } = message;
    return { message: withoutTask };
  }
  return { task: viewTask(snapshot.task, historyLength) };
}

/** What streams of the task show of a change. A requester's own message is not shown. */
export function viewUpdate(
  change: RecordedTaskChange,
  snapshot: TaskSnapshot,
): StreamResponse | undefined {
  const { id: taskId, contextId, status, artifacts } = snapshot.task;
  switch (change.type) {
    case 'submitted':
    case 'opened':
      return { task: snapshot.task };
    case 'message-added':
      return undefined;
    case 'status-changed':
    case 'replied':
    case 'canceled':
      return { statusUpdate: { taskId, contextId, status } };
    case 'artifact-added': {
      const artifact = artifacts?.find(({ artifactId }) => artifactId === change.artifactId);
      return artifact && { artifactUpdate: { taskId, contextId, artifact, lastChunk: true } };
    }
  }
}

/** The message that a change took in. */
export function messageOf(snapshot: TaskSnapshot, messageId: string): Message | undefined {
  return snapshot.task.history?.find(
    (message) => message.messageId === messageId && message.role === 'ROLE_USER',
  );
}
