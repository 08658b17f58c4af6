import { jsonIn } from './json.ts';
import { errorFromAnswer, RelayRequestError, unreachable } from './request-error.ts';
import { withRetries } from './retries.ts';
import { Watchdog } from './watchdog.ts';

/** Where Relay is, and who asks. */
export interface Endpoint {
  readonly origin: string;
  readonly token: string;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds one try may take. */
  readonly timeout?: number | undefined;
}

const defaultTimeoutMilliseconds = 15_000;

/** Requests of one agent to one Relay. */
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
  async open(request: HttpRequest): Promise<Response> {
    const { signal, method, path, body } = request;
    const fetching = fetch(new URL(path, this.#endpoint.origin), {
      method,
      headers: this.#headersOf(request),
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      redirect: 'manual',
    });
    const response = await reached(fetching, signal);
    if (response.ok) return response;
    const text = await reached(response.text(), signal);
    throw errorFromAnswer(response.status, response.headers.get('retry-after'), jsonIn(text));
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
export async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  const value = jsonIn(await reached(response.text(), signal));
  if (value !== undefined) return value;
  throw new RelayRequestError('Relay answered what is not JSON.', { status: response.status });
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
