import { AttemptError } from './attempt-error.ts';
import { Connection, type PostRequest } from './connection.ts';
import { dial } from './dial.ts';
import { exchange } from './exchange.ts';
import { createGuard, type Guard, type GuardOptions } from './guard.ts';
import { KeptConnections } from './kept-connections.ts';
import { type AttemptOutcome, outcomeOfAnswer, outcomeOfError } from './outcome.ts';
import { type ResolveAddresses, resolveByDns, resolveBySystem, resolveTarget } from './resolve.ts';
import type { Target } from './target.ts';

const connectMilliseconds = 5_000;
const maximumIdleConnections = 1_000;

export interface OutboundOptions extends GuardOptions {
  /** Unset: the name servers or, where a private network is allowed, the system's resolver. */
  readonly resolve?: ResolveAddresses | undefined;
}

export interface AttemptLimits {
  /** From the call to the end of the answer, a whole number. */
  readonly milliseconds: number;
  /** How much of the answer's body is kept; its text may be longer by replaced characters. */
  readonly answerBytes: number;
}

export interface Attempt {
  readonly url: string;
  /** Names in lower case. `host` and `content-length` are not among them: they follow from the rest. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly limits: AttemptLimits;
}

/** The one way out of Relay. */
export interface Outbound {
  /**
   * Judges a URL that is about to be saved. A name that does not resolve now passes: each dial judges
   * anew.
   * @returns the URL in its canonical form
   * @throws RefusedTarget, a RelayError whose message tells the rule and how an operator allows it
   */
  checkTarget(url: string): Promise<string>;
  /**
   * POSTs once, though the receiver may see it twice, as after a lost answer. Whatever goes wrong is
   * an outcome; only a defect throws.
   */
  post(attempt: Attempt): Promise<AttemptOutcome>;
  /** Closes idle connections at once, the others after the attempt they serve. */
  close(): void;
}

export function createOutbound(options: OutboundOptions): Outbound {
  return new GuardedOutbound(options);
}

class GuardedOutbound implements Outbound {
  readonly #guard: Guard;
  readonly #resolve: ResolveAddresses;
  readonly #kept = new KeptConnections(maximumIdleConnections);

  constructor(options: OutboundOptions) {
    this.#guard = createGuard(options);
    const isPublicOnly = options.allowedNetworks.length === 0;
    this.#resolve = options.resolve ?? (isPublicOnly ? resolveByDns : resolveBySystem);
  }

  async checkTarget(url: string): Promise<string> {
    const target = this.#guard.readTarget(url);
    const signal = AbortSignal.timeout(connectMilliseconds);
    try {
      this.#guard.checkAddresses(target, await resolveTarget(target, this.#resolve, signal));
    } catch (error) {
      if (!(error instanceof AttemptError)) throw error;
    }
    return target.url;
  }

  async post(attempt: Attempt): Promise<AttemptOutcome> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const { answer, retryAfter } = await this.#exchange(attempt, elapsed);
      return outcomeOfAnswer(answer, retryAfter, elapsed());
    } catch (error) {
      return outcomeOfError(error, elapsed());
    }
  }

  close(): void {
    this.#kept.close();
  }

  async #exchange({ url, headers, body, limits }: Attempt, elapsed: () => number) {
    const target = this.#guard.readTarget(url);
    const request = { path: target.path, headers: { 'user-agent': 'relay', ...headers }, body };
    const remaining = () => Math.max(1, limits.milliseconds - elapsed());
    const over = (connection: Connection) =>
      this.#exchangeOver(connection, request, { ...limits, milliseconds: remaining() });

    const kept = this.#kept.take(target.origin);
    const exchanged = kept && (await over(kept).catch(unlessReset));
    if (exchanged) return exchanged;
    return over(await this.#connect(target, Math.min(connectMilliseconds, remaining())));
  }

  async #exchangeOver(connection: Connection, request: PostRequest, limits: AttemptLimits) {
    const exchanged = await exchange(connection, request, limits);
    this.#kept.keep(connection);
    return exchanged;
  }

  async #connect(target: Target, milliseconds: number): Promise<Connection> {
    const [guard, resolve] = [this.#guard, this.#resolve];
    const connection = new Connection(target, await dial(target, { guard, resolve, milliseconds }));
    connection.onClose(() => this.#kept.forget(connection));
    return connection;
  }
}

/**
 * An idle connection may be closed while the next request is on its way (RFC 9112 §9.3.1), which is
 * no fault of the receiver: the request goes once more, over a new connection.
 */
function unlessReset(error: unknown): undefined {
  if (!(error instanceof AttemptError && error.code === 'reset')) throw error;
}
