import { clientFrameSchema, eventEnvelopeSchema, serverFrameSchema } from '@relay/protocol';
import type { z } from 'zod';
import { exampleClientFrames, exampleEvents, exampleServerFrames } from './examples.ts';

/** A frame or an event: what the references say of it, from the schema that reads it. */
export interface MessageDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly example: object;
}

export const serverFrames: readonly MessageDescription[] = serverFrameSchema.options.map((schema) =>
  describe(schema.shape.type.value, schema, exampleServerFrames),
);

export const clientFrames: readonly MessageDescription[] = clientFrameSchema.options.map((schema) =>
  describe(schema.shape.type.value, schema, exampleClientFrames),
);

export interface EventDescription extends MessageDescription {
  readonly data: z.ZodObject;
}

/** What is alike in all events. */
export const eventHeader = eventEnvelopeSchema.options[0].omit({ event_type: true, data: true });

export const events: readonly EventDescription[] = eventEnvelopeSchema.options.map((schema) => {
  const { event_type: type, data } = schema.shape;
  const example = exampleEvents[type.value];
  return { name: type.value, description: textOf(schema), schema, data, example };
});

function describe(
  name: string,
  schema: z.ZodObject,
  examples: readonly { readonly type: string }[],
): MessageDescription {
  const example = examples.find(({ type }) => type === name);
  if (!example) throw new Error(`There is no example of ${name}`);
  return { name, description: textOf(schema), schema, example };
}

function textOf({ description }: z.ZodType): string {
  if (description === undefined) throw new Error('A schema has no description');
  return description;
}
