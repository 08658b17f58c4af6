import type { Message, Metadata, StreamResponse, Task } from '@relay/protocol';
import { Backoff } from '../http/backoff.ts';
import { pause } from '../http/pause.ts';
import { isTransient, RelayRequestError } from '../http/request-error.ts';
import { waitAskedFor } from '../http/retries.ts';
import type { A2aClient, StreamEvent } from './a2a-client.ts';
import { expectAnswer, isTask } from './answers.ts';
import { assemble, isFinal } from './task-assembly.ts';

export interface StreamRequest {
  readonly handle: string;
  readonly message: Message;
  readonly metadata: Metadata | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Tries to connect that may fail one after the other: about two minutes. */
const maximumFailures = 10;
/** A connection that lasted so long ended for its age or a restart: no reason to wait before the next. */
const lastedMilliseconds = 30_000;
const unsupportedOperation = -32004;

/**
 * The events of one message's task, over as many connections as it takes. Iterate it once; it ends when
 * the task is final or the other agent answered with a message.
 */
export class TaskStream implements AsyncIterable<StreamResponse> {
  readonly #a2a: A2aClient;
  readonly #request: StreamRequest;
  readonly #backoff = new Backoff();
  #task: Task | undefined;
  #lastEventId: string | undefined;
  #failures = 0;
  #hasEnded = false;

  constructor(a2a: A2aClient, request: StreamRequest) {
    this.#a2a = a2a;
    this.#request = request;
  }

  /** The Task as the events so far make it; none before the first. */
  get task(): Task | undefined {
    return this.#task;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamResponse, void> {
    while (!this.#hasEnded) {
      const openedAt = performance.now();
      let wait = 0;
      try {
        yield* this.#followOnce();
      } catch (error) {
        yield* this.#recover(error);
        wait = waitAskedFor(error);
      }
      if (this.#hasEnded) return;
      if (performance.now() - openedAt > lastedMilliseconds) this.#backoff.reset();
      await pause(Math.max(wait, this.#backoff.next()), this.#request.signal);
      this.#request.signal?.throwIfAborted();
    }
  }

  async *#followOnce(): AsyncGenerator<StreamResponse, void> {
    for await (const event of this.#connect()) {
      if (this.#hasSeen(event)) continue;
      this.#lastEventId = event.id ?? this.#lastEventId;
      this.#take(event.response);
      yield event.response;
      if (this.#hasEnded) return;
    }
  }

  #connect(): AsyncGenerator<StreamEvent, void> {
    const { handle, message, metadata, signal } = this.#request;
    const options = {
      signal,
      lastEventId: this.#lastEventId,
      onOpen: () => {
        this.#failures = 0;
      },
    };
    if (this.#task === undefined) {
      return this.#a2a.stream(handle, 'SendStreamingMessage', { message, metadata }, options);
    }
    return this.#a2a.stream(handle, 'SubscribeToTask', { id: this.#task.id }, options);
  }

  /** A task that became final while nobody listened cannot be subscribed to any more: it is read. */
  async *#recover(error: unknown): AsyncGenerator<StreamResponse, void> {
    if (this.#task && isUnsupported(error)) {
      const { handle, signal } = this.#request;
      const task = expectAnswer(
        await this.#a2a.call(handle, 'GetTask', { id: this.#task.id }, { signal }),
        isTask,
      );
      if (!isFinal(task.status.state)) throw error;
      this.#take({ task });
      yield { task };
      return;
    }
    this.#failures += 1;
    if (!isTransient(error) || this.#failures === maximumFailures) throw error;
  }

  #take(response: StreamResponse): void {
    this.#task = assemble(this.#task, response);
    this.#hasEnded = 'message' in response || this.#isTaskFinal();
  }

  #isTaskFinal(): boolean {
    return this.#task !== undefined && isFinal(this.#task.status.state);
  }

  /** Ids are the task's revisions, so what is not newer was seen on an earlier connection. */
  #hasSeen({ id }: StreamEvent): boolean {
    return (
      id !== undefined && this.#lastEventId !== undefined && Number(id) <= Number(this.#lastEventId)
    );
  }
}

function isUnsupported(error: unknown): boolean {
  return error instanceof RelayRequestError && error.rpcCode === unsupportedOperation;
}
