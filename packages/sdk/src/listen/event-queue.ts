import type { EventEnvelope } from '@relay/protocol';
import { type EventConsumer, laneOf, maximumConcurrentTasks } from './event-consumer.ts';
import { HandledOnce } from './handled-once.ts';
import { Lanes } from './lanes.ts';

/** Handles one event. What it throws makes the event come again. */
export type EventHandler = (event: EventEnvelope) => void | Promise<void>;

/** Gives each event to a handler once: those of one task or chat in order, others at the same time. */
export class EventQueue implements EventConsumer {
  readonly #handler: EventHandler;
  readonly #once = new HandledOnce();
  readonly #lanes = new Lanes(maximumConcurrentTasks);

  constructor(handler: EventHandler) {
    this.#handler = handler;
  }

  handle(event: EventEnvelope): Promise<void> {
    return this.#once.run(event.event_id, () =>
      this.#lanes.run(laneOf(event), async () => this.#handler(event)),
    );
  }

  settled(): Promise<void> {
    return this.#once.settled();
  }
}
