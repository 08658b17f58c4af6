import { z } from 'zod';
import type { TaskId, Timestamp } from './ids.ts';
import { protoEnum, protoObject } from './proto-json.ts';

/**
 * The canonical model: A2A 1.0 as its JSON has it. Every other wire version is translated to and from
 * it. The schemas read what comes from outside, so they also know proto names and enum numbers.
 */

/** Limits of the Relay contract; lengths are UTF-16 units. */
export const limits = {
  parts: 100,
  textLength: 10_000,
  urlLength: 2_048,
  idLength: 255,
} as const;

/** In the order of the proto numbers. */
const taskStateNames = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;

export const taskStateSchema = protoEnum(taskStateNames);
export const taskStates = taskStateNames.filter((name) => name !== 'TASK_STATE_UNSPECIFIED');
/** The states a Task can be in. UNSPECIFIED is never stored. */
export type TaskState = Exclude<z.infer<typeof taskStateSchema>, 'TASK_STATE_UNSPECIFIED'>;

const roleSchema = protoEnum(['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT']);
export type Role = 'ROLE_USER' | 'ROLE_AGENT';

/** Opaque to Relay: kept and given back as it came. */
export const metadataSchema = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof metadataSchema>;

const idSchema = z.string().max(limits.idLength);
/** proto3 cannot tell an empty string from none, so an empty id means absent. */
export const optionalIdSchema = idSchema.transform((id) => (id === '' ? undefined : id)).optional();

type PartContent =
  | { readonly text: string }
  | { readonly raw: string }
  | { readonly url: string }
  | { readonly data: unknown };
export type Part = PartContent & {
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
  readonly metadata?: Metadata | undefined;
};

const partFields = protoObject({
  text: z.string().max(limits.textLength).optional(),
  raw: z.union([z.base64(), z.base64url()]).optional(),
  url: z.string().min(1).max(limits.urlLength).optional(),
  data: z.unknown().optional(),
  mediaType: z.string().max(limits.idLength).optional(),
  filename: z.string().max(limits.idLength).optional(),
  metadata: metadataSchema.optional(),
});

/** Exactly one of text, raw, url and data (a proto oneof). */
export const partSchema = partFields.transform((part, context): Part => {
  const { text, raw, url, data, mediaType, filename, metadata } = part;
  const common = {
    ...(filename ? { filename } : {}),
    ...(mediaType ? { mediaType } : {}),
    ...(metadata ? { metadata } : {}),
  };
  const contents: PartContent[] = [
    ...(text === undefined ? [] : [{ text }]),
    ...(raw === undefined ? [] : [{ raw }]),
    ...(url === undefined ? [] : [{ url }]),
    ...(Object.hasOwn(part, 'data') ? [{ data }] : []),
  ];
  const [content] = contents;
  if (content === undefined || contents.length > 1) {
    context.addIssue({
      code: 'custom',
      message: 'A part holds exactly one of text, raw, url and data.',
    });
    return z.NEVER;
  }
  return { ...content, ...common };
});

const partsSchema = z.array(partSchema).min(1).max(limits.parts);

export interface Message {
  readonly messageId: string;
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly metadata?: Metadata | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
}

/** A message as a caller gives it: Relay makes the messageId when there is none. */
export type MessageInput = Omit<Message, 'messageId'> & { readonly messageId?: string | undefined };

const stringListSchema = z.array(z.string().max(limits.urlLength)).max(limits.parts).optional();

/** Reads a message whose role must be the given one: ROLE_USER from a requester, ROLE_AGENT from a callee. */
export function messageSchema(role: Role) {
  return protoObject({
    messageId: optionalIdSchema,
    contextId: optionalIdSchema,
    taskId: optionalIdSchema,
    role: roleSchema.pipe(z.literal(role)),
    parts: partsSchema,
    metadata: metadataSchema.optional(),
    extensions: stringListSchema,
    referenceTaskIds: stringListSchema,
  }).transform(
    (message): MessageInput => ({
      ...message,
      extensions: message.extensions?.length ? message.extensions : undefined,
      referenceTaskIds: message.referenceTaskIds?.length ? message.referenceTaskIds : undefined,
    }),
  );
}

export interface Artifact {
  readonly artifactId: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly parts: readonly Part[];
  readonly metadata?: Metadata | undefined;
  readonly extensions?: readonly string[] | undefined;
}

/** An artifact as an agent gives it over Relay's REST. Extra keys are refused there, not ignored. */
export const artifactSchema = protoObject({
  artifactId: idSchema.min(1),
  name: z.string().max(limits.textLength).optional(),
  description: z.string().max(limits.textLength).optional(),
  parts: partsSchema,
  metadata: metadataSchema.optional(),
  extensions: stringListSchema,
});

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message | undefined;
  readonly timestamp: Timestamp;
}

export interface Task {
  readonly id: TaskId;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[] | undefined;
  readonly history?: readonly Message[] | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface TaskStatusUpdateEvent {
  readonly taskId: TaskId;
  readonly contextId: string;
  readonly status: TaskStatus;
}

export interface TaskArtifactUpdateEvent {
  readonly taskId: TaskId;
  readonly contextId: string;
  readonly artifact: Artifact;
  readonly lastChunk: true;
}

/** One event of a stream (A2A 1.0 §3.2.3). */
export type StreamResponse =
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly statusUpdate: TaskStatusUpdateEvent }
  | { readonly artifactUpdate: TaskArtifactUpdateEvent };

export type SendMessageResponse = { readonly task: Task } | { readonly message: Message };

export interface ListTasksResponse {
  readonly tasks: readonly Task[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}
