import { z } from 'zod';
import { metadataSchema } from '../../a2a.ts';
import type { Immutable } from '../../immutable.ts';
import { pushConfigV03Schema } from '../v03/shapes.ts';

/** What A2A 0.1 has on its JSON-RPC wire, as far as Relay writes it. */

const metadata = metadataSchema.optional();

const partV01Schema = z
  .object({
    type: z.enum(['text', 'file', 'data']),
    text: z.string().optional(),
    file: z
      .object({
        name: z.string().optional(),
        mimeType: z.string().optional(),
        bytes: z.string().optional(),
        uri: z.string().optional(),
      })
      .optional(),
    data: metadata,
    metadata,
  })
  .meta({ id: 'PartV01', description: 'A part in A2A 0.1: what its `type` says.' });
export type PartV01 = Immutable<z.infer<typeof partV01Schema>>;

export const messageV01Schema = z
  .object({ role: z.enum(['user', 'agent']), parts: z.array(partV01Schema), metadata })
  .meta({ id: 'MessageV01', description: 'A message in A2A 0.1.' });
export type MessageV01 = Immutable<z.infer<typeof messageV01Schema>>;

const stateV01Schema = z.enum([
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
]);
export type StateV01 = z.infer<typeof stateV01Schema>;

const statusV01Schema = z.object({
  state: stateV01Schema,
  message: messageV01Schema.optional(),
  timestamp: z.string().optional(),
});
export type StatusV01 = Immutable<z.infer<typeof statusV01Schema>>;

const artifactV01Schema = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partV01Schema),
  index: z.int().meta({ description: "Its place among the task's artifacts, from 0." }),
  append: z.literal(false),
  lastChunk: z.literal(true),
  metadata,
});
export type ArtifactV01 = Immutable<z.infer<typeof artifactV01Schema>>;

export const taskV01Schema = z
  .object({
    id: z.string().meta({ description: 'As the client named it.' }),
    sessionId: z.string().optional(),
    status: statusV01Schema,
    artifacts: z.array(artifactV01Schema).optional(),
    history: z.array(messageV01Schema).optional(),
    metadata,
  })
  .meta({ id: 'TaskV01', description: 'A task in A2A 0.1.' });
export type TaskV01 = Immutable<z.infer<typeof taskV01Schema>>;

/** One event of a stream. */
export const eventV01Schema = z.union([
  z.object({ id: z.string(), status: statusV01Schema, final: z.boolean() }),
  z.object({ id: z.string(), artifact: artifactV01Schema }),
]);
export type EventV01 = Immutable<z.infer<typeof eventV01Schema>>;

export const pushConfigV01Schema = z
  .object({
    id: z.string().meta({ description: 'The task, as the client named it.' }),
    pushNotificationConfig: pushConfigV03Schema.shape.pushNotificationConfig
      .omit({ id: true })
      .extend({ events: z.array(z.string()).optional() }),
  })
  .meta({ id: 'TaskPushNotificationConfigV01' });
export type PushConfigV01 = Immutable<z.infer<typeof pushConfigV01Schema>>;
