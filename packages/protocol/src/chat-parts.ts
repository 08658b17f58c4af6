import { z } from 'zod';
import { limits } from './a2a.ts';
import type { Immutable } from './immutable.ts';

/** What a chat message holds (contract §2.2); lengths are UTF-16 units. */

export const a2uiMediaType = 'application/a2ui+json';
/** A member of a chat is one of so many at most. */
export const maximumChatMembers = 7;
/** Media parts of one message. */
const maximumMediaParts = 40;

const textPartSchema = z
  .strictObject({ type: z.literal('text'), value: z.string().min(1).max(limits.textLength) })
  .meta({ id: 'TextPart' });

const linkPartSchema = z
  .strictObject({ type: z.literal('link'), value: z.url().max(limits.urlLength) })
  .meta({ id: 'LinkPart', description: 'It is the only part of its message.' });

const mediaPartSchema = z
  .strictObject({
    type: z.literal('media'),
    url: z.url({ protocol: /^https$/ }).max(limits.urlLength),
  })
  .meta({ id: 'MediaPart', description: 'A file elsewhere. Relay does not fetch it.' });

const dataPartSchema = z
  .strictObject({
    type: z.literal('data'),
    media_type: z.string().max(limits.idLength).default(a2uiMediaType),
    data: z.unknown().meta({ description: 'Any JSON.' }),
  })
  .meta({ id: 'DataPart', description: `A card; the media type is ${a2uiMediaType}.` });

/** The parts of a message as a sender gives them. */
export const chatPartsSchema = z
  .array(
    z.discriminatedUnion('type', [textPartSchema, linkPartSchema, mediaPartSchema, dataPartSchema]),
  )
  .min(1)
  .max(limits.parts)
  .refine(
    (parts) => parts.length === 1 || parts.every(({ type }) => type !== 'link'),
    'A link is the only part of its message.',
  )
  .refine(
    (parts) => parts.filter(({ type }) => type === 'media').length <= maximumMediaParts,
    `A message holds ${maximumMediaParts} media parts at most.`,
  );

/** A part as the record keeps it. A file that came over A2A may say what it is. */
export type ChatPart = Immutable<
  | z.infer<typeof textPartSchema>
  | z.infer<typeof linkPartSchema>
  | (z.infer<typeof mediaPartSchema> & {
      readonly filename?: string | undefined;
      readonly media_type?: string | undefined;
    })
  | { readonly type: 'data'; readonly media_type: string; readonly data: unknown }
>;
