import { RelayError } from '@relay/protocol';

/** Answered also while the relay drains. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** Counts the requests that are being answered, and refuses new ones once it drains. */
export class InFlight {
  #count = 0;
  #isDraining = false;
  #whenIdle: (() => void) | undefined;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenIdle?.();
  }

  /** Why a new request to that route is not taken. */
  refusalFor(route: string | undefined): RelayError | undefined {
    return this.#isDraining && !probes.has(route)
      ? new RelayError({ error: 'unavailable', message: 'This relay is stopping.' })
      : undefined;
  }

  /** Resolves when no request is being answered any more, or when the time is up. */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
