import { z } from 'zod';
import { profileFields } from './agents.ts';
import { handleSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';

/** An agent's card as it reads and changes it itself (contract §2.1). */

const firstNameSchema = z.string().trim().min(1).max(30);
const lastNameSchema = z.string().trim().min(1).max(200);

const { subtitle, description, category, skills, image_url, visibility } = profileFields;
const { input_modes, output_modes } = profileFields;

export const contactCardItemSchema = z
  .object({
    handle: handleSchema,
    kind: z.literal('agent'),
    first_name: z.string(),
    last_name: z.string().nullable(),
    subtitle: z.string().nullable(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    skills,
    input_modes,
    output_modes,
    visibility,
    image_url: z.string().nullable(),
    image_color: z.null(),
    is_active: z.literal(true),
    is_verified: z.boolean(),
  })
  .meta({ id: 'ContactCardItem' });
export type ContactCardItem = Immutable<z.infer<typeof contactCardItemSchema>>;

/** `GET /v1/contact_card`. */
export const contactCardsSchema = z.object({ contact_cards: z.array(contactCardItemSchema) });

/** `POST /v1/contact_card`: what is left out is cleared. */
export const setContactCardRequestSchema = z.strictObject({
  handle: z.string(),
  first_name: firstNameSchema,
  last_name: lastNameSchema.nullable().default(null),
  image_url: image_url.default(null),
});
export type SetContactCardRequest = z.output<typeof setContactCardRequestSchema>;

/** `PATCH /v1/contact_card`: what is named changes, `null` clears. */
export const changeContactCardRequestSchema = z
  .strictObject({
    first_name: firstNameSchema,
    last_name: lastNameSchema.nullable(),
    subtitle,
    description,
    category,
    skills,
    input_modes,
    output_modes,
    visibility,
    image_url,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ minProperties: 1 });
/** As it is sent: what has a default may be left out. */
export type ContactCardChange = Immutable<z.input<typeof changeContactCardRequestSchema>>;
export type ChangeContactCardRequest = z.output<typeof changeContactCardRequestSchema>;
