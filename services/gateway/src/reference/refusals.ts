import {
  type ErrorKey,
  errorCatalogue,
  httpJsonErrorSchema,
  jsonRpcErrorSchema,
  jsonRpcIdSchema,
  restErrorSchema,
  traceIdSchema,
} from '@relay/protocol';
import { z } from 'zod';
import type { CallerForm } from '../http/caller-form.ts';
import { toErrorAnswer } from '../http/refusals.ts';

/** How one refusal is answered in one form. */
export interface RefusalAnswer {
  readonly status: number;
  readonly description: string;
  /** Of the headers that it has, beyond those of every answer. */
  readonly headers: readonly ('www-authenticate' | 'retry-after')[];
  readonly exampleName: string;
}

const failureSchema = z
  .object({ jsonrpc: z.literal('2.0'), id: jsonRpcIdSchema, error: jsonRpcErrorSchema })
  .meta({ id: 'JsonRpcFailure' });

export const refusalSchemas: Readonly<Record<CallerForm, z.ZodType>> = {
  rest: restErrorSchema,
  'json-rpc': failureSchema,
  'http-json': httpJsonErrorSchema,
  'http-json-v03': jsonRpcErrorSchema,
};

/** What refusals are sent as in each form. */
export const refusalTypes: Readonly<Record<CallerForm, readonly string[]>> = {
  rest: ['application/json'],
  'json-rpc': ['application/json'],
  'http-json': ['application/a2a+json', 'application/json'],
  'http-json-v03': ['application/json'],
};

const exampleSuffixes: Readonly<Record<CallerForm, string>> = {
  rest: '',
  'json-rpc': 'AtAddress',
  'http-json': 'OverHttpJson',
  'http-json-v03': 'OverHttpJsonV03',
};

const traceId = traceIdSchema.parse('4bf92f3577b34da6a3ce929d0e0e4736');

/** A refusal as the server itself would answer it. */
export function describeRefusal(error: ErrorKey, form: CallerForm): RefusalAnswer {
  const { code, rpc, message } = errorCatalogue[error];
  const { status, headers } = answerOf(error, form);
  return {
    status,
    description: `${form === 'rest' || form === 'http-json' ? code : rpc}: ${message}`,
    headers: (['www-authenticate', 'retry-after'] as const).filter((name) => name in headers),
    exampleName: `${error}${exampleSuffixes[form]}`,
  };
}

/** The body of a refusal. */
export function exampleOf(error: ErrorKey, form: CallerForm): unknown {
  return JSON.parse(answerOf(error, form).body);
}

function answerOf(error: ErrorKey, form: CallerForm) {
  return toErrorAnswer({ error }, { form, rpcId: 1, traceId });
}

/** The catalogue of errors as a table in Markdown. */
export function renderErrorTable(): string {
  const rows = Object.values(errorCatalogue).map(
    ({ reason, code, status, rpc, rpcStatus, message }) =>
      row([`\`${reason}\``, code, status, rpc, rpcStatus ?? 200, message]),
  );
  return [
    row(['Reason', 'Code', 'HTTP status', 'JSON-RPC code', 'Its HTTP status', 'Meaning']),
    row(['---', '---', '---', '---', '---', '---']),
    ...rows,
  ].join('\n');
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
