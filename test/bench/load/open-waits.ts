import { Pool } from 'undici';
import { type MessageRange, type Moments, now, type Target } from './orders.ts';
import { sendNext } from './send.ts';

interface WokenWait {
  readonly number: number;
  readonly refusal: string | undefined;
  readonly at: number;
}

/** Blocking sends that stay open until their tasks finish, each on a connection of its own. */
export class OpenWaits {
  readonly #target: Target;
  readonly #pool: Pool;
  readonly #waits: Promise<WokenWait>[] = [];

  constructor(target: Target) {
    this.#target = target;
    // The client must not be the one that gives up.
    this.#pool = new Pool(target.origin, { connections: null, headersTimeout: 0 });
  }

  /** Sends some more. Only who receives the tasks knows when they are there. */
  open(count: number): MessageRange {
    const numbers = Array.from({ length: count }, () => {
      const { number, refusal } = sendNext(this.#pool, this.#target, 'blocking');
      this.#waits.push(refusal.then((reason) => ({ number, refusal: reason, at: now() })));
      return number;
    });
    return { first: Math.min(...numbers), last: Math.max(...numbers), refused: [] };
  }

  /** Resolves when all have been answered. @throws Error when one was refused */
  async collect(): Promise<Moments> {
    const woken = await Promise.all(this.#waits);
    const refused = woken.find(({ refusal }) => refusal !== undefined);
    if (refused) throw new Error(`a wait was refused: ${refused.refusal}`);
    await this.#pool.close();
    return woken.map(({ number, at }) => ({ message: number, at }));
  }
}
