import specifications from '@asyncapi/specs';
import { isJsonObject } from '@relay/protocol';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { asyncApiDocument } from './asyncapi.ts';

const document = asyncApiDocument();

it('docs/asyncapi.json is what the schemas say (npm run docs writes it anew)', async () => {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../docs/asyncapi.json');
});

it('docs/asyncapi.json is valid AsyncAPI 3.0', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(specifications.schemasWithoutId['3.0.0']);
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
});

it('docs/asyncapi.json refers only to what it holds', () => {
  for (const target of referencesIn(document))
    expect([target, find(target)]).not.toContain(undefined);
});

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const { $ref } = value;
  return typeof $ref === 'string' ? [$ref] : Object.values(value).flatMap(referencesIn);
}

function find(pointer: string): unknown {
  const path = pointer.replace('#/', '').split('/');
  return path.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    document,
  );
}
