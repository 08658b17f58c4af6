import { type ConnectionPorts, ownerOfConnection } from '../support/connection-owner.ts';
import type { LedgerLoad } from '../support/ledger/load.ts';
import type { ServiceName, ServiceProcess } from '../support/service-process.ts';
import type { ChaosCluster } from './chaos-cluster.ts';
import { type Fault, killAndRestart, oneOf } from './faults.ts';

/** Under load each of these moments comes soon, but for leases that have to run out. */
const patience = 15_000;
/** Acknowledgements of a socket are saved within 250 ms. */
const saveInterval = 250;

/** What NATS says when it has stored a message in a stream. */
const stored = (stream: string) => `"stream":"${stream}"`;

/** Kills a process when NATS has sent it a text, before it gets it. */
function killedAt(name: string, service: ServiceName, text: string): Fault {
  return pointOf(name, service, ({ services, links }, _load, strike) => {
    const pairs = services[service].map(
      (victim, index) => [victim, links[service][index]] as const,
    );
    for (const [victim, link] of pairs) link?.cutAt(text, () => strike(victim));
    return () => {
      for (const [, link] of pairs) link?.forget();
    };
  });
}

/** Kills the delivery that POSTs, as seen from a receiver of webhooks. */
function killedAtPost(moment: 'before its answer' | 'after its answer'): Fault {
  return pointOf(`delivery: POST taken, ${moment}`, 'delivery', ({ services }, load, strike) => {
    const { delivery } = services;
    const pids = delivery.map(({ pid }) => pid);
    const onRequest = (ports: ConnectionPorts) => {
      const owner = ownerOfConnection(ports, pids);
      strike(delivery.find(({ pid }) => pid === owner));
    };
    const healthy = load.webhookMailboxes.filter(({ endpoint }) => endpoint.temper === 'healthy');
    const ends = healthy.map(({ endpoint }) => endpoint.watch(moment, onRequest));
    return () => {
      for (const end of ends) end();
    };
  });
}

const killedAfterSocketAck = pointOf(
  'delivery: acknowledged by a socket, not saved',
  'delivery',
  ({ services: { gateway, delivery } }, load, strike) => {
    const onAcknowledged = (url: string) => {
      const victim = gateway[0].url === url ? delivery[0] : delivery[1];
      setTimeout(() => strike(victim), Math.random() * saveInterval);
    };
    for (const { receiver } of load.socketMailboxes) receiver.watch(onAcknowledged);
    return () => undefined;
  },
);

/** Moments at which something is done and not yet known to whoever did it. */
export const points: readonly Fault[] = [
  killedAt('task-manager: change stored, not replied', 'task-manager', stored('TASKS')),
  killedAt('task-manager: chat change stored, not told', 'task-manager', stored('CHATS')),
  killedAt('gateway: replied, not answered', 'gateway', '"state":"TASK_STATE_'),
  killedAt('delivery: event stored, not noted', 'delivery', stored('INBOX')),
  killedAt('delivery: position saved, not noted', 'delivery', stored('KV_feeds')),
  killedAt('delivery: retry recorded, not noted', 'delivery', stored('DELIVERIES')),
  killedAtPost('before its answer'),
  killedAtPost('after its answer'),
  killedAfterSocketAck,
];

type Strike = (victim: ServiceProcess | undefined) => void;

/** Waits for a moment. @returns a function that waits no longer */
type Arm = (cluster: ChaosCluster, load: LedgerLoad, strike: Strike) => () => void;

/** SIGKILL at the first such moment, of whichever process it comes to; where it does not come, of any. */
function pointOf(name: string, service: ServiceName, arm: Arm): Fault {
  return {
    name,
    disturbsDelivery: service === 'delivery',
    inflict: async (cluster, load) => {
      const moment = new Moment();
      const disarm = arm(cluster, load, (struck) => moment.strike(struck));
      const victim = await moment.struck;
      disarm();
      await killAndRestart([victim ?? oneOf(cluster.services[service])]);
      return victim !== undefined;
    },
  };
}

/** Strikes once. */
class Moment {
  readonly struck: Promise<ServiceProcess | undefined>;
  readonly #timer: NodeJS.Timeout;
  #resolve: Strike = () => undefined;
  #isOver = false;

  constructor() {
    this.struck = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.strike(undefined), patience);
  }

  strike(victim: ServiceProcess | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (victim) process.kill(victim.pid, 'SIGKILL');
    this.#resolve(victim);
  }
}
