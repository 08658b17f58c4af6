import type { ErrorKey } from '@relay/protocol';
import type { CallerForm } from '../http/caller-form.ts';
import type { Answer, Operation } from './operation.ts';
import { describeRefusal, exampleOf, refusalSchemas, refusalTypes } from './refusals.ts';
import type { Json, Schemas } from './schemas.ts';

/** What the operations of one document share. */
export interface DocumentParts {
  readonly schemas: Schemas;
  /** By name, as `responses`. */
  readonly examples: Map<string, Json>;
  /** Those that are one refusal alone. */
  readonly responses: Map<string, Json>;
}

/** One thing that an operation may answer. Several may have the same status. */
interface Piece extends Answer {
  readonly headers: readonly string[];
  readonly exampleName?: string;
}

const headerDescriptions: Readonly<Record<string, string>> = {
  'www-authenticate': '`Bearer`.',
  'retry-after': 'Seconds to wait before the next try.',
};

/** The responses of an operation by status: what it answers, and what it refuses. */
export function toResponses(operation: Operation, parts: DocumentParts): Json {
  const { answers, errors, errorForm } = operation;
  const pieces: Piece[] = [
    ...answers.map((answer) => ({ ...answer, headers: [] })),
    ...[...new Set(errors)].map((error) => toPiece(error, errorForm, parts)),
  ];
  const statuses = new Set(pieces.map(({ status }) => status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      String(status),
      toResponse(
        pieces.filter((piece) => piece.status === status),
        parts,
      ),
    ]),
  );
}

function toPiece(error: ErrorKey, form: CallerForm, { examples }: DocumentParts): Piece {
  const refusal = describeRefusal(error, form);
  examples.set(refusal.exampleName, { value: exampleOf(error, form) });
  const schema = refusalSchemas[form];
  const content = Object.fromEntries(refusalTypes[form].map((type) => [type, schema]));
  return { ...refusal, content };
}

function toResponse(pieces: readonly Piece[], parts: DocumentParts): Json {
  const [first] = pieces;
  if (pieces.length > 1 || first?.exampleName === undefined) return render(pieces, parts);
  parts.responses.set(first.exampleName, render(pieces, parts));
  return { $ref: `#/components/responses/${first.exampleName}` };
}

function render(pieces: readonly Piece[], parts: DocumentParts): Json {
  const headers = new Set(pieces.flatMap((piece) => piece.headers));
  const mediaTypes = new Set(pieces.flatMap(({ content = {} }) => Object.keys(content)));
  return {
    description: pieces.map(({ description }) => description).join('\n\n'),
    ...(headers.size > 0
      ? { headers: Object.fromEntries([...headers].map((name) => [name, toHeader(name)])) }
      : {}),
    ...(mediaTypes.size > 0
      ? {
          content: Object.fromEntries(
            [...mediaTypes].map((type) => [type, toMediaType(type, pieces, parts)]),
          ),
        }
      : {}),
  };
}

function toHeader(name: string): Json {
  return { description: headerDescriptions[name], schema: { type: 'string' } };
}

function toMediaType(type: string, pieces: readonly Piece[], { schemas }: DocumentParts): Json {
  const ofType = pieces.filter(({ content = {} }) => type in content);
  const distinct = new Set(ofType.flatMap(({ content = {} }) => content[type] ?? []));
  const forms = [...distinct].map((schema) => schemas.refer(schema, 'output'));
  const exampleNames = ofType.flatMap(({ exampleName }) => exampleName ?? []);
  return {
    schema: forms.length === 1 ? forms[0] : { anyOf: forms },
    ...(exampleNames.length > 0
      ? {
          examples: Object.fromEntries(
            exampleNames.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
          ),
        }
      : {}),
  };
}
