import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between tries while the relay is away. */
const retryDelay = 100;
/** A call that waits is then asked again, and finds its own task. */
const longestCall = 20_000;

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** With the one that was answered. */
  readonly tries: number;
}

/** Every answer but 5xx and 429 counts: those say to try again. */
export async function callUntilAnswered(
  nextUrl: () => string,
  token: string,
  call: Call,
): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const response = await callOnce(nextUrl(), token, call).catch(() => undefined);
    const body: unknown = await response?.json().catch(() => undefined);
    if (response && response.status < 500 && response.status !== 429 && body !== undefined) {
      return { status: response.status, body, tries };
    }
    await delay(retryDelay);
  }
}

export function callOnce(url: string, token: string, { method, path, body }: Call) {
  return fetch(`${url}${path}`, {
    method,
    headers: headersFor(token, body),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(longestCall),
  });
}

export function headersFor(token: string, body: unknown): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'a2a-version': '1.0',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}
