import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bus,
  type ChatIndex,
  type CheckpointKeeper,
  type Lease,
  type Reader,
  readChatIndex,
  streams,
} from '@relay/bus';
import type { Logger } from '@relay/runtime';
import type { ExchangeDesk } from './exchange-desk.ts';

/** Milliseconds in which whoever settled an exchange has published its outcome, unless it was killed. */
const patience = 2_000;
const retryDelay = 1_000;
const saveInterval = 1_000;

export interface ExchangeRepairOptions {
  readonly bus: Bus;
  readonly desk: ExchangeDesk;
  readonly logger: Logger;
}

/**
 * Publishes what chats have decided and a crash has kept from TASKS. It reads CHATS in order, headers only,
 * some time behind; what was published already is found so and left.
 */
export class ExchangeRepair {
  readonly #options: ExchangeRepairOptions;
  readonly #lease: Lease;
  readonly #checkpoint: CheckpointKeeper;
  readonly #closing = new AbortController();
  #reader: Reader | undefined;
  #work: Promise<void>;
  #savedAt = 0;

  constructor(options: ExchangeRepairOptions, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
    this.#checkpoint = options.bus.checkpoint('exchange-repair');
    this.#work = this.#again(() => this.#open());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#reader?.close();
    await this.#work;
  }

  async #open(): Promise<void> {
    const { bus } = this.#options;
    const checkpoint = await this.#checkpoint.take(this.#lease);
    if (!checkpoint) return;
    // One past the end was saved before the store was rolled back.
    const done = Math.min(checkpoint.sequence, await bus.chats.stream.lastSequence());
    if (this.#closing.signal.aborted) return;
    this.#reader = bus.read({
      stream: streams.chats,
      startSequence: done + 1,
      headersOnly: true,
      onMessage: (message) => {
        const index = readChatIndex(message);
        this.#work = this.#work.then(() => this.#again(() => this.#check(index)));
        return this.#work;
      },
    });
  }

  async #check(index: ChatIndex): Promise<void> {
    if (index.settles !== undefined) {
      await this.#pause(index.at + patience - Date.now());
      if (this.#closing.signal.aborted) return;
      await this.#publish(index);
    }
    if (performance.now() - this.#savedAt < saveInterval) return;
    this.#savedAt = performance.now();
    if (!(await this.#checkpoint.save(index.sequence, index.changeId))) this.#reader?.close();
  }

  async #publish({ chatId, sequence, settles }: ChatIndex): Promise<void> {
    const { bus, desk, logger } = this.#options;
    const recorded = await bus.chats.readAt(chatId, sequence);
    if (!recorded || !this.#lease.isHeld()) return;
    const reply = await desk.publish(recorded.change, recorded.snapshot);
    // Where there is no offer any more, nobody waits.
    if (reply.type === 'refused' && reply.refusal.error !== 'taskNotFound') {
      throw new Error(`The outcome of ${settles} was not published: ${reply.refusal.error}`);
    }
    logger.debug({ taskId: settles }, 'exchange.checked');
  }

  /** Until it is done or the work is over. */
  async #again(step: () => Promise<void>): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        return await step();
      } catch (error) {
        this.#options.logger.debug({ err: error }, 'exchange_repair.waits');
        await this.#pause(retryDelay);
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    await sleep(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}
