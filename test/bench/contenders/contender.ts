import type { Delivery } from '../agents/orders.ts';
import type { MessageRange, Target } from '../load/orders.ts';
import type { TrackedProcess } from '../measure/processes.ts';

/** A running server that does the work of a bench, with what belongs to it. */
export interface Contender {
  readonly target: Target;
  /** What does the work, and so what is compared. */
  readonly processes: readonly TrackedProcess[];
  /** Agents beside it: they cost CPU as well, on the same cores. */
  readonly helpers: readonly TrackedProcess[];
  /** Waits until what follows from the messages has been done too. */
  settle(sent: MessageRange): Promise<Delivery | undefined>;
  stop(): Promise<void>;
}

export interface ContenderStart {
  readonly name: string;
  /** Rejects when it cannot run here; the report says why. */
  readonly start: () => Promise<Contender>;
}

/** The same for all, whether they look at them or not. */
export function headersFor(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'a2a-version': '1.0',
  };
}
