import { z } from 'zod';
import { metadataSchema } from '../../a2a.ts';
import type { Immutable } from '../../immutable.ts';
import { pushConfigV03Schema } from '../v03/shapes.ts';

/** What A2A 0.3 has on its HTTP+JSON wire: the JSON of its own proto, as far as Relay writes it. */

const metadata = metadataSchema.optional();
const strings = z.array(z.string()).optional();

const fileFields = { name: z.string().optional(), mimeType: z.string().optional() };

export const partV03HttpSchema = z
  .union([
    z.object({ text: z.string(), metadata }),
    z.object({
      file: z.union([
        z.object({ fileWithBytes: z.string(), ...fileFields }),
        z.object({ fileWithUri: z.string(), ...fileFields }),
      ]),
      metadata,
    }),
    z.object({ data: z.object({ data: metadataSchema }), metadata }),
  ])
  .meta({ id: 'PartV03Http', description: "A part in A2A 0.3's HTTP+JSON." });
export type PartV03Http = Immutable<z.infer<typeof partV03HttpSchema>>;

export const messageV03HttpSchema = z
  .object({
    messageId: z.string(),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
    content: z.array(partV03HttpSchema),
    metadata,
    extensions: strings,
  })
  .meta({ id: 'MessageV03Http', description: "A message in A2A 0.3's HTTP+JSON." });
export type MessageV03Http = Immutable<z.infer<typeof messageV03HttpSchema>>;

const stateV03HttpSchema = z.enum([
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELLED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
]);

const statusSchema = z.object({
  state: stateV03HttpSchema,
  message: messageV03HttpSchema.optional(),
  timestamp: z.string(),
});
export type StatusV03Http = Immutable<z.infer<typeof statusSchema>>;

const artifactSchema = z.object({
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partV03HttpSchema),
  metadata,
  extensions: strings,
});
export type ArtifactV03Http = Immutable<z.infer<typeof artifactSchema>>;

export const taskV03HttpSchema = z
  .object({
    id: z.string(),
    contextId: z.string(),
    status: statusSchema,
    artifacts: z.array(artifactSchema).optional(),
    history: z.array(messageV03HttpSchema).optional(),
    metadata,
  })
  .meta({ id: 'TaskV03Http', description: "A task in A2A 0.3's HTTP+JSON." });
export type TaskV03Http = Immutable<z.infer<typeof taskV03HttpSchema>>;

export const answerV03HttpSchema = z.union([
  z.object({ task: taskV03HttpSchema }),
  z.object({ message: messageV03HttpSchema }),
]);

const eventFields = { taskId: z.string(), contextId: z.string() };

export const eventV03HttpSchema = z.union([
  ...answerV03HttpSchema.options,
  z.object({
    statusUpdate: z.object({
      ...eventFields,
      status: statusSchema,
      final: z.boolean().meta({ description: 'Whether the stream ends with it.' }),
    }),
  }),
  z.object({
    artifactUpdate: z.object({
      ...eventFields,
      artifact: artifactSchema,
      lastChunk: z.literal(true),
    }),
  }),
]);
export type EventV03Http = Immutable<z.infer<typeof eventV03HttpSchema>>;

export const pushConfigV03HttpSchema = z
  .object({
    name: z.string().meta({ description: '`tasks/{id}/pushNotificationConfigs/{id}`.' }),
    pushNotificationConfig: pushConfigV03Schema.shape.pushNotificationConfig,
  })
  .meta({ id: 'TaskPushNotificationConfigV03Http' });
export type PushConfigV03Http = Immutable<z.infer<typeof pushConfigV03HttpSchema>>;

export const pushConfigPageV03HttpSchema = z
  .object({ configs: z.array(pushConfigV03HttpSchema), nextPageToken: z.string() })
  .meta({ id: 'ListTaskPushNotificationConfigResponseV03Http' });
