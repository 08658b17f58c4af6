import canonicalize from 'canonicalize';

/** Fields that the proto requires: they are signed also where they are empty. */
const requiredFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'supportedInterfaces',
  'version',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
  'id',
  'tags',
]);

/**
 * The texts of a card that are signed, each in the canonical form of RFC 8785. Verifiers take different ones,
 * and one that holds is enough for them:
 * - the card as it is served, which A2A's test kit reads;
 * - the fields of 1.0 without those that have their default (A2A 1.0 §8.4.1);
 * - the fields of 1.0 without anything empty, as the SDKs read it.
 * @param card as 1.0 has it, without signatures
 * @param written the same as it is served
 */
export function signedTexts(card: object, written: object): readonly string[] {
  const forms = [written, withoutDefaults(card), withoutEmpty(card) ?? {}];
  return [...new Set(forms.map((form) => canonicalize(form) ?? ''))];
}

function withoutDefaults(value: unknown): unknown {
  return mapFields(
    value,
    withoutDefaults,
    (field, name) => requiredFields.has(name) || !isEmpty(field),
  );
}

/** Undefined where nothing is left. */
function withoutEmpty(value: unknown): unknown {
  const left = mapFields(value, withoutEmpty, (field) => field !== undefined);
  return isEmpty(left) || (isObject(left) && Object.keys(left).length === 0) ? undefined : left;
}

/** The value with the fields that are kept of every object in it. */
function mapFields(
  value: unknown,
  map: (field: unknown) => unknown,
  keeps: (field: unknown, name: string) => boolean,
): unknown {
  if (Array.isArray(value)) return value.map(map).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]): [string, unknown] => [name, map(field)])
      .filter(([name, field]) => keeps(field, name)),
  );
}

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
