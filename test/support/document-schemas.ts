import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '@relay/protocol';
import { Ajv } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajvOptions = { strict: false, allErrors: true };

/** The schemas that stand in an API reference, to check real values by. */
export class DocumentSchemas {
  readonly document: unknown;
  readonly #ajv: Ajv;
  readonly #validators = new Map<string, ValidateFunction>();

  /** A file in `docs`. Its schemas are taken as if they named every member. */
  constructor(fileName: string, draft: '07' | '2020-12') {
    const text = readFileSync(join(import.meta.dirname, '../../docs', fileName), 'utf8');
    this.document = closed(JSON.parse(text));
    this.#ajv = draft === '07' ? new Ajv(ajvOptions) : new Ajv2020(ajvOptions);
    addFormats.default(this.#ajv);
    for (const format of ['base64', 'base64url']) this.#ajv.addFormat(format, true);
    this.#ajv.addSchema({ ...asObject(this.document), $id: 'document' });
  }

  /** What is wrong with the value by the schema at that place in the document. */
  problemWith(value: unknown, ...place: readonly string[]): string | undefined {
    const pointer = place.map(escapePointer).join('/');
    let validate = this.#validators.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `document#/${pointer}` });
      this.#validators.set(pointer, validate);
    }
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors, { dataVar: '' });
  }
}

/** The member of nested objects, where there is one. */
export function memberAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
}

/** The members of an object; none of anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(isJsonObject(value) ? value : {});
}

function asObject(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw new Error('The document is no object');
  return value;
}

const escapePointer = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Later versions may add members, but each that is there now is to be documented. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isJsonObject(value)) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closed(inner)]),
  );
  const isOpen = isJsonObject(value['properties']) && value['additionalProperties'] === undefined;
  return isOpen ? { ...members, additionalProperties: false } : members;
}
