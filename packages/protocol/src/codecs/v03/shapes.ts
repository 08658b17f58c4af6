import { z } from 'zod';
import { metadataSchema } from '../../a2a.ts';
import type { Immutable } from '../../immutable.ts';

/** What A2A 0.3 has on its JSON-RPC wire, as far as Relay writes it. */

const metadata = metadataSchema.optional();
const strings = z.array(z.string()).optional();

const fileFields = { name: z.string().optional(), mimeType: z.string().optional() };

export const partV03Schema = z
  .union([
    z.object({ kind: z.literal('text'), text: z.string(), metadata }),
    z.object({
      kind: z.literal('file'),
      file: z.union([
        z.object({ bytes: z.string(), ...fileFields }),
        z.object({ uri: z.string(), ...fileFields }),
      ]),
      metadata,
    }),
    z.object({ kind: z.literal('data'), data: metadataSchema, metadata }),
  ])
  .meta({ id: 'PartV03', description: 'A part in A2A 0.3.' });
export type PartV03 = Immutable<z.infer<typeof partV03Schema>>;

export const messageV03Schema = z
  .object({
    kind: z.literal('message'),
    messageId: z.string(),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    role: z.enum(['user', 'agent']),
    parts: z.array(partV03Schema),
    metadata,
    extensions: strings,
    referenceTaskIds: strings,
  })
  .meta({ id: 'MessageV03', description: 'A message in A2A 0.3.' });
export type MessageV03 = Immutable<z.infer<typeof messageV03Schema>>;

const stateV03Schema = z.enum([
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
]);
export type StateV03 = z.infer<typeof stateV03Schema>;

const statusV03Schema = z.object({
  state: stateV03Schema,
  message: messageV03Schema.optional(),
  timestamp: z.string(),
});
export type StatusV03 = Immutable<z.infer<typeof statusV03Schema>>;

const artifactV03Schema = z.object({
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partV03Schema),
  metadata,
  extensions: strings,
});
export type ArtifactV03 = Immutable<z.infer<typeof artifactV03Schema>>;

export const taskV03Schema = z
  .object({
    kind: z.literal('task'),
    id: z.string(),
    contextId: z.string(),
    status: statusV03Schema,
    artifacts: z.array(artifactV03Schema).optional(),
    history: z.array(messageV03Schema).optional(),
    metadata,
  })
  .meta({ id: 'TaskV03', description: 'A task in A2A 0.3.' });
export type TaskV03 = Immutable<z.infer<typeof taskV03Schema>>;

const eventFields = { taskId: z.string(), contextId: z.string() };

/** One event of a stream. */
export const eventV03Schema = z.union([
  taskV03Schema,
  messageV03Schema,
  z.object({
    kind: z.literal('status-update'),
    ...eventFields,
    status: statusV03Schema,
    final: z.boolean().meta({ description: 'Whether the stream ends with it.' }),
  }),
  z.object({
    kind: z.literal('artifact-update'),
    ...eventFields,
    artifact: artifactV03Schema,
    append: z.literal(false),
    lastChunk: z.literal(true),
  }),
]);
export type EventV03 = Immutable<z.infer<typeof eventV03Schema>>;

const pushAuthentication = z
  .object({ schemes: z.array(z.string()) })
  .optional()
  .meta({
    description: 'Without its credentials, which are never shown again; nor is the token.',
  });

export const pushConfigV03Schema = z
  .object({
    taskId: z.string(),
    pushNotificationConfig: z.object({
      id: z.string(),
      url: z.string(),
      authentication: pushAuthentication,
    }),
  })
  .meta({ id: 'TaskPushNotificationConfigV03' });
export type PushConfigV03 = Immutable<z.infer<typeof pushConfigV03Schema>>;
