import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../crash/faults.ts';
import { AgentClient } from '../support/ledger/agent-client.ts';
import { EventReceiver } from '../support/ledger/event-receiver.ts';
import { OrdinaryLoad } from '../support/ordinary-load.ts';
import type { Stack } from './stack.ts';

/** Until what comes after a restart is expected. */
const recoveryTimeout = 60_000;
/** Tasks that are done between two restarts: it works again. */
const between = 5;

/** Ordinary clients, which try a request once again, while services are restarted. */
export class RollingRestart {
  /** What failed, was lost or came twice. */
  readonly #faults: string[] = [];
  readonly #load: OrdinaryLoad;
  readonly #receiver: EventReceiver;

  private constructor(load: OrdinaryLoad, receiver: EventReceiver) {
    this.#load = load;
    this.#receiver = receiver;
  }

  static async start({ url, adminToken }: Stack): Promise<RollingRestart> {
    const from = await AgentClient.register([url], adminToken, false);
    const to = await AgentClient.register([url], adminToken, true);
    const receiver = new EventReceiver({ token: from.token, nextUrl: () => url });
    return new RollingRestart(await OrdinaryLoad.start({ url, from, to }), receiver);
  }

  /** A restart, over when tasks are done again. */
  of(service: string): Fault<Stack> {
    return {
      name: `restart ${service}`,
      // What one endpoint of an agent has not taken comes again to its others from whoever takes over.
      disturbsDelivery: service.startsWith('delivery'),
      inflict: async (stack) => {
        await stack.compose('restart', service);
        const done = this.#load.completed.length + between;
        const works = await until(() => this.#load.completed.length >= done);
        if (!works) this.#faults.push(`nothing was done after the restart of ${service}`);
        return works;
      },
    };
  }

  /** @returns what failed, was lost or came twice */
  async end(): Promise<string[]> {
    const fail = (error: unknown) => this.#faults.push(`a request failed: ${String(error)}`);
    await this.#load.stop().catch(fail);
    await until(() => this.#receiver.received.length >= 2 * this.#load.completed.length);
    this.#receiver.close();
    return [...this.#faults, ...this.#receiver.faults, ...findFaults(this.#load, this.#receiver)];
  }
}

function findFaults(load: OrdinaryLoad, { received }: EventReceiver): string[] {
  const faults: string[] = [];
  const { completed, handled } = load;
  const due = 2 * completed.length;
  if (handled.toSorted().join() !== completed.toSorted().join()) {
    faults.push(`${handled.length} tasks were handled, ${completed.length} completed`);
  }
  if (received.length !== due) faults.push(`${received.length} events came, ${due} were due`);
  const different = new Set(received.map(({ eventId }) => eventId)).size;
  if (different !== received.length) faults.push(`${received.length - different} came twice`);
  return faults;
}

async function until(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + recoveryTimeout;
  while (!isSo() && performance.now() < end) await delay(50);
  return isSo();
}
