import { hash } from 'node:crypto';
import type { AgentId, TaskId } from '@relay/protocol';

/** Fixed for ever: it is part of every subject. 8 filtered consumers leave two thirds of the publish rate, 64 a third. */
export const partitionCount = 8;
export type Partition = number;
export const partitions: readonly Partition[] = Array.from({ length: partitionCount }, (_, p) => p);

/** The partition of an id: the first byte of its SHA-256, modulo the number of partitions. */
export function partitionOf(id: string): Partition {
  return Number.parseInt(hash('sha256', id).slice(0, 2), 16) % partitionCount;
}

export const streams = { tasks: 'TASKS', inbox: 'INBOX' } as const;

export const subjects = {
  task: (taskId: TaskId) => `task.${partitionOf(taskId)}.${taskId}`,
  tasksOf: (partition: Partition) => `task.${partition}.*`,
  allTasks: 'task.*.*',
  inbox: (agentId: AgentId) => `inbox.${partitionOf(agentId)}.${agentId}`,
  allInboxes: 'inbox.*.*',
  /** Where the server republishes what a stream stored on the given subject. */
  live: (subject: string) => `live.${subject}`,
  /** The agent's feed record, as it is republished below `live`. */
  feed: (agentId: AgentId) => `feed.${feedKey(agentId)}`,
  projected: 'live.projected',
  nudgeProjector: 'projector.nudge',
} as const;

/** Key of an agent's feed record in the `feeds` bucket. */
export function feedKey(agentId: AgentId): string {
  return `${partitionOf(agentId)}.${agentId}`;
}

/** The partition that a subject of a stream names. */
export function partitionOfSubject(subject: string): Partition {
  return Number(subject.split('.', 2)[1]);
}
