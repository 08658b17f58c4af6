import { type Dispatcher, request as send } from 'undici';
import { jsonIn } from './json.ts';
import { errorFromAnswer, RelayRequestError, unreachable } from './request-error.ts';
import { withRetries } from './retries.ts';
import { Watchdog } from './watchdog.ts';

/** Where Relay is, and who asks. */
export interface Endpoint {
  readonly origin: string;
  readonly token: string;
}

/** An answer whose body is still to be read. */
export type HttpAnswer = Dispatcher.ResponseData;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds one try may take. */
  readonly timeout?: number | undefined;
}

const defaultTimeoutMilliseconds = 15_000;

/** Requests of one caller to one Relay. */
export class HttpClient {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * The JSON that Relay answers, after a few tries if need be.
   * @throws RelayRequestError
   */
  json(request: HttpRequest): Promise<unknown> {
    return withRetries(() => this.#jsonOnce(request), request.signal);
  }

  /**
   * One try. The answer's body is still to be read.
   * @throws RelayRequestError when the answer is not a 2xx
   */
  async open(request: HttpRequest): Promise<HttpAnswer> {
    const { signal, method, path, body } = request;
    // Global fetch costs an agent five times as much a call.
    const sending = send(new URL(path, this.#endpoint.origin), {
      method,
      headers: this.#headersOf(request),
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    const answer = await reached(sending, signal);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    const text = await reached(answer.body.text(), signal);
    throw errorFromAnswer(answer.statusCode, headerOf(answer, 'retry-after'), jsonIn(text));
  }

  async #jsonOnce(request: HttpRequest): Promise<unknown> {
    const watchdog = new Watchdog(request.timeout ?? defaultTimeoutMilliseconds, request.signal);
    const { signal } = watchdog;
    try {
      return await readJson(await this.open({ ...request, signal }), signal);
    } finally {
      watchdog.stop();
    }
  }

  #headersOf(request: HttpRequest): Record<string, string> {
    return {
      accept: 'application/json',
      authorization: `Bearer ${this.#endpoint.token}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    };
  }
}

/** @throws RelayRequestError when the answer is not JSON */
export async function readJson(answer: HttpAnswer, signal: AbortSignal): Promise<unknown> {
  const value = jsonIn(await reached(answer.body.text(), signal));
  if (value !== undefined) return value;
  throw new RelayRequestError('Relay answered what is not JSON.', { status: answer.statusCode });
}

/** A header's value; the first one where it was sent several times. */
export function headerOf({ headers }: HttpAnswer, name: string): string | undefined {
  return [headers[name]].flat()[0];
}

/** What a dial or a read gives. Its failure is the signal's reason where that ended it. */
async function reached<Result>(
  answer: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(error);
  }
}
