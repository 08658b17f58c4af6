import { ConfigError, StartupError } from '@relay/runtime';
import { RelayRequestError, RelaySocketError } from '@relay/sdk';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** What ends a command, told in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

interface Explanation {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** What to tell of a failure, and how to end. */
export function explain(error: unknown): Explanation {
  return explainOwn(error) ?? explainRelay(error) ?? explainUnexpected(error);
}

function explainOwn(error: unknown): Explanation | undefined {
  if (error instanceof CommandError) {
    return { lines: [error.message, ...causesOf(error)], exitCode: error.exitCode };
  }
  if (error instanceof ConfigError) {
    return { lines: error.problems, exitCode: exitCodes.usage };
  }
  if (error instanceof StartupError) {
    return { lines: error.message.split('\n'), exitCode: exitCodes.unavailable };
  }
  return undefined;
}

function explainRelay(error: unknown): Explanation | undefined {
  if (error instanceof RelayRequestError) {
    return { lines: [describe(error)], exitCode: exitCodeOf(error) };
  }
  if (error instanceof RelaySocketError) {
    const { closeCode = 0, message } = error;
    const isRefused = closeCode >= 4400 && closeCode < 4500;
    return { lines: [message], exitCode: isRefused ? exitCodes.refused : exitCodes.unavailable };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { lines: ['Relay did not answer in time.'], exitCode: exitCodes.unavailable };
  }
  return undefined;
}

/** A bug: only its stack helps. */
function explainUnexpected(error: unknown): Explanation {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: text.split('\n'), exitCode: exitCodes.failed };
}

function describe({ message, code, traceId, cause }: RelayRequestError): string {
  const details = [
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(traceId === undefined ? [] : [`request ${traceId}`]),
  ];
  const why = cause instanceof Error ? ` ${cause.message}` : '';
  return `${message}${why}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

function exitCodeOf({ status }: RelayRequestError): ExitCode {
  if (status === undefined || status === 429 || status >= 500) return exitCodes.unavailable;
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404) return exitCodes.notFound;
  return exitCodes.refused;
}

/** Only what is inside NATS or the file system says what went wrong there. */
function causesOf(error: Error): string[] {
  const { cause } = error;
  return cause instanceof Error ? [cause.message, ...causesOf(cause)] : [];
}
