import { z } from 'zod';
import { isJsonObject } from './json.ts';

/**
 * An object in ProtoJSON (A2A 1.0 §5.5): each field by its JSON name or its proto name, never both;
 * `null` means unset unless the field itself takes null; unknown fields are ignored (§5.7).
 */
export function protoObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([jsonName, schema]) => ({
    jsonName,
    protoName: protoNameOf(jsonName),
    takesNull: z.safeParse(schema, null).success,
  }));
  return z.preprocess((input, context) => {
    if (!isJsonObject(input)) return input;
    const known: Record<string, unknown> = {};
    for (const { jsonName, protoName, takesNull } of fields) {
      const hasJsonName = Object.hasOwn(input, jsonName);
      if (hasJsonName && protoName !== jsonName && Object.hasOwn(input, protoName)) {
        context.addIssue({
          code: 'custom',
          path: [jsonName],
          message: `The field is there twice: as ${jsonName} and as ${protoName}.`,
        });
      }
      const value = input[hasJsonName ? jsonName : protoName];
      if (value !== undefined && (value !== null || takesNull)) known[jsonName] = value;
    }
    return known;
  }, z.object(shape));
}

/**
 * A proto enum: by name or by number (ProtoJSON takes both).
 * @param names in the order of the proto numbers
 */
export function protoEnum<const Name extends string>(names: readonly Name[]) {
  return protoEnumOf(names, names);
}

/** A proto enum of which only some names are taken. */
export function protoEnumOf<const Name extends string>(
  names: readonly string[],
  taken: readonly Name[],
) {
  return z.preprocess(
    (input) => (typeof input === 'number' ? (names[input] ?? input) : input),
    z.enum(taken),
  );
}

/** A proto int32 within bounds: a number or its decimal string. */
export function protoInteger(bounds: { readonly minimum: number; readonly maximum?: number }) {
  const { minimum, maximum } = bounds;
  const integer = z.int32().min(minimum);
  return z.preprocess(
    (input) => (typeof input === 'string' && /^-?\d{1,10}$/.test(input) ? Number(input) : input),
    maximum === undefined ? integer : integer.max(maximum),
  );
}

/** A proto bool; in a query it comes as a word. */
export const protoBoolean = z.preprocess(
  (input) => (input === 'true' ? true : input === 'false' ? false : input),
  z.boolean(),
);

function protoNameOf(jsonName: string): string {
  return jsonName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
