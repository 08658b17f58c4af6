import { AgentClient } from './agent-client.ts';
import { checkLedger, type Ledger } from './check-ledger.ts';
import { EventReceiver } from './event-receiver.ts';

const states = ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'] as const;

/** A requester that sends without pause, a callee that works on what it is told, and their ledger. */
export class LedgerLoad {
  readonly ledger: Ledger = { tasks: new Set(), states: new Map() };
  readonly #requester: AgentClient;
  readonly #callee: AgentClient;
  readonly #toRequester: EventReceiver;
  readonly #toCallee: EventReceiver;
  readonly #work = new Map<string, Promise<void>>();
  readonly #senders: Promise<void>[] = [];
  #isSending = true;
  #failure: Error | undefined;
  #lastAcknowledged = performance.now();
  #longestOutage = 0;

  private constructor(requester: AgentClient, callee: AgentClient) {
    this.#requester = requester;
    this.#callee = callee;
    this.#toRequester = new EventReceiver(requester);
    this.#toCallee = new EventReceiver(callee, ({ type, taskId }) => {
      if (type === 'task.created' && !this.#work.has(taskId)) {
        this.#work.set(taskId, this.#workOn(taskId).catch(this.#fail));
      }
    });
  }

  static async start(
    urls: readonly string[],
    adminToken: string,
    senders: number,
  ): Promise<LedgerLoad> {
    const requester = await AgentClient.register(urls, adminToken, false);
    const callee = await AgentClient.register(urls, adminToken, true);
    const load = new LedgerLoad(requester, callee);
    for (let n = 0; n < senders; n += 1) load.#senders.push(load.#sendOn().catch(load.#fail));
    return load;
  }

  /** Longest time, in milliseconds, in which nothing was acknowledged. */
  get longestOutage(): number {
    return this.#longestOutage;
  }

  get acknowledged(): number {
    return this.ledger.tasks.size;
  }

  /** How many events came more than once. */
  get duplicates(): number {
    const all = [...this.#toRequester.received, ...this.#toCallee.received];
    return all.length - new Set(all.map(({ eventId }) => eventId)).size;
  }

  /** Sends no more, waits until all that is due has come, and checks. @returns what is wrong */
  async finish(timeoutMilliseconds: number): Promise<string[]> {
    this.#isSending = false;
    const end = performance.now() + timeoutMilliseconds;
    await Promise.all(this.#senders);
    let faults: string[] = [];
    do {
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (this.#work.size < this.ledger.tasks.size) {
        faults = [`${this.ledger.tasks.size - this.#work.size} tasks never reached the callee`];
        continue;
      }
      await Promise.all(this.#work.values());
      faults = await this.#check();
    } while (faults.length > 0 && performance.now() < end);
    this.#toRequester.close();
    this.#toCallee.close();
    return this.#failure ? [...faults, this.#failure.message] : faults;
  }

  #check(): Promise<string[]> {
    return checkLedger(
      this.ledger,
      { client: this.#requester, receiver: this.#toRequester },
      { receiver: this.#toCallee },
    );
  }

  async #sendOn(): Promise<void> {
    let sent = 0;
    while (this.#isSending) {
      sent += 1;
      this.ledger.tasks.add(await this.#requester.send(this.#callee, `task ${sent}`));
      this.#noteAcknowledged();
    }
  }

  async #workOn(taskId: string): Promise<void> {
    for (const state of states) {
      await this.#callee.setStatus(taskId, state, `now ${state}`);
      this.ledger.states.set(taskId, [...(this.ledger.states.get(taskId) ?? []), state]);
      this.#noteAcknowledged();
    }
  }

  #noteAcknowledged(): void {
    const now = performance.now();
    this.#longestOutage = Math.max(this.#longestOutage, now - this.#lastAcknowledged);
    this.#lastAcknowledged = now;
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error instanceof Error ? error : new Error('the load failed');
  };
}
