import { documentedFormOf, isJsonObject } from '@relay/protocol';
import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** Whether a schema stands for what Relay takes or for what it gives. */
export type Direction = 'input' | 'output';

const componentsPath = '#/components/schemas/';
const unrepresented = 'x-unrepresented';

/** Turns zod's schemas into those of one document; each that has an id becomes one of its components. */
export class Schemas {
  readonly #target: 'draft-2020-12' | 'draft-07';
  readonly #components = new Map<string, unknown>();

  constructor(target: 'draft-2020-12' | 'draft-07') {
    this.#target = target;
  }

  /** All components that were referred to, by name. */
  get components(): Json {
    return byName(this.#components);
  }

  /**
   * The schema, or a reference where it has an id.
   * @throws Error where JSON Schema cannot say it, or where an id names two different schemas
   */
  refer(schema: z.ZodType, direction: Direction): Json {
    // The id of the outermost schema itself would be dropped.
    const wrapped = z.toJSONSchema(z.object({ schema }), {
      io: direction,
      target: this.#target,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => this.#adapt(zodSchema, jsonSchema, direction),
    });
    if (JSON.stringify(wrapped).includes(unrepresented)) {
      throw new Error('JSON Schema cannot say what the schema takes or gives');
    }
    const { $defs, definitions = $defs, properties } = wrapped;
    for (const [id, component] of Object.entries(definitions ?? {})) this.#keep(id, component);
    const referred = inDocument(properties?.['schema']);
    if (!isJsonObject(referred)) throw new Error('A schema is no object');
    return referred;
  }

  #adapt(
    zodSchema: z.core.$ZodType,
    jsonSchema: z.core.JSONSchema.BaseSchema,
    direction: Direction,
  ): void {
    const form = documentedFormOf(zodSchema);
    if (form) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, this.refer(form, direction));
      return;
    }
    if (zodSchema instanceof z.ZodTransform || zodSchema instanceof z.ZodCustom) {
      jsonSchema[unrepresented] = true;
    }
    if (zodSchema instanceof z.ZodObject) adaptObject(zodSchema, jsonSchema, direction);
    // zod leaves it out where what it stands on is transformed.
    if (zodSchema instanceof z.ZodDefault && direction === 'input') {
      jsonSchema.default = zodSchema.def.defaultValue;
    }
    // The pattern of a format is longer than helpful.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  }

  #keep(id: string, component: unknown): void {
    const json = inDocument(component);
    const known = this.#components.get(id) ?? json;
    if (JSON.stringify(known) !== JSON.stringify(json)) {
      throw new Error(`Two different schemas have the id ${id}`);
    }
    this.#components.set(id, json);
  }
}

function adaptObject(
  { def, shape }: z.ZodObject,
  jsonSchema: z.core.JSONSchema.BaseSchema,
  direction: Direction,
): void {
  // Later versions may answer more, so only what zod calls strict is closed.
  if (!def.catchall) delete jsonSchema.additionalProperties;
  const members = Object.entries<z.core.$ZodType>(shape);
  const required = members.flatMap(([key, member]) => (isRequired(member) ? [key] : []));
  if (direction === 'input' && required.length > 0) jsonSchema.required = required;
}

/** In an order that does not depend on who was referred to first. */
export function byName(components: ReadonlyMap<string, unknown>): Json {
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a member must be there in what Relay takes. zod cannot tell it of one that is transformed. */
export function isRequired(schema: z.core.$ZodType): boolean {
  return !z.safeParse(schema, undefined).success;
}

/** As it stands in the document: references lead to its components. */
function inDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDocument);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace(/^#\/(?:\$defs|definitions)\//, componentsPath)
        : inDocument(member),
    ]),
  );
}
