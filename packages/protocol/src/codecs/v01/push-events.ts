import { type TaskState, taskStates } from '../../a2a.ts';
import type { PushEvent } from '../../push-configs.ts';
import type { StateV01 } from './shapes.ts';

/** The states of 0.1, which knows neither `rejected` nor `auth-required`. */
export const statesV01: Readonly<Record<TaskState, StateV01>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'failed',
  TASK_STATE_AUTH_REQUIRED: 'input-required',
};

/** What a filter of 0.1 may name: the states that a task gets into, and its artifacts. */
export const pushEventsV01 = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'artifact',
] as const;
export type PushEventV01 = (typeof pushEventsV01)[number];

export function toPushEvents(name: PushEventV01): readonly PushEvent[] {
  return name === 'artifact' ? [name] : taskStates.filter((state) => statesV01[state] === name);
}

/** The names that stand for these events. */
export function pushEventNames(events: readonly PushEvent[]): readonly PushEventV01[] {
  return [...new Set(events.map((event) => (event === 'artifact' ? event : statesV01[event])))];
}
