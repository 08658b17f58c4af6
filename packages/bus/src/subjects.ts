import { hash } from 'node:crypto';
import {
  type AgentId,
  agentIdSchema,
  type ChatId,
  type SubscriptionId,
  type TaskId,
} from '@relay/protocol';

/** Fixed for ever: it is part of every subject. 8 filtered consumers leave two thirds of the publish rate, 64 a third. */
export const partitionCount = 8;
export type Partition = number;
export const partitions: readonly Partition[] = Array.from({ length: partitionCount }, (_, p) => p);

/** The partition of an id: the first byte of its SHA-256, modulo the number of partitions. */
export function partitionOf(id: string): Partition {
  return Number.parseInt(hash('sha256', id).slice(0, 2), 16) % partitionCount;
}

export const streams = {
  tasks: 'TASKS',
  chats: 'CHATS',
  inbox: 'INBOX',
  deliveries: 'DELIVERIES',
  feeds: 'KV_feeds',
  registry: 'KV_registry',
} as const;

interface DeliveryPlace {
  readonly agentId: AgentId;
  readonly subscriptionId: SubscriptionId;
  readonly sequence: number;
  readonly index: number;
}

export const subjects = {
  task: (taskId: TaskId) => `task.${partitionOf(taskId)}.${taskId}`,
  tasksOf: (partition: Partition) => `task.${partition}.*`,
  allTasks: 'task.*.*',
  chat: (chatId: ChatId) => `chat.${partitionOf(chatId)}.${chatId}`,
  chatsOf: (partition: Partition) => `chat.${partition}.*`,
  allChats: 'chat.*.*',
  inbox: (agentId: AgentId) => `inbox.${partitionOf(agentId)}.${agentId}`,
  inboxesOf: (partition: Partition) => `inbox.${partition}.*`,
  allInboxes: 'inbox.*.*',
  delivery: ({ agentId, subscriptionId, sequence, index }: DeliveryPlace) =>
    `delivery.${partitionOf(agentId)}.${agentId}.${subscriptionId}.${sequence}_${index}`,
  deliveriesOfAgent: (agentId: AgentId) => `delivery.${partitionOf(agentId)}.${agentId}.*.*`,
  deliveriesOf: (partition: Partition) => `delivery.${partition}.*.*.*`,
  allDeliveries: 'delivery.*.*.*.*',
  /** What the reader of a stream cannot process. */
  stuck: (reader: string, sequence: number) => `stuck.${reader}.${sequence}`,
  allStuck: 'stuck.*.*',
  /** Where the server republishes what a stream stored on the given subject. */
  live: (subject: string) => `live.${subject}`,
  /** The agent's inbox and its feed record, as both are republished below `live`. */
  feed: (agentId: AgentId) => `*.${feedKey(agentId)}`,
  feedRecordsOf: (partition: Partition) => `$KV.feeds.${partition}.*`,
  /** A key of a bucket, or the beginning of several. */
  key: (bucket: string, key: string) => `$KV.${bucket}.${key}`,
  projected: 'live.projected',
  /** Told when a lease of a group was given back. */
  freedLease: (group: string) => `lease.freed.${group}`,
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

/** The agent whose inbox or feed record a subject names; undefined where it names none. */
export function agentIdOfSubject(subject: string): AgentId | undefined {
  return agentIdSchema.safeParse(subject.slice(subject.lastIndexOf('.') + 1)).data;
}
