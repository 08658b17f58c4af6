import { DocumentSchemas, entriesOf, memberAt } from './document-schemas.ts';

/** An answer of a relay, as far as docs/openapi.json says anything of it. */
interface SeenAnswer {
  readonly method: string;
  /** With or without its query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  /** JSON that was parsed, or text. */
  readonly body: unknown;
}

let loaded: DocumentSchemas | undefined;

/** The reference is read when the first answer is checked, as it may be written by the same run. */
function reference(): DocumentSchemas {
  loaded ??= new DocumentSchemas('openapi.json', '2020-12');
  return loaded;
}

/** The operation of the reference that answers a request, as a place in it. */
function findOperation(method: string, path: string): readonly string[] | undefined {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const [plain = ''] = path.replace(/\/$/, '').split('?', 1);
  const templates = entriesOf(memberAt(reference().document, 'paths')).flatMap(
    ([template, item]) =>
      memberAt(item, verb) !== undefined && matches(template, plain) ? [template] : [],
  );
  // As in the router, what is written out goes before a parameter.
  const [template] = templates.toSorted((a, b) => literalLength(b) - literalLength(a));
  return template === undefined ? undefined : ['paths', template, verb];
}

const parameterPattern = /\{\w+\}/g;

function matches(template: string, path: string): boolean {
  const segments = path.split('/');
  const parts = template.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, at) => {
      const [before = '', after] = part.split(parameterPattern);
      const segment = segments[at] ?? '';
      return after === undefined
        ? segment === before
        : segment.startsWith(before) && segment.endsWith(after);
    })
  );
}

function literalLength(template: string): number {
  return template.replace(parameterPattern, '').length;
}

export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** In order, so that the first is that of an operation that is done. */
  readonly statuses: readonly number[];
}

export function documentedOperations(): DocumentedOperation[] {
  return entriesOf(memberAt(reference().document, 'paths')).flatMap(([path, item]) =>
    entriesOf(item).map(([method, operation]) => ({
      id: String(memberAt(operation, 'operationId')),
      method: method.toUpperCase(),
      path,
      statuses: entriesOf(memberAt(operation, 'responses')).map(([status]) => Number(status)),
    })),
  );
}

/** What is wrong with the JSON body of a request that is taken. */
export function problemWithRequest(method: string, path: string, body: unknown) {
  const operation = findOperation(method, path) ?? [];
  const place = [...operation, 'requestBody', 'content', 'application/json', 'schema'];
  return reference().problemWith(body, ...place);
}

type AnswerHead = Pick<Response, 'status' | 'headers' | 'url'>;

/** @throws Error where an answer is not as documented */
export function requireDocumented(
  method: string,
  path: string,
  { status, headers }: AnswerHead,
  text: string,
): void {
  const contentType = headers.get('content-type');
  if (contentType === 'text/event-stream') {
    for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) {
      refuse(problemWithAnswer({ method, path, status, contentType, body: JSON.parse(data) }));
    }
    return;
  }
  const isJson = /^application\/(?:a2a\+)?json/.test(contentType ?? '') && text !== '';
  const body: unknown = isJson ? JSON.parse(text) : text;
  refuse(problemWithAnswer({ method, path, status, contentType, body }));
}

/** @throws Error where the data of an event is not as documented */
export function requireDocumentedEvent(
  method: string,
  { status, headers, url }: AnswerHead,
  data: unknown,
): void {
  const contentType = headers.get('content-type');
  const { pathname: path } = new URL(url);
  refuse(problemWithAnswer({ method, path, status, contentType, body: data }));
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem);
}

/**
 * What is wrong with an answer: a status, a media type or a member that the reference does not name, or a
 * value that it does not allow. Of paths that it does not have it says nothing.
 */
function problemWithAnswer(answer: SeenAnswer): string | undefined {
  const { method, path, status, contentType, body } = answer;
  const operation = findOperation(method, path);
  if (!operation) return undefined;
  const response = resolve([...operation, 'responses', String(status)]);
  const name = `${method} ${path} ${status}`;
  if (!response) return `${name} is not documented`;
  const hasContent = memberAt(reference().document, ...response, 'content') !== undefined;
  if (method === 'HEAD' || (body === '' && !hasContent)) return undefined;
  const mediaType = contentType?.split(';', 1)[0] ?? '';
  const place = [...response, 'content', mediaType, 'schema'];
  if (memberAt(reference().document, ...place) === undefined) {
    return `${name} is not documented as ${mediaType}`;
  }
  const problem = reference().problemWith(body, ...place);
  return problem === undefined ? undefined : `${name}: ${problem}`;
}

/** Follows a reference to a component. */
function resolve(place: readonly string[]): readonly string[] | undefined {
  const found = memberAt(reference().document, ...place);
  const target = memberAt(found, '$ref');
  if (typeof target === 'string') return target.replace('#/', '').split('/');
  return found === undefined ? undefined : place;
}
