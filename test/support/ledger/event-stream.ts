import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from './agent-client.ts';
import { headersFor } from './relay-calls.ts';
import { readUpdates } from './stream-update.ts';

const retryDelay = 100;
/** Keep-alives come much more often. */
const longestSilence = 15_000;

const finalStates = ['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'].map(
  (name) => `TASK_STATE_${name}`,
);

/** What the reader of a task's stream saw, over however many connections. */
export interface StreamLedger {
  readonly taskId: string;
  readonly ids: readonly number[];
  /** Of the Task and the status updates. */
  readonly states: readonly string[];
}

interface StreamOptions {
  readonly from: AgentClient;
  readonly to: AgentClient;
  readonly text: string;
  /** After so many events it goes away by itself, and comes back elsewhere. */
  readonly leavesAfter: number;
  readonly onTask: (taskId: string) => void;
}

/** Sends a message and reads its stream to the end; whenever it is cut, it goes on where it was. */
export class EventStream implements StreamLedger {
  readonly ids: number[] = [];
  readonly states: string[] = [];
  readonly #options: StreamOptions;
  readonly #messageId = randomUUID();
  #taskId = '';
  #hasLeft = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  get taskId(): string {
    return this.#taskId;
  }

  async follow(): Promise<void> {
    while (!finalStates.includes(this.states.at(-1) ?? '')) {
      // Whatever cuts it, the next connection goes on.
      await this.#readOnce().catch(() => undefined);
      await delay(retryDelay);
    }
  }

  async #readOnce(): Promise<void> {
    const abort = new AbortController();
    const silence = setTimeout(() => abort.abort(), longestSilence);
    try {
      const { body } = await this.#open(abort.signal);
      for await (const { id, taskId, state } of readUpdates(heard(body ?? [], silence))) {
        this.ids.push(id);
        if (state !== undefined) this.states.push(state);
        if (this.#taskId === '') this.#options.onTask(taskId);
        this.#taskId = taskId;
        if (this.#isToLeave()) return;
      }
    } finally {
      clearTimeout(silence);
      abort.abort();
    }
  }

  #open(signal: AbortSignal): Promise<Response> {
    const { from, to } = this.#options;
    const lastId = this.ids.at(-1);
    const body = { jsonrpc: '2.0', id: 1, ...this.#question() };
    return fetch(`${from.nextUrl()}/${to.handle}`, {
      method: 'POST',
      headers: {
        ...headersFor(from.token, body),
        ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
      },
      body: JSON.stringify(body),
      signal,
    });
  }

  #question() {
    if (this.#taskId) return { method: 'SubscribeToTask', params: { id: this.#taskId } };
    const parts = [{ text: this.#options.text }];
    const message = { messageId: this.#messageId, role: 'ROLE_USER', parts };
    return { method: 'SendStreamingMessage', params: { message } };
  }

  #isToLeave(): boolean {
    const isDue = !this.#hasLeft && this.ids.length >= this.#options.leavesAfter;
    this.#hasLeft ||= isDue;
    return isDue;
  }
}

async function* heard(body: AsyncIterable<Uint8Array> | Uint8Array[], silence: NodeJS.Timeout) {
  for await (const chunk of body) {
    silence.refresh();
    yield chunk;
  }
}
