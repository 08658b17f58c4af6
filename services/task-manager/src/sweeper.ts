import {
  type Bus,
  type CheckpointKeeper,
  type Lease,
  type Reader,
  readTaskIndex,
  type StreamMessage,
  streams,
} from '@relay/bus';
import { isFinal } from '@relay/domain';
import type { Logger } from '@relay/runtime';
import type { TaskIndex } from '@relay/store';

const dayMilliseconds = 86_400_000;
const roundInterval = 3_600_000;
const retryDelay = 1_000;

export interface SweeperOptions {
  readonly bus: Bus;
  readonly index: TaskIndex;
  readonly retentionDays: number;
  readonly logger: Logger;
}

/**
 * Purges tasks that have been final for the retention. It reads changes in order, headers only, as far as
 * they are older than that; one that is final is its task's last, so nothing of the task is still needed.
 * A message in a chat that was answered or forgotten goes likewise; a task that was made of it stays. With a
 * task go its push notification configs.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #lease: Lease;
  readonly #checkpoint: CheckpointKeeper;
  readonly #timer: NodeJS.Timeout;
  #retry: NodeJS.Timeout | undefined;
  #reader: Reader | undefined;
  #work: Promise<void>;
  #isClosed = false;

  constructor(options: SweeperOptions, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
    this.#checkpoint = options.bus.checkpoint('sweeper');
    this.#timer = setInterval(() => this.#startRound(), roundInterval);
    this.#work = Promise.resolve();
    this.#startRound();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#stopRound();
    await this.#work;
  }

  #startRound(): void {
    this.#stopRound();
    this.#work = this.#work
      .then(() => this.#openRound())
      .catch((error: unknown) => this.#tryAgainLater(error));
  }

  async #openRound(): Promise<void> {
    const checkpoint = await this.#checkpoint.take(this.#lease);
    if (this.#isClosed || !checkpoint) return;
    this.#reader = this.#options.bus.read({
      stream: streams.tasks,
      startSequence: checkpoint.sequence + 1,
      headersOnly: true,
      onMessage: (message) => {
        this.#work = this.#work
          .then(() => this.#sweep(message))
          // Left for the next round, which begins at the checkpoint.
          .catch((error: unknown) => this.#tryAgainLater(error));
        return this.#work;
      },
    });
  }

  async #sweep(message: StreamMessage): Promise<void> {
    if (this.#isClosed || !this.#reader || !this.#lease.isHeld()) return;
    const task = readTaskIndex(message);
    const { bus, index, retentionDays, logger } = this.#options;
    if (task.updatedAt > Date.now() - retentionDays * dayMilliseconds) return this.#stopRound();
    const isExchange = 'exchange' in task;
    if (isExchange || isFinal(task.state)) {
      const isOut = isExchange || (await index.remove(task));
      if (!isOut) throw new Error('The index of tasks is behind.');
      await bus.forgetPushConfigs(task.taskId);
      await bus.tasks.purge(task.taskId, task.sequence);
      logger.info({ taskId: task.taskId }, 'task.purged');
    }
    if (!(await this.#checkpoint.save(task.sequence, task.changeId))) this.#stopRound();
  }

  #tryAgainLater(error: unknown): void {
    this.#stopRound();
    if (this.#isClosed) return;
    this.#options.logger.debug({ err: error }, 'sweeper.waits');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#startRound(), retryDelay);
  }

  #stopRound(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }
}
