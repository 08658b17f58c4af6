import type { ServerResponse } from 'node:http';
import type { Registry } from '@relay/bus';
import { RelayError } from '@relay/protocol';
import { ShownGauge } from '@relay/runtime';
import type { Authentication, Caller } from '../http/authentication.ts';

const waits = new ShownGauge({
  name: 'relay_waits',
  help: 'Calls that wait for an answer, and event streams that are open.',
});

/** Why a call stopped waiting before it had what it waited for. */
type CallEnd = 'timed-out' | 'disconnected' | 'revoked' | 'draining';

/** A call that waits: for an answer, or on an event stream. */
export class OpenCall {
  readonly #abort = new AbortController();
  #endedBy: CallEnd | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether it ended before its time was over. */
  get isCutShort(): boolean {
    return this.#endedBy !== undefined && this.#endedBy !== 'timed-out';
  }

  /** @throws RelayError unauthenticated where the caller's token was revoked meanwhile */
  throwIfRevoked(): void {
    if (this.#endedBy === 'revoked') throw new RelayError('unauthenticated');
  }

  end(reason: CallEnd): void {
    this.#endedBy ??= reason;
    this.#abort.abort();
  }
}

export interface CallLimits {
  readonly caller: Caller;
  readonly response: ServerResponse;
  readonly seconds: number;
}

/** All calls that wait in this process, each ended by its time, its client, its token or a drain. */
export class OpenCalls {
  readonly #registry: Registry;
  readonly #authentication: Authentication;
  readonly #limit: number;
  readonly #calls = new Set<OpenCall>();
  #isDraining = false;

  /** @param limit each costs about 20 KB here and 8 KB in nats-server */
  constructor(registry: Registry, authentication: Authentication, limit: number) {
    this.#limit = limit;
    this.#registry = registry;
    this.#authentication = authentication;
    waits.show(() => [{ value: this.#calls.size }]);
  }

  /** @throws RelayError unavailable where too many wait, unauthenticated where the token was revoked */
  async during<Result>(
    { caller, response, seconds }: CallLimits,
    run: (call: OpenCall) => Promise<Result>,
  ): Promise<Result> {
    if (this.#calls.size >= this.#limit) {
      throw new RelayError({ error: 'unavailable', message: 'Too many calls wait here already.' });
    }
    const call = new OpenCall();
    const disconnect = () => call.end('disconnected');
    const timer = setTimeout(() => call.end('timed-out'), seconds * 1_000);
    const forgetSession = this.#registry.onRevoked(caller.tokenHash, () => call.end('revoked'));
    response.once('close', disconnect);
    this.#calls.add(call);
    if (response.destroyed) call.end('disconnected');
    if (this.#isDraining) call.end('draining');
    try {
      // A token that was revoked just before the session began is not heard of.
      if (!(await this.#authentication.isStillGood(caller))) call.end('revoked');
      call.throwIfRevoked();
      return await run(call);
    } finally {
      clearTimeout(timer);
      forgetSession();
      response.off('close', disconnect);
      this.#calls.delete(call);
    }
  }

  /** Ends all calls that wait, and those to come at once. */
  drain(): void {
    this.#isDraining = true;
    for (const call of this.#calls) call.end('draining');
  }
}
