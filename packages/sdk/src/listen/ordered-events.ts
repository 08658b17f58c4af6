import type { EventEnvelope } from '@relay/protocol';
import type { EventConsumer } from './event-consumer.ts';
import type { EventHandler } from './event-queue.ts';

/** Gives events to a handler one after the other, as they stand in the feed. */
export class OrderedEvents implements EventConsumer {
  readonly #handler: EventHandler;
  #last: Promise<void> = Promise.resolve();

  constructor(handler: EventHandler) {
    this.#handler = handler;
  }

  handle(event: EventEnvelope): Promise<void> {
    const handled = this.#last.then(() => this.#handler(event));
    this.#last = handled.catch(() => undefined);
    return handled;
  }

  settled(): Promise<void> {
    return this.#last;
  }
}
