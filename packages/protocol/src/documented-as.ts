import type { z } from 'zod';

const promises = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * For a schema that reads more loosely than what is promised, or turns what it reads into something else:
 * the API references show the promise in its place.
 */
export function documentedAs<Schema extends z.ZodType>(promise: z.ZodType, schema: Schema): Schema {
  promises.set(schema, promise);
  return schema;
}

/** What stands for the schema in the API references, where that is another one. */
export function documentedFormOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return promises.get(schema);
}
