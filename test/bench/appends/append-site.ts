import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AgentClient } from '../../support/ledger/agent-client.ts';
import { startNats, startRedis } from '../../support/servers.ts';
import type { Relay, RelaySettings, RelayVariant } from '../contenders/relays.ts';
import { Teardown } from '../contenders/teardown.ts';
import type { TrackedProcess } from '../measure/processes.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import { type Moment, momentSchema } from '../webhooks/orders.ts';
import type { Appends } from './orders.ts';

const momentsSchema = z.array(momentSchema);

interface Remotes {
  readonly appender: RemoteProcess;
  readonly sockets: RemoteProcess;
  readonly webhooks: RemoteProcess;
}

/**
 * Relay on a NATS and a Redis that outlast it, with a process that appends changes past its API and two that
 * receive the events, by WebSocket and by webhook.
 */
export class AppendSite {
  readonly natsUrl: string;
  readonly #variant: RelayVariant;
  readonly #settings: RelaySettings;
  readonly #teardown: Teardown;
  readonly #remotes: Remotes;
  readonly #servers: readonly TrackedProcess[];
  readonly #receiverOrigin: string;
  #relay: Relay | undefined;

  private constructor(
    variant: RelayVariant,
    settings: RelaySettings,
    teardown: Teardown,
    started: {
      natsUrl: string;
      servers: readonly TrackedProcess[];
      remotes: Remotes;
      receiverOrigin: string;
    },
  ) {
    this.#variant = variant;
    this.#settings = settings;
    this.#teardown = teardown;
    this.natsUrl = started.natsUrl;
    this.#servers = started.servers;
    this.#remotes = started.remotes;
    this.#receiverOrigin = started.receiverOrigin;
  }

  /** Starts all but Relay itself. */
  static async start(variant: RelayVariant, settings: RelaySettings): Promise<AppendSite> {
    const teardown = new Teardown();
    const nats = await teardown.start(startNats, (server) => server.stop());
    const redis = await teardown.start(startRedis, (server) => server.stop());
    const startRemote = (name: string, path: string) =>
      teardown.start(
        async () => RemoteProcess.start(name, new URL(path, import.meta.url)),
        (process) => process.stop(),
      );
    const remotes = {
      appender: await startRemote('appender', './appender-process.js'),
      sockets: await startRemote('sockets', './sockets-process.js'),
      webhooks: await startRemote('webhooks', '../webhooks/receiver-process.js'),
    };
    const port = await remotes.webhooks.call('listen', undefined, z.int());
    await remotes.appender.call('connect', nats.url, z.undefined());
    const environment = {
      ...settings.environment,
      RELAY_NATS_URL: nats.url,
      RELAY_REDIS_URL: redis.url,
      RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
      // What one start sealed the next must open.
      RELAY_SECRET_KEY: randomBytes(32).toString('base64'),
    };
    return new AppendSite(variant, { ...settings, environment }, teardown, {
      natsUrl: nats.url,
      servers: [
        { name: 'nats-server', pid: nats.pid },
        { name: 'redis-server', pid: redis.pid },
      ],
      remotes,
      receiverOrigin: `http://127.0.0.1:${port}`,
    });
  }

  get relay(): Relay {
    if (!this.#relay) throw new Error('Relay does not run');
    return this.#relay;
  }

  /** What works with Relay's own processes. */
  get helpers(): readonly TrackedProcess[] {
    const remotes = Object.entries(this.#remotes).map(([name, { pid }]) => ({ name, pid }));
    return [...this.#servers, ...remotes];
  }

  /** Resolves when it is ready. */
  async startRelay(): Promise<Relay> {
    this.#relay = await this.#teardown.start(
      () => this.#variant.start(this.#settings),
      (relay) => relay.stop(),
    );
    return this.#relay;
  }

  register(count: number): Promise<AgentClient[]> {
    const { origin, adminToken } = this.relay;
    const register = () => AgentClient.register([origin], adminToken, true);
    return Promise.all(Array.from({ length: count }, register));
  }

  async subscribe(agent: AgentClient): Promise<void> {
    await agent.subscribe(`${this.#receiverOrigin}/take/${agent.handle}`, ['task.created']);
  }

  /** Opens a WebSocket for each. */
  async connect(agents: readonly AgentClient[]): Promise<void> {
    const tokens = agents.map(({ token }) => token);
    await this.#remotes.sockets.call('open', { origin: this.relay.origin, tokens }, z.undefined());
  }

  /** @returns when each was asked for */
  append(order: Appends): Promise<Moment[]> {
    return this.#remotes.appender.call('append', order, momentsSchema);
  }

  /** Waits for so many events. @returns when each came */
  take(way: 'sockets' | 'webhooks', count: number): Promise<Moment[]> {
    return this.#remotes[way].call('take', count, momentsSchema);
  }

  stop(): Promise<void> {
    return this.#teardown.run();
  }
}
