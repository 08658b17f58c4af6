import { numberOf } from '../load/messages.ts';
import type { MessageRange } from '../load/orders.ts';
import type { CreatedTask } from './event-socket.ts';
import type { Delivery } from './orders.ts';

/** Tasks that reached the callee, by the numbers of their messages. */
export class ReceivedTasks {
  readonly #taskIds = new Map<number, string>();
  #awaited = new Set<number>();
  #onAllReceived: (() => void) | undefined;

  add({ taskId, messageId }: CreatedTask): void {
    const message = numberOf(messageId);
    this.#taskIds.set(message, taskId);
    if (this.#awaited.delete(message) && this.#awaited.size === 0) this.#onAllReceived?.();
  }

  /** Waits for the task of every message that was acknowledged. */
  async settle(sent: MessageRange, timeoutMilliseconds: number): Promise<Delivery> {
    const since = performance.now();
    this.#awaited = new Set(numbersOf(sent).filter((message) => !this.#taskIds.has(message)));
    const backlog = this.#awaited.size;
    if (backlog > 0) await this.#allReceived(timeoutMilliseconds);
    return {
      backlog,
      drainMilliseconds: performance.now() - since,
      missing: this.#awaited.size,
    };
  }

  of(sent: MessageRange): { message: number; taskId: string }[] {
    return numbersOf(sent).flatMap((message) => {
      const taskId = this.#taskIds.get(message);
      return taskId === undefined ? [] : [{ message, taskId }];
    });
  }

  #allReceived(timeoutMilliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, timeoutMilliseconds);
      this.#onAllReceived = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }
}

function numbersOf({ first, last, refused }: MessageRange): number[] {
  const isRefused = new Set(refused);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (message) => !isRefused.has(message),
  );
}
