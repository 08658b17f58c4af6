import { z } from 'zod';
import {
  limits,
  type MessageInput,
  metadataSchema,
  optionalIdSchema,
  type Part,
} from '../../a2a.ts';
import { documentedAs } from '../../documented-as.ts';
import { historyLengthSchema, type SendMessageRequest, taskIdField } from '../../operations.ts';
import { protoObject } from '../../proto-json.ts';
import { olderAuthenticationSchema, pushConfigFields } from '../../push-configs.ts';
import { taggedContent, toPart, wrongContent } from '../v03/decode.ts';
import { pushEventsV01, toPushEvents } from './push-events.ts';
import { messageV01Schema } from './shapes.ts';

const partSchema = protoObject({
  type: z.enum(['text', 'file', 'data']),
  ...taggedContent,
}).transform(({ type, ...content }, context): Part => {
  const part = toPart(type, content);
  if (part) return part;
  context.addIssue({ code: 'custom', message: wrongContent });
  return z.NEVER;
});

const requesterMessageV01Schema = documentedAs(
  messageV01Schema.extend({ role: z.literal('user') }),
  protoObject({
    role: z.literal('user'),
    parts: z.array(partSchema).min(1).max(limits.parts),
    metadata: metadataSchema.optional(),
  }).transform((message): MessageInput => ({ ...message, role: 'ROLE_USER' })),
);

/** With a filter: what is not named in `events` is not told; none or an empty one means everything. */
const pushConfigInputV01Schema = protoObject({
  ...pushConfigFields,
  authentication: olderAuthenticationSchema.optional(),
  events: z
    .array(z.enum(pushEventsV01))
    .max(limits.parts)
    .transform((events) => events.flatMap(toPushEvents))
    .optional(),
});

/** `tasks/pushNotification/set`. */
export const setPushConfigParamsV01Schema = protoObject({
  id: taskIdField,
  pushNotificationConfig: pushConfigInputV01Schema,
});

/** `tasks/send` and `tasks/sendSubscribe`. The client names the task. */
export const sendParamsV01Schema = protoObject({
  id: taskIdField,
  sessionId: optionalIdSchema,
  message: requesterMessageV01Schema,
  pushNotification: pushConfigInputV01Schema.optional(),
  acceptedOutputModes: z.array(z.string()).max(limits.parts).optional(),
  historyLength: historyLengthSchema,
  metadata: metadataSchema.optional(),
});

export function toSendMessageRequest(
  params: z.infer<typeof sendParamsV01Schema>,
  messageId: string,
): SendMessageRequest {
  const { sessionId, message, pushNotification, acceptedOutputModes, historyLength, metadata } =
    params;
  return {
    message: { ...message, messageId, contextId: sessionId },
    metadata,
    configuration: {
      acceptedOutputModes,
      // History was shown only to those who asked for it.
      historyLength: historyLength ?? 0,
      taskPushNotificationConfig: pushNotification,
    },
  };
}

/** `tasks/get`, `tasks/cancel` and `tasks/resubscribe`. */
export const namedTaskParamsSchema = protoObject({
  id: taskIdField,
  historyLength: historyLengthSchema,
  metadata: metadataSchema.optional(),
});
