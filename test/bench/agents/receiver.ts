import { z } from 'zod';
import { type MessageRange, type Moments, momentsSchema } from '../load/orders.ts';
import type { TrackedProcess } from '../measure/processes.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import { type Agent, type Delivery, deliverySchema } from './orders.ts';

/** The callee of the tasks, in a process of its own: takes each and does nothing until it is told to. */
export class Receiver {
  readonly #remote: RemoteProcess;

  private constructor(remote: RemoteProcess) {
    this.#remote = remote;
  }

  static async start(agent: Agent): Promise<Receiver> {
    const module = new URL('./receiver-process.js', import.meta.url);
    const remote = RemoteProcess.start('receiver', module);
    await remote.call('connect', agent, z.undefined());
    return new Receiver(remote);
  }

  get process(): TrackedProcess {
    return { name: 'receiver', pid: this.#remote.pid };
  }

  settle(sent: MessageRange, timeoutMilliseconds: number): Promise<Delivery> {
    return this.#remote.call('settle', { sent, timeoutMilliseconds }, deliverySchema);
  }

  finish(sent: MessageRange, connections: number): Promise<Moments> {
    return this.#remote.call('finish', { sent, connections }, momentsSchema);
  }

  stop(): Promise<void> {
    return this.#remote.stop();
  }
}
