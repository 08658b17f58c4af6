import type { TaskState } from '@relay/protocol';

const kinds: Readonly<Record<TaskState, 'open' | 'interrupted' | 'final'>> = {
  TASK_STATE_SUBMITTED: 'open',
  TASK_STATE_WORKING: 'open',
  TASK_STATE_INPUT_REQUIRED: 'interrupted',
  TASK_STATE_AUTH_REQUIRED: 'interrupted',
  TASK_STATE_COMPLETED: 'final',
  TASK_STATE_FAILED: 'final',
  TASK_STATE_REJECTED: 'final',
  TASK_STATE_CANCELED: 'final',
};

/** A final task never changes. */
export function isFinal(state: TaskState): boolean {
  return kinds[state] === 'final';
}

/** The callee waits for the requester. */
export function isInterrupted(state: TaskState): boolean {
  return kinds[state] === 'interrupted';
}
