import { z } from 'zod';

const maximumHeaders = 20;
/** Of names and values together. */
const maximumBytes = 4 * 1024;

const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/;
const valuePattern = /^[\t\x20-\x7e]*$/;

/** Headers that frame or route a request, say what its body is, or are Relay's to set. */
const reservedPattern =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|expect|te|trailer|upgrade|user-agent|via|forwarded|x-forwarded-.*|proxy-.*|traceparent|tracestate|webhook-.*|relay-.*)$/;

/** Headers that go with every request to a webhook, by lower-case name. Messages never hold a value. */
export const webhookHeadersSchema = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    for (const problem of problemsOf(Object.entries(headers))) {
      context.addIssue({ code: 'custom', ...problem });
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );

interface Problem {
  readonly path?: string[];
  readonly message: string;
}

function problemsOf(headers: readonly [string, string][]): Problem[] {
  const problems = headers.flatMap(([name, value]) => problemOf(name, value) ?? []);
  if (new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length) {
    problems.push({ message: 'A header is named twice.' });
  }
  if (headers.length > maximumHeaders) {
    problems.push({ message: `At most ${maximumHeaders} headers.` });
  }
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > maximumBytes) {
    problems.push({ message: `At most ${maximumBytes} bytes of names and values.` });
  }
  return problems;
}

function problemOf(name: string, value: string): Problem | undefined {
  const path = [name];
  if (!tokenPattern.test(name)) return { path, message: 'This is not a name of a header.' };
  if (reservedPattern.test(name.toLowerCase())) {
    return { path, message: 'This header is set by Relay or by HTTP itself.' };
  }
  if (valuePattern.test(value)) return undefined;
  return { path, message: 'A value holds printable ASCII, spaces and tabs only.' };
}
