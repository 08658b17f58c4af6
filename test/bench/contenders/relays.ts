import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killWhenThisProcessEnds, removeWhenThisProcessEnds } from '../../support/reaper.ts';
import { freePort } from '../../support/relay.ts';
import { startNats, startRedis } from '../../support/servers.ts';
import { childrenOf, type TrackedProcess } from '../measure/processes.ts';
import { ServiceProcess } from './service-process.ts';
import { Teardown } from './teardown.ts';

export interface RelaySettings {
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of Node itself, such as those of its profiler. */
  readonly nodeArguments: readonly string[];
}

/** A running Relay, however many processes it is. */
export interface Relay {
  readonly origin: string;
  readonly adminToken: string;
  readonly processes: readonly TrackedProcess[];
  stop(): Promise<void>;
}

export interface RelayVariant {
  readonly name: string;
  start(settings: RelaySettings): Promise<Relay>;
}

export const relayVariants: readonly RelayVariant[] = [
  { name: 'relay, one process', start: startOneProcess },
  { name: 'relay, three processes', start: startThreeProcesses },
];

/** With the NATS and Redis that it starts itself. */
async function startOneProcess(settings: RelaySettings): Promise<Relay> {
  const site = await RelaySite.create(settings);
  const { service, origin } = await site.startService('standalone', {
    RELAY_DATA_DIR: site.directory,
    RELAY_DEMO: 'false',
  });
  const servers = childrenOf(service.pid);
  for (const { pid } of servers) killWhenThisProcessEnds(pid, site.directory);
  return site.relay(origin, [{ name: 'relay', pid: service.pid }, ...servers]);
}

/** Gateway, task-manager and delivery as the compose file runs them, on NATS and Redis of their own. */
async function startThreeProcesses(settings: RelaySettings): Promise<Relay> {
  const site = await RelaySite.create(settings);
  const nats = await site.teardown.start(startNats, (server) => server.stop());
  const redis = await site.teardown.start(startRedis, (server) => server.stop());
  const environment = { RELAY_NATS_URL: nats.url, RELAY_REDIS_URL: redis.url };
  const taskManager = await site.startService('task-manager', environment);
  const delivery = await site.startService('delivery', environment);
  const gateway = await site.startService('gateway', {
    ...environment,
    RELAY_DELIVERY_URL: delivery.origin,
  });
  return site.relay(gateway.origin, [
    { name: 'gateway', pid: gateway.service.pid },
    { name: 'task-manager', pid: taskManager.service.pid },
    { name: 'delivery', pid: delivery.service.pid },
    { name: 'nats-server', pid: nats.pid },
    { name: 'redis-server', pid: redis.pid },
  ]);
}

/** Where one Relay runs: its directory, its token and what has to be stopped. */
class RelaySite {
  readonly teardown = new Teardown();
  readonly directory: string;
  readonly #settings: RelaySettings;
  readonly #adminToken = randomUUID();
  readonly #secretKey = randomBytes(32).toString('base64');

  private constructor(directory: string, settings: RelaySettings) {
    this.directory = directory;
    this.#settings = settings;
  }

  static async create(settings: RelaySettings): Promise<RelaySite> {
    const directory = await mkdtemp(join(tmpdir(), 'relay-bench-'));
    removeWhenThisProcessEnds(directory);
    const site = new RelaySite(directory, settings);
    await site.teardown.start(
      async () => directory,
      () => rm(directory, { recursive: true, force: true }),
    );
    return site;
  }

  async startService(name: string, environment: Readonly<Record<string, string>>) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const options = {
      name,
      origin,
      directory: this.directory,
      nodeArguments: this.#settings.nodeArguments,
      environment: {
        RELAY_SECRET_KEY: this.#secretKey,
        ...environment,
        ...this.#settings.environment,
        RELAY_PORT: String(port),
        RELAY_ADMIN_TOKEN: this.#adminToken,
      },
    };
    const service = await this.teardown.start(
      () => ServiceProcess.start(options),
      (started) => started.stop(),
    );
    return { service, origin };
  }

  relay(origin: string, processes: readonly TrackedProcess[]): Relay {
    const stop = () => this.teardown.run();
    return { origin, adminToken: this.#adminToken, processes, stop };
  }
}
