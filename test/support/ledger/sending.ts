import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from './agent-client.ts';
import { EventStream, type StreamLedger } from './event-stream.ts';
import { orders, orderText, type Work } from './work.ts';

/** Milliseconds after each acknowledged task: what is tested is not how much it can take. */
const pauseBetween = 50;
const completed = 'TASK_STATE_COMPLETED';

/** Requesters that send to callees in all ways, in turn, until they are told to end. */
export class Sending {
  readonly streams: StreamLedger[] = [];
  readonly #work: Work;
  readonly #onFailure: (error: unknown) => void;
  readonly #asksAgain: boolean;
  readonly #requesters: AgentClient[] = [];
  readonly #callees: AgentClient[] = [];
  readonly #senders: Promise<void>[] = [];
  #isEnded = false;
  #sent = 0;

  /** @param asksAgain whether a blocking call may end before its task, as where a relay stops in order */
  constructor(work: Work, onFailure: (error: unknown) => void, asksAgain: boolean) {
    this.#work = work;
    this.#onFailure = onFailure;
    this.#asksAgain = asksAgain;
  }

  add(client: AgentClient, acceptsTasks: boolean): void {
    (acceptsTasks ? this.#callees : this.#requesters).push(client);
  }

  /** @param senders how many do not wait for what comes of it; one more waits, and one reads a stream */
  begin(senders: number): void {
    const ways = [...Array.from({ length: senders }, () => this.#send), this.#wait, this.#stream];
    for (const way of ways) this.#senders.push(this.#repeat(way).catch(this.#onFailure));
  }

  /** Resolves when all that is being sent is done with. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#senders);
  }

  async #repeat(way: (from: AgentClient, to: AgentClient) => Promise<void>): Promise<void> {
    while (!this.#isEnded) {
      this.#sent += 1;
      const from = this.#requesters[this.#sent % this.#requesters.length];
      const turn = Math.floor(this.#sent / this.#requesters.length);
      const to = this.#callees[turn % this.#callees.length];
      if (!from || !to) throw new Error('nobody to send from or to');
      await way(from, to);
      await delay(pauseBetween);
    }
  }

  readonly #send = async (from: AgentClient, to: AgentClient): Promise<void> => {
    const order = orders[this.#sent % orders.length] ?? 'plain';
    const { id } = await from.send(to, orderText(order, to));
    this.#work.noteTask(id, from, to);
  };

  readonly #wait = async (from: AgentClient, to: AgentClient): Promise<void> => {
    const sending = { messageId: randomUUID(), isBlocking: true };
    const ask = () => from.send(to, orderText('artifact', to), sending);
    let task = await ask();
    this.#work.noteTask(task.id, from, to);
    while (this.#asksAgain && task.status.state !== completed) task = await ask();
    const { state } = task.status;
    if (state !== completed) throw new Error(`a blocking call ended ${state}`);
  };

  readonly #stream = async (from: AgentClient, to: AgentClient): Promise<void> => {
    const text = orderText('artifact', to);
    const leavesAfter = 1 + (this.#sent % 3);
    const onTask = (taskId: string) => this.#work.noteTask(taskId, from, to);
    const stream = new EventStream({ from, to, text, leavesAfter, onTask });
    await stream.follow();
    this.streams.push(stream);
  };
}
