import { z } from 'zod';
import { documentedAs } from './documented-as.ts';
import type { Immutable } from './immutable.ts';
import { protoEnum, protoEnumOf, protoObject } from './proto-json.ts';

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

/** In the order of the proto numbers. */
export const roleNames = ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'] as const;
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

/** The two ways in which a part can hold a file. */
export const fileContentSchemas = {
  raw: z.union([z.base64(), z.base64url()]),
  url: z.string().min(1).max(limits.urlLength),
} as const;

const partObject = z
  .object({
    text: z.string().max(limits.textLength).optional(),
    raw: fileContentSchemas.raw.optional(),
    url: fileContentSchemas.url.optional(),
    data: z.unknown().meta({ description: 'Any JSON.' }).optional(),
    mediaType: z.string().max(limits.idLength).optional(),
    filename: z.string().max(limits.idLength).optional(),
    metadata: metadataSchema.optional(),
  })
  .meta({
    id: 'Part',
    description: 'Exactly one of text, raw (base64), url and data. Lengths are UTF-16 units.',
    oneOf: ['text', 'raw', 'url', 'data'].map((content) => ({ required: [content] })),
  });

/** Exactly one of text, raw, url and data (a proto oneof). */
export const partSchema = documentedAs(
  partObject,
  protoObject(partObject.shape).transform((part, context): Part => {
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
  }),
);

const partsSchema = z.array(partSchema).min(1).max(limits.parts);

export const stringListSchema = z
  .array(z.string().max(limits.urlLength))
  .max(limits.parts)
  .optional();

/** What a message holds beside its ids and its role, alike on its way in and out. */
const messageContent = {
  parts: partsSchema,
  metadata: metadataSchema.optional(),
  extensions: stringListSchema,
  referenceTaskIds: stringListSchema,
};

export const storedMessageSchema = z
  .object({
    messageId: z.string(),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
    ...messageContent,
  })
  .meta({ id: 'Message', description: 'An A2A message as Relay keeps it.' });
export type Message = Immutable<z.infer<typeof storedMessageSchema>>;

/** A message as a caller gives it: Relay makes the messageId when there is none. */
export type MessageInput = Omit<Message, 'messageId'> & { readonly messageId?: string | undefined };

/** Reads a message whose role must be the given one: ROLE_USER from a requester, ROLE_AGENT from a callee. */
export function messageSchema(role: Role) {
  return protoObject({
    messageId: optionalIdSchema,
    contextId: optionalIdSchema,
    taskId: optionalIdSchema,
    role: protoEnumOf(roleNames, [role]),
    ...messageContent,
  })
    .transform(
      ({ extensions, referenceTaskIds, ...message }): MessageInput => ({
        extensions: extensions?.length ? extensions : undefined,
        referenceTaskIds: referenceTaskIds?.length ? referenceTaskIds : undefined,
        ...message,
      }),
    )
    .meta(inputMeta[role]);
}

const inputMeta: Record<Role, { id: string; description: string }> = {
  ROLE_USER: {
    id: 'RequesterMessage',
    description:
      'A message from a requester. The same messageId again is a retry and answers what is there; ' +
      'without one Relay makes one, and the send is not idempotent. Parts are text, data, or files ' +
      'that say they are text/plain or application/json.',
  },
  ROLE_AGENT: { id: 'AgentMessage', description: 'A message from the agent that does the task.' },
};

export const storedArtifactSchema = z
  .object({
    artifactId: idSchema.min(1),
    name: z.string().max(limits.textLength).optional(),
    description: z.string().max(limits.textLength).optional(),
    parts: partsSchema,
    metadata: metadataSchema.optional(),
    extensions: stringListSchema,
  })
  .meta({ id: 'Artifact', description: 'What a task has brought forth. Artifacts come whole.' });
export type Artifact = Immutable<z.infer<typeof storedArtifactSchema>>;

/** An artifact as an agent gives it over Relay's REST. */
export const artifactSchema = documentedAs(
  storedArtifactSchema,
  protoObject(storedArtifactSchema.shape),
);
