import type { TaskSnapshot } from '@relay/domain';
import {
  agentIdSchema,
  type PushConfig,
  pushEventSchema,
  pushFormSchema,
  subscriptionIdSchema,
  timestampSchema,
} from '@relay/protocol';
import { sealedSchema } from '@relay/runtime';
import { z } from 'zod';

const entrySchema = z.object({
  /** Counts the configs of the task, and is never given again: what waits for a deleted one is not sent. */
  number: z.int().min(0),
  id: z.string(),
  /** Of its first URL: in which order notifications go out must not change with the URL. */
  endpointId: subscriptionIdSchema,
  form: pushFormSchema,
  /** As the outbound guard canonicalised it. */
  url: z.string(),
  scheme: z.string().nullable(),
  credentials: sealedSchema.nullable(),
  token: sealedSchema.nullable(),
  /** Empty: everything. */
  events: z.array(pushEventSchema),
  start: z.union([z.object({ afterRevision: z.int() }), z.object({ messageId: z.string() })]),
  updatedAt: timestampSchema,
});
export type PushConfigEntry = Readonly<z.infer<typeof entrySchema>>;

/** The push notification configs of one task, under the task's key. */
export const pushConfigRecordSchema = z.object({
  requesterId: agentIdSchema,
  nextNumber: z.int().min(0),
  configs: z.array(entrySchema).readonly(),
});
export type PushConfigRecord = Readonly<z.infer<typeof pushConfigRecordSchema>>;

/** What may come with a message that is still on its way; after it the message was refused. */
const patience = 60_000;

type Task = Pick<TaskSnapshot, 'requesterMessages' | 'revision'>;

/** The configs of a task as it stands, in the order in which their ids were first there. */
export function inForce(
  { configs }: Pick<PushConfigRecord, 'configs'>,
  task: Task | undefined,
): readonly PushConfigEntry[] {
  const byId = new Map<string, PushConfigEntry>();
  for (const config of configs) if (task && isInForce(config, task)) byId.set(config.id, config);
  return [...byId.values()];
}

/** Without what was replaced, and what came with messages that were refused. */
export function tidied(record: PushConfigRecord, task: Task | undefined, now: number) {
  const current = inForce(record, task);
  const configs = record.configs.filter((config) => {
    if (task && isInForce(config, task)) return current.includes(config);
    return !task || Date.parse(config.updatedAt) > now - patience;
  });
  return { ...record, configs };
}

/** The record with one more config; it takes the place of what it replaces in the task as it stands. */
export function withConfig(
  record: PushConfigRecord,
  added: PushConfigEntry,
  task: Task | undefined,
): PushConfigRecord {
  const { configs } = record;
  const replaced =
    'afterRevision' in added.start ? inForce(record, task) : configs.filter(sent(added));
  const place = configs.findLastIndex((each) => each.id === added.id && replaced.includes(each));
  return {
    ...record,
    nextNumber: Math.max(record.nextNumber, added.number + 1),
    configs: place < 0 ? [...configs, added] : configs.with(place, added),
  };
}

/** The config that has the id, whether its message is there yet or not. */
export function withId(
  { configs }: Pick<PushConfigRecord, 'configs'>,
  id: string,
): PushConfigEntry | undefined {
  return configs.findLast((config) => config.id === id);
}

/** A config as it is shown. */
export function toPushConfig(taskId: string, config: PushConfigEntry): PushConfig {
  const { id, url, scheme, events } = config;
  return {
    taskId,
    id,
    url,
    ...(scheme === null ? {} : { authentication: { scheme } }),
    ...(events.length > 0 ? { events } : {}),
  };
}

function isInForce({ start }: PushConfigEntry, { requesterMessages, revision }: Task): boolean {
  if ('afterRevision' in start) return true;
  return requesterMessages.some(
    (message) => message.messageId === start.messageId && message.revision <= revision,
  );
}

/** Whether a config came with the same message: what comes with another one replaces it only once that is there. */
function sent({ start: added }: PushConfigEntry) {
  return ({ start }: PushConfigEntry) =>
    'messageId' in added && 'messageId' in start && start.messageId === added.messageId;
}
