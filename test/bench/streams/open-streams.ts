import { type Dispatcher, Pool } from 'undici';
import { nextMessage } from '../load/messages.ts';
import { type Moments, now, type Target } from '../load/orders.ts';

const taskPattern = /"task":\{"id":"([0-9a-f-]{36})"/;
const updatePattern = /"text":"update (\d+)"/;
/** Fewer than the connections that wait to be accepted at once. */
const openedAtOnce = 250;

/** Streams of new tasks, each on a connection of its own, and when each update came. */
export class OpenStreams {
  readonly #pool: Pool;
  readonly #target: Target;
  #received: Moments = [];
  #onUpdate: () => void = () => undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = new Pool(target.origin, { connections: null, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** @returns the ids of their tasks */
  async open(count: number): Promise<string[]> {
    const taskIds: string[] = [];
    while (taskIds.length < count) {
      const batch = Math.min(openedAtOnce, count - taskIds.length);
      taskIds.push(...(await Promise.all(Array.from({ length: batch }, () => this.#openOne()))));
    }
    return taskIds;
  }

  /** Waits for so many updates. @returns when each came, by its number */
  async take(count: number): Promise<Moments> {
    await new Promise<void>((resolve) => {
      this.#onUpdate = () => {
        if (this.#received.length >= count) resolve();
      };
      this.#onUpdate();
    });
    return this.#received.splice(0);
  }

  #openOne(): Promise<string> {
    const body = nextMessage('immediate').body.replace('"SendMessage"', '"SendStreamingMessage"');
    const { path, headers } = this.#target;
    return new Promise((resolve, reject) => {
      this.#pool.dispatch(
        { path, method: 'POST', headers, body },
        new EventReader((event) => this.#take(event, resolve), reject),
      );
    });
  }

  #take(event: string, onTask: (taskId: string) => void): void {
    const update = updatePattern.exec(event)?.[1];
    if (update !== undefined) {
      this.#received.push({ message: Number(update), at: now() });
      this.#onUpdate();
      return;
    }
    const taskId = taskPattern.exec(event)?.[1];
    if (taskId !== undefined) onTask(taskId);
  }
}

/** Splits what comes into events. */
class EventReader implements Dispatcher.DispatchHandler {
  readonly #onEvent: (event: string) => void;
  readonly #onError: (error: Error) => void;
  #text = '';

  constructor(onEvent: (event: string) => void, onError: (error: Error) => void) {
    this.#onEvent = onEvent;
    this.#onError = onError;
  }

  /** undici asks for it to take the handler for one of its current interface. */
  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) this.#onError(new Error(`no stream: ${status}`));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const events = (this.#text + chunk.toString('latin1')).split('\n\n');
    this.#text = events.pop() ?? '';
    for (const event of events) this.#onEvent(event);
  }

  onResponseEnd(): void {
    this.#onError(new Error('a stream has ended'));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#onError(error);
  }
}
