import { type Dispatcher, errors } from 'undici';
import { answerText } from './answer-text.ts';
import { AttemptError, type NetworkFailureCode } from './attempt-error.ts';
import type { Connection, PostRequest } from './connection.ts';
import { errorCode } from './error-code.ts';
import type { Answer } from './outcome.ts';

/** A body that is read to its end leaves the connection usable; past this it is cheaper to close it. */
const maximumReadBytes = 64 * 1024;

/** Before the answer itself: hints, and what else says that it will come. */
const maximumInterimAnswers = 100;

export interface ExchangeLimits {
  readonly milliseconds: number;
  /** How much of the answer's body is kept. */
  readonly answerBytes: number;
}

export interface Exchanged {
  readonly answer: Answer;
  readonly retryAfter: string | undefined;
}

/**
 * One request and its answer. With the status the outcome is known: a body that is too long, too slow
 * or cut off leaves the answer incomplete, and ends the connection.
 * @throws AttemptError
 */
export function exchange(
  connection: Connection,
  request: PostRequest,
  limits: ExchangeLimits,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    connection.post(request, new AnswerReader(connection, limits, { resolve, reject }));
  });
}

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface ResponseHead {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

interface Settle {
  readonly resolve: (exchanged: Exchanged) => void;
  readonly reject: (error: Error) => void;
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #answerBytes: number;
  readonly #settle: Settle;
  readonly #timer: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #bytesRead = 0;
  #interimAnswers = 0;
  #head: ResponseHead | undefined;

  constructor(connection: Connection, limits: ExchangeLimits, settle: Settle) {
    this.#connection = connection;
    this.#answerBytes = limits.answerBytes;
    this.#settle = settle;
    this.#timer = setTimeout(() => this.#expire(), limits.milliseconds);
  }

  /** The client insists on it. The whole connection is ended where others would abort a request. */
  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: ResponseHeaders): void {
    if (status >= 200) this.#head = { status, retryAfter: [headers['retry-after']].flat()[0] };
    else this.#countInterim();
  }

  #countInterim(): void {
    this.#interimAnswers += 1;
    if (this.#interimAnswers <= maximumInterimAnswers) return;
    this.#end(new AttemptError('response_too_large', 'too many interim answers'));
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const room = this.#answerBytes - this.#bytesRead;
    // Copied, or a few bytes would keep the whole chunk in memory.
    if (room > 0) this.#kept.push(Buffer.from(chunk.subarray(0, room)));
    this.#bytesRead += chunk.length;
    const isTooLong = this.#bytesRead > Math.max(maximumReadBytes, this.#answerBytes);
    if (isTooLong) this.#end(new AttemptError('response_too_large', 'too much was answered'));
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    if (this.#head) this.#answer(this.#head, this.#bytesRead <= this.#answerBytes);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(explain(error));
  }

  #expire(): void {
    this.#end(new AttemptError('response_timeout', 'no answer in time'));
  }

  #end(error: Error): void {
    clearTimeout(this.#timer);
    if (this.#head) this.#answer(this.#head, false);
    else this.#settle.reject(error);
    this.#connection.close();
  }

  #answer({ status, retryAfter }: ResponseHead, complete: boolean): void {
    const text = answerText(Buffer.concat(this.#kept));
    this.#settle.resolve({ answer: { status, text, complete }, retryAfter });
  }
}

function explain(error: Error): Error {
  if (error instanceof AttemptError) return error;
  const known = clientErrors.find(([kind]) => error instanceof kind)?.[1];
  if (known) return new AttemptError(clientMessages[error.message] ?? known, error.message);
  return 'code' in error ? new AttemptError('reset', errorCode(error)) : error;
}

const clientErrors = [
  [errors.InvalidArgumentError, 'request_invalid'],
  [errors.NotSupportedError, 'request_invalid'],
  [errors.RequestContentLengthMismatchError, 'request_invalid'],
  [errors.HeadersOverflowError, 'response_too_large'],
  [errors.HTTPParserError, 'response_invalid'],
  [errors.ResponseContentLengthMismatchError, 'response_invalid'],
  [errors.SocketError, 'reset'],
] as const;

/** Socket errors for an answer to nothing, and for a 100 or 101 that was not asked for. */
const clientMessages: Readonly<Record<string, NetworkFailureCode>> = {
  'bad response': 'response_invalid',
  'bad upgrade': 'response_invalid',
};
