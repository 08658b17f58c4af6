import { z } from 'zod';
import { limits, optionalIdSchema, taskStates } from './a2a.ts';
import { documentedAs } from './documented-as.ts';
import type { Immutable } from './immutable.ts';
import { isJsonObject } from './json.ts';
import { protoInteger, protoObject } from './proto-json.ts';

/** Push notification configs of A2A: where each later update of a task is POSTed. */

/** What goes into a header: undici refuses anything else, but only when it is sent. */
const headerText = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .regex(/^[\x20-\x7e]*$/, 'It goes into a header, so it holds printable ASCII only.')
    .transform((text) => text || undefined)
    .optional();

const schemeSchema = z
  .string()
  .max(64)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'It is no authentication scheme.');

/** Fields that are alike in every version. */
export const pushConfigFields = {
  url: z.string().min(1).max(limits.urlLength),
  token: headerText(2_048),
};

const credentialsSchema = headerText(4_096);

const authenticationSchema = protoObject({ scheme: schemeSchema, credentials: credentialsSchema });

/** Of the schemes that 0.3 and before name, Bearer if it is there. Nothing at all is none. */
export const olderAuthenticationSchema = protoObject({
  schemes: z.array(schemeSchema).max(16).default([]),
  credentials: credentialsSchema,
})
  .refine(({ schemes, credentials }) => schemes.length > 0 || !credentials, {
    path: ['schemes'],
    error: 'Name the scheme of the credentials.',
  })
  .transform(({ schemes, credentials }) => {
    const scheme = schemes.find((each) => each.toLowerCase() === 'bearer') ?? schemes[0];
    return scheme === undefined ? undefined : { scheme, credentials };
  });

/** A status that sets one of these states, or an artifact. */
export const pushEventSchema = z.enum([...taskStates, 'artifact']);
export type PushEvent = z.infer<typeof pushEventSchema>;

/** How the notifications of a config are written: as the version in which it was registered has them. */
export const pushFormSchema = z.union([
  z.object({ version: z.enum(['1.0', '0.3']) }),
  z.object({ version: z.literal('0.1'), taskName: z.string() }),
]);
export type PushForm = Immutable<z.infer<typeof pushFormSchema>>;

/** A config as a caller asks for it. */
export interface PushConfigInput {
  /** Unset: the relay gives it one. */
  readonly id?: string | undefined;
  readonly url: string;
  /** Sent as `X-A2A-Notification-Token`. */
  readonly token?: string | undefined;
  readonly authentication?:
    | { readonly scheme: string; readonly credentials?: string | undefined }
    | undefined;
  /** What is told; unset or empty: everything. */
  readonly events?: readonly PushEvent[] | undefined;
}

/** A config as it is shown: what opens the receiver's door is never shown again. */
export interface PushConfig {
  readonly taskId: string;
  readonly id: string;
  readonly url: string;
  readonly authentication?: { readonly scheme: string } | undefined;
  readonly events?: readonly PushEvent[] | undefined;
}

export interface PushConfigPage {
  readonly configs: readonly PushConfig[];
  /** Empty at the end. */
  readonly nextPageToken: string;
}

const shape = {
  id: optionalIdSchema,
  ...pushConfigFields,
  authentication: authenticationSchema.optional(),
};

/** A config inside of a send, whose task need not be there yet. */
export const inlinePushConfigSchema = protoObject(shape);

const taskIdField = z.string().min(1).max(limits.idLength);
const configIdField = z.string().min(1).max(limits.idLength);

const createSchema = protoObject({ taskId: taskIdField, ...shape });

/** Flat, as 1.0 has it; inside of `pushNotificationConfig`, as some clients of 1.0 still send it. */
export const createPushConfigRequestSchema = documentedAs(
  createSchema,
  z.preprocess(
    (body) => unwrapped(body, ['pushNotificationConfig', 'push_notification_config']),
    createSchema,
  ),
);

/** Also what is taken to delete one. */
export const getPushConfigRequestSchema = protoObject({ taskId: taskIdField, id: configIdField });
export const listPushConfigsRequestSchema = protoObject({
  taskId: taskIdField,
  pageSize: protoInteger({ minimum: 0, maximum: 100 }).optional(),
  pageToken: z.string().max(2_048).optional(),
});

export interface GetPushConfigRequest {
  readonly taskId: string;
  /** Unset, as before 1.0: the one without an id of its own, else the latest. */
  readonly id?: string | undefined;
}
export type ListPushConfigsRequest = z.infer<typeof listPushConfigsRequestSchema>;
export type DeletePushConfigRequest = z.infer<typeof getPushConfigRequestSchema>;

/** As 1.0 answers it. */
export const pushConfigSchema = z
  .object({
    taskId: z.string(),
    id: z.string(),
    url: z.string(),
    authentication: z.object({ scheme: z.string() }).optional().meta({
      description: 'Without its credentials, which are never shown again; nor is the token.',
    }),
  })
  .meta({ id: 'TaskPushNotificationConfig' });
export type PushConfigAnswer = Immutable<z.infer<typeof pushConfigSchema>>;

export const pushConfigPageSchema = z
  .object({
    configs: z.array(pushConfigSchema),
    nextPageToken: z.string().meta({ description: 'Empty at the end.' }),
  })
  .meta({ id: 'ListTaskPushNotificationConfigsResponse' });

/** The object with the members of the first of these that is one, in its place. */
export function unwrapped(body: unknown, names: readonly string[]): unknown {
  if (!isJsonObject(body)) return body;
  const name = names.find((each) => isJsonObject(body[each]));
  if (name === undefined) return body;
  const { [name]: inner, ...rest } = body;
  return isJsonObject(inner) ? { ...inner, ...rest } : body;
}
