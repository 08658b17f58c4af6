import { z } from 'zod';
import { AgentClient } from '../../support/ledger/agent-client.ts';
import { type RelaySettings, type RelayVariant, relayVariants } from '../contenders/relays.ts';
import { Teardown } from '../contenders/teardown.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import { type Moment, momentSchema } from './orders.ts';

const movedEvents = ['task.updated'];

/** Relay in one process, a callee that reports, and what receives webhooks, each in a process of its own. */
export class WebhookSite {
  readonly #teardown = new Teardown();
  readonly #origin: string;
  readonly #adminToken: string;
  readonly #callee: AgentClient;
  readonly #caller: RemoteProcess;
  readonly #receiver: RemoteProcess;
  readonly #receiverOrigin: string;

  private constructor(
    teardown: Teardown,
    relay: { readonly origin: string; readonly adminToken: string },
    callee: AgentClient,
    remote: { caller: RemoteProcess; receiver: RemoteProcess; receiverOrigin: string },
  ) {
    this.#teardown = teardown;
    this.#origin = relay.origin;
    this.#adminToken = relay.adminToken;
    this.#callee = callee;
    this.#caller = remote.caller;
    this.#receiver = remote.receiver;
    this.#receiverOrigin = remote.receiverOrigin;
  }

  static async start(settings: RelaySettings): Promise<WebhookSite> {
    const [oneProcess] = relayVariants;
    if (!oneProcess) throw new Error('Relay runs in no way');
    const teardown = new Teardown();
    const relay = await teardown.start(
      () => startRelay(oneProcess, settings),
      (started) => started.stop(),
    );
    const startRemote = (name: string) =>
      teardown.start(
        async () => RemoteProcess.start(name, new URL(`./${name}-process.js`, import.meta.url)),
        (process) => process.stop(),
      );
    const [caller, receiver] = [await startRemote('caller'), await startRemote('receiver')];
    const port = await receiver.call('listen', undefined, z.int());
    const callee = await AgentClient.register([relay.origin], relay.adminToken, true);
    const receiverOrigin = `http://127.0.0.1:${port}`;
    return new WebhookSite(teardown, relay, callee, { caller, receiver, receiverOrigin });
  }

  stop(): Promise<void> {
    return this.#teardown.run();
  }

  registerRequesters(count: number): Promise<AgentClient[]> {
    const register = () => AgentClient.register([this.#origin], this.#adminToken, false);
    return Promise.all(Array.from({ length: count }, register));
  }

  /** @param answers whether the endpoint ever does */
  async subscribe(requester: AgentClient, answers = true): Promise<void> {
    const path = answers ? 'take' : 'hole';
    await requester.subscribe(`${this.#receiverOrigin}/${path}/${requester.handle}`, movedEvents);
  }

  async open(requesters: readonly AgentClient[], tasks: number): Promise<void> {
    const plain = ({ handle, token }: AgentClient) => ({ handle, token });
    const order = { origin: this.#origin, callee: plain(this.#callee), tasks };
    await this.#caller.call('open', { ...order, requesters: requesters.map(plain) }, z.undefined());
  }

  /** Completes what is open. @returns when each was asked for */
  complete(pace: { connections: number; perSecond?: number }): Promise<Moment[]> {
    return this.#caller.call('complete', pace, z.array(momentSchema));
  }

  /** Waits for so many webhooks. @returns when each came */
  take(count: number): Promise<Moment[]> {
    return this.#receiver.call('take', count, z.array(momentSchema));
  }

  /** @returns how many signed POSTs a second go to the receiver without Relay */
  async bare(connections: number, requests: number): Promise<number> {
    const order = { origin: this.#receiverOrigin, connections, requests };
    const perSecond = await this.#caller.call('bare', order, z.number());
    await this.take(requests);
    return perSecond;
  }
}

function startRelay(variant: RelayVariant, settings: RelaySettings) {
  const environment = { ...settings.environment, RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.1' };
  return variant.start({ ...settings, environment });
}
