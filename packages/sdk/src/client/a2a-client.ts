import { randomUUID } from 'node:crypto';
import { isJsonObject, type Operation, type StreamResponse } from '@relay/protocol';
import {
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  headerOf,
  readJson,
} from '../http/http-client.ts';
import { jsonIn } from '../http/json.ts';
import { errorFromAnswer, unreachable } from '../http/request-error.ts';
import { Watchdog } from '../http/watchdog.ts';
import { expectAnswer, isStreamResponse } from './answers.ts';
import { readServerSentEvents } from './server-sent-events.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}

export interface StreamCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly lastEventId?: string | undefined;
  /** Called when Relay has begun to answer. */
  readonly onOpen?: (() => void) | undefined;
}

/** One event of a stream, with the task's revision where Relay gives one. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly response: StreamResponse;
}

/** Relay keeps a quiet stream alive with a comment every few seconds. */
const longestSilenceMilliseconds = 60_000;

/** A2A 1.0 over JSON-RPC, at the addresses of other agents. */
export class A2aClient {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** @throws RelayRequestError when Relay refuses, or cannot be reached after a few tries */
  async call(
    handle: string,
    operation: Operation,
    params: unknown,
    { signal, timeout }: CallOptions,
  ): Promise<unknown> {
    return resultOf(
      await this.#http.json({ ...requestFor(handle, operation, params), signal, timeout }),
    );
  }

  /**
   * The events of one stream as long as its connection lasts.
   * @throws RelayRequestError when Relay refuses, or the connection breaks
   */
  async *stream(
    handle: string,
    operation: Operation,
    params: unknown,
    options: StreamCallOptions,
  ): AsyncGenerator<StreamEvent, void> {
    const watchdog = new Watchdog(longestSilenceMilliseconds, options.signal);
    const { signal } = watchdog;
    try {
      const answer = await this.#http.open({
        ...requestFor(handle, operation, params, streamHeaders(options.lastEventId)),
        signal,
      });
      if (!isEventStream(answer)) {
        throw errorFromAnswer(answer.statusCode, undefined, await readJson(answer, signal));
      }
      options.onOpen?.();
      for await (const event of readServerSentEvents(bytesOf(answer.body, watchdog))) {
        yield { id: event.id, response: readStreamResponse(event.data) };
      }
    } finally {
      watchdog.stop();
    }
  }
}

function requestFor(
  handle: string,
  operation: Operation,
  params: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  return {
    method: 'POST',
    path: `/${encodeURIComponent(handle)}`,
    headers: { 'a2a-version': '1.0', ...headers },
    body: { jsonrpc: '2.0', id: randomUUID(), method: operation, params },
  };
}

function streamHeaders(lastEventId: string | undefined): Record<string, string> {
  return {
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
}

function readStreamResponse(data: string): StreamResponse {
  return expectAnswer(resultOf(jsonIn(data)), isStreamResponse);
}

/** @throws RelayRequestError when the JSON-RPC response holds an error */
function resultOf(response: unknown): unknown {
  if (isJsonObject(response) && 'result' in response) return response['result'];
  throw errorFromAnswer(200, undefined, response);
}

async function* bytesOf(
  body: AsyncIterable<Uint8Array>,
  watchdog: Watchdog,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const bytes of body) {
      watchdog.feed();
      yield bytes;
    }
  } catch (error) {
    watchdog.signal.throwIfAborted();
    throw unreachable(error);
  }
}

function isEventStream(answer: HttpAnswer): boolean {
  return headerOf(answer, 'content-type')?.startsWith('text/event-stream') ?? false;
}
