import { z } from 'zod';
import {
  fileContentSchemas,
  limits,
  type MessageInput,
  metadataSchema,
  optionalIdSchema,
  type Part,
  stringListSchema,
} from '../../a2a.ts';
import { documentedAs } from '../../documented-as.ts';
import { historyLengthSchema, type SendMessageRequest } from '../../operations.ts';
import { protoBoolean, protoObject } from '../../proto-json.ts';
import { olderAuthenticationSchema, pushConfigFields } from '../../push-configs.ts';
import { messageV03Schema, partV03Schema } from './shapes.ts';
import { notAnObject } from './wrapped-data.ts';

/**
 * Requests of A2A 0.3 as Relay reads them: `null` and empty ids mean absent, unknown members are ignored,
 * and a member may be named in snake case, as in 1.0.
 */

const mediaTypeSchema = z.string().max(limits.idLength).optional();

/** The content of a part before 1.0, whatever member says its kind. */
export const taggedContent = {
  text: z.string().max(limits.textLength).optional(),
  file: protoObject({
    bytes: fileContentSchemas.raw.optional(),
    uri: fileContentSchemas.url.optional(),
    name: mediaTypeSchema,
    mimeType: mediaTypeSchema,
  }).optional(),
  data: metadataSchema.optional(),
  metadata: metadataSchema.optional(),
};

type TaggedContent = z.infer<z.ZodObject<typeof taggedContent>>;

/** The part of that kind; undefined where it does not hold what its kind says. */
export function toPart(
  kind: 'text' | 'file' | 'data',
  { text, file, data, metadata }: TaggedContent,
): Part | undefined {
  const common = metadata ? { metadata } : {};
  switch (kind) {
    case 'text':
      return text === undefined ? undefined : { text, ...common };
    case 'data':
      return data && notAnObject.unwrap({ data, metadata });
    case 'file': {
      const part = file && toFilePart(file);
      return part && { ...part, ...common };
    }
  }
}

function toFilePart({
  bytes,
  uri,
  name,
  mimeType,
}: NonNullable<TaggedContent['file']>): Part | undefined {
  const named = {
    ...(name ? { filename: name } : {}),
    ...(mimeType ? { mediaType: mimeType } : {}),
  };
  if (bytes !== undefined) return uri === undefined ? { raw: bytes, ...named } : undefined;
  return uri === undefined ? undefined : { url: uri, ...named };
}

export const wrongContent = 'A part holds what its kind says; a file has either bytes or a uri.';

const partSchema = documentedAs(
  partV03Schema,
  protoObject({ kind: z.enum(['text', 'file', 'data']), ...taggedContent }).transform(
    ({ kind, ...content }, context): Part => {
      const part = toPart(kind, content);
      if (part) return part;
      context.addIssue({ code: 'custom', message: wrongContent });
      return z.NEVER;
    },
  ),
);

const requesterMessageSchema = documentedAs(
  messageV03Schema.partial({ messageId: true, kind: true }).extend({ role: z.literal('user') }),
  protoObject({
    messageId: optionalIdSchema,
    contextId: optionalIdSchema,
    taskId: optionalIdSchema,
    role: z.literal('user'),
    parts: z.array(partSchema).min(1).max(limits.parts),
    metadata: metadataSchema.optional(),
    extensions: stringListSchema,
    referenceTaskIds: stringListSchema,
  }).transform(
    (message): MessageInput => ({
      ...message,
      role: 'ROLE_USER',
      extensions: message.extensions?.length ? message.extensions : undefined,
      referenceTaskIds: message.referenceTaskIds?.length ? message.referenceTaskIds : undefined,
    }),
  ),
);

const pushConfigInputV03Schema = protoObject({
  id: optionalIdSchema,
  ...pushConfigFields,
  authentication: olderAuthenticationSchema.optional(),
});

const taskIdSchema = z.string().min(1).max(limits.idLength);

/** `tasks/pushNotificationConfig/set`. */
export const setPushConfigParamsV03Schema = protoObject({
  taskId: taskIdSchema,
  pushNotificationConfig: pushConfigInputV03Schema,
});

/** `tasks/pushNotificationConfig/get`, `list` and `delete`. */
export const pushConfigParamsV03Schema = {
  get: protoObject({ id: taskIdSchema, pushNotificationConfigId: optionalIdSchema }),
  list: protoObject({ id: taskIdSchema }),
  delete: protoObject({ id: taskIdSchema, pushNotificationConfigId: taskIdSchema }),
};

/** `message/send` and `message/stream`. A call blocks unless `blocking` is false, as the SDKs have it. */
export const sendParamsV03Schema = protoObject({
  message: requesterMessageSchema,
  configuration: protoObject({
    acceptedOutputModes: z.array(z.string()).max(limits.parts).optional(),
    blocking: protoBoolean.optional(),
    historyLength: historyLengthSchema,
    pushNotificationConfig: pushConfigInputV03Schema.optional(),
  }).optional(),
  metadata: metadataSchema.optional(),
});

export function toSendMessageRequest({
  message,
  configuration,
  metadata,
}: z.infer<typeof sendParamsV03Schema>): SendMessageRequest {
  const { blocking, pushNotificationConfig, ...rest } = configuration ?? {};
  return {
    message,
    metadata,
    configuration: {
      ...rest,
      returnImmediately: blocking === false,
      taskPushNotificationConfig: pushNotificationConfig,
    },
  };
}
