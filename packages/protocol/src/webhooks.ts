import { z } from 'zod';
import { eventTypes } from './events.ts';
import {
  subscriptionIdSchema,
  taskIdSchema,
  timestampSchema,
  webhookDeliveryIdSchema,
} from './ids.ts';
import type { Immutable } from './immutable.ts';
import { pageSizeSchema } from './operations.ts';
import { webhookHeadersSchema } from './webhook-headers.ts';

/** Webhooks as Relay's REST knows them (contract §5): subscriptions, and what became of each event. */

const eventListSchema = z.array(z.enum(eventTypes)).min(1).max(64);
/** Whether Relay may send there is up to the guard of outbound connections. */
const targetUrlSchema = z.string().min(1).max(2048);
const staticHeadersSchema = webhookHeadersSchema.meta({
  description: 'Sent with every delivery, beside what Relay sends. Never shown again.',
});

/** `POST /v1/webhook-subscriptions`. */
export const createSubscriptionRequestSchema = z.strictObject({
  target_url: targetUrlSchema,
  subscribed_events: eventListSchema,
  headers: staticHeadersSchema.default({}),
});

/** `PUT /v1/webhook-subscriptions/{id}`: what is named changes; headers are replaced as a whole. */
export const changeSubscriptionRequestSchema = z
  .strictObject({
    target_url: targetUrlSchema,
    subscribed_events: eventListSchema,
    is_active: z.boolean(),
    headers: staticHeadersSchema,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ minProperties: 1 });

const subscriptionFields = {
  id: subscriptionIdSchema,
  target_url: z.string(),
  subscribed_events: z.array(z.enum(eventTypes)),
  is_active: z.boolean().meta({
    description: 'Off: events are held, to be redriven. An answer 410 turns it off.',
  }),
  header_names: z.array(z.string()),
  created_at: timestampSchema,
  updated_at: timestampSchema,
};

export const subscriptionSchema = z.object(subscriptionFields).meta({ id: 'WebhookSubscription' });
export type Subscription = Immutable<z.infer<typeof subscriptionSchema>>;

const signingSecretSchema = z.string().meta({ description: 'Standard Webhooks; shown only here.' });

export const newSubscriptionSchema = z
  .object({ ...subscriptionFields, signing_secret: signingSecretSchema })
  .meta({ id: 'NewWebhookSubscription' });
export type NewSubscription = Immutable<z.infer<typeof newSubscriptionSchema>>;

/** `POST /v1/webhook-subscriptions/{id}/rotate-secret`: both secrets sign until then. */
export const rotatedSecretSchema = z
  .object({ signing_secret: signingSecretSchema, previous_expires_at: timestampSchema })
  .meta({ id: 'RotatedSecret' });
export type RotatedSecret = Immutable<z.infer<typeof rotatedSecretSchema>>;

const attemptOutcomes = ['delivered', 'retryable_failure', 'terminal_failure'] as const;

/** One try to deliver. */
export const deliveryAttemptSchema = z
  .object({
    number: z.int().min(1),
    started_at: timestampSchema,
    finished_at: timestampSchema,
    outcome: z.enum(attemptOutcomes),
    http_status: z.int().nullable(),
    error_code: z.string().nullable().meta({ description: 'Such as http_503, dns or refused.' }),
    error_message: z
      .string()
      .nullable()
      // Records of before it was kept have none.
      .default(null)
      .meta({
        description:
          'What went wrong where there is no answer: of a refused target, by which rule and how an operator allows it.',
      }),
    answer: z.string().meta({ description: 'The first bytes of the answer.' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });
export type DeliveryAttempt = Immutable<z.infer<typeof deliveryAttemptSchema>>;

/** Waiting for its next try; held for an endpoint that is off; given up. */
export const deliveryStatuses = ['pending', 'held', 'dead_letter'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** An event that has not reached an endpoint. What was delivered leaves no record. */
export const webhookDeliverySchema = z
  .object({
    object: z.literal('webhook_delivery'),
    id: webhookDeliveryIdSchema,
    subscription_id: subscriptionIdSchema.nullable().meta({
      description: '`null` for a push notification.',
    }),
    push_config: z
      .object({ task_id: taskIdSchema, id: z.string() })
      .nullable()
      .meta({ description: 'The config that a push notification is of.' }),
    event_id: z.uuid(),
    event_type: z.enum(eventTypes),
    status: z.enum(deliveryStatuses),
    attempt_count: z.int(),
    attempts: z.array(deliveryAttemptSchema).meta({ description: 'The last ones, oldest first.' }),
    next_attempt_at: timestampSchema.nullable(),
    first_attempt_at: timestampSchema.nullable(),
    last_attempt_at: timestampSchema.nullable(),
    dead_lettered_at: timestampSchema.nullable(),
    created_at: timestampSchema,
    expires_at: timestampSchema.meta({ description: '30 days after its last change.' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = Immutable<z.infer<typeof webhookDeliverySchema>>;

const deliveryFilter = {
  status: z.enum(deliveryStatuses).optional(),
  subscription_id: subscriptionIdSchema.optional(),
  event_type: z.enum(eventTypes).optional(),
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
};

/** `GET /v1/webhook-deliveries`: newest first. */
export const listDeliveriesQuerySchema = z.strictObject({
  ...deliveryFilter,
  page_size: pageSizeSchema,
  page_token: z.string().max(2048).optional(),
});

export const deliveriesPageSchema = z.object({
  deliveries: z.array(webhookDeliverySchema),
  next_page_token: z.string().meta({ description: 'Empty at the end.' }),
});
export type DeliveriesPage = Immutable<z.infer<typeof deliveriesPageSchema>>;

/** `POST /v1/webhook-deliveries/redrive`: what is held or dead and fits the filter is sent again. */
export const redriveRequestSchema = z.strictObject({
  ...deliveryFilter,
  dry_run: z.boolean().default(false),
  per_second: z
    .int()
    .min(1)
    .max(1_000)
    .default(50)
    .meta({ description: 'How many become due each second.' }),
});

export const redriveAnswerSchema = z
  .object({ matched: z.int(), redriven: z.int().meta({ description: '0 for a dry run.' }) })
  .meta({ id: 'RedriveAnswer' });
export type RedriveAnswer = Immutable<z.infer<typeof redriveAnswerSchema>>;
