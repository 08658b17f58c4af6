import { z } from 'zod';
import {
  fileContentSchemas,
  limits,
  type MessageInput,
  metadataSchema,
  optionalIdSchema,
  type Part,
  roleNames,
  stringListSchema,
} from '../../a2a.ts';
import { documentedAs } from '../../documented-as.ts';
import { isJsonObject } from '../../json.ts';
import { historyLengthSchema, type SendMessageRequest } from '../../operations.ts';
import { protoBoolean, protoEnumOf, protoObject } from '../../proto-json.ts';
import { olderAuthenticationSchema, pushConfigFields, unwrapped } from '../../push-configs.ts';
import { toPart, wrongContent } from '../v03/decode.ts';
import { messageV03HttpSchema, partV03HttpSchema, pushConfigV03HttpSchema } from './shapes.ts';

const shortText = z.string().max(limits.idLength).optional();

const partSchema = documentedAs(
  partV03HttpSchema,
  protoObject({
    text: z.string().max(limits.textLength).optional(),
    file: protoObject({
      fileWithBytes: fileContentSchemas.raw.optional(),
      fileWithUri: fileContentSchemas.url.optional(),
      name: shortText,
      mimeType: shortText,
    }).optional(),
    data: protoObject({ data: metadataSchema }).optional(),
    metadata: metadataSchema.optional(),
  }).transform(({ text, file, data, metadata }, context): Part => {
    const { fileWithBytes: bytes, fileWithUri: uri, ...named } = file ?? {};
    const content = {
      text,
      file: file && { bytes, uri, ...named },
      data: data?.data,
      metadata,
    };
    const kinds = (['text', 'file', 'data'] as const).filter((kind) => content[kind] !== undefined);
    const [kind] = kinds;
    const part = kind && kinds.length === 1 ? toPart(kind, content) : undefined;
    if (part) return part;
    context.addIssue({ code: 'custom', message: wrongContent });
    return z.NEVER;
  }),
);

const requesterMessageSchema = documentedAs(
  messageV03HttpSchema.partial({ messageId: true }).extend({ role: z.literal('ROLE_USER') }),
  protoObject({
    messageId: optionalIdSchema,
    contextId: optionalIdSchema,
    taskId: optionalIdSchema,
    role: protoEnumOf(roleNames, ['ROLE_USER']),
    content: z.array(partSchema).min(1).max(limits.parts),
    metadata: metadataSchema.optional(),
    extensions: stringListSchema,
  }).transform(
    ({ content, ...message }): MessageInput => ({
      ...message,
      parts: content,
      extensions: message.extensions?.length ? message.extensions : undefined,
    }),
  ),
);

const pushConfigShape = {
  id: optionalIdSchema,
  ...pushConfigFields,
  authentication: olderAuthenticationSchema.optional(),
};

const createPushConfigSchema = protoObject({
  taskId: z.string().min(1).max(limits.idLength),
  ...pushConfigShape,
});

/** The proto's resource, or the request that holds it: clients have sent either. */
export const createPushConfigBodyV03HttpSchema = documentedAs(
  pushConfigV03HttpSchema.partial({ name: true }),
  z.preprocess(
    (body) =>
      unwrapped(unwrapped(body, ['config']), [
        'pushNotificationConfig',
        'push_notification_config',
      ]),
    createPushConfigSchema,
  ),
);

const configurationSchema = protoObject({
  acceptedOutputModes: z.array(z.string()).max(limits.parts).optional(),
  blocking: protoBoolean.optional(),
  historyLength: historyLengthSchema,
  pushNotification: protoObject(pushConfigShape).optional(),
});

const fields = {
  configuration: configurationSchema.optional(),
  metadata: metadataSchema.optional(),
};

/** The proto calls the message `request`; its JSON, `message`. Clients have sent either. */
export const sendBodyV03HttpSchema = documentedAs(
  z.object({ message: requesterMessageSchema, ...fields }),
  z.preprocess(
    (body) => renamed(body, 'request', 'message'),
    protoObject({ message: requesterMessageSchema, ...fields }),
  ),
);

/** A configuration without `blocking` means false, as proto has it; none at all, as the SDKs have it, true. */
export function toSendMessageRequest({
  message,
  configuration,
  metadata,
}: z.infer<typeof sendBodyV03HttpSchema>): SendMessageRequest {
  const { blocking = false, historyLength, pushNotification, ...rest } = configuration ?? {};
  return {
    message,
    metadata,
    configuration: {
      ...rest,
      // proto3 cannot tell 0 from none here.
      historyLength: historyLength || undefined,
      returnImmediately: configuration !== undefined && !blocking,
      taskPushNotificationConfig: pushNotification,
    },
  };
}

function renamed(body: unknown, from: string, to: string): unknown {
  if (!isJsonObject(body) || Object.hasOwn(body, to)) return body;
  return Object.hasOwn(body, from) ? { ...body, [to]: body[from] } : body;
}
