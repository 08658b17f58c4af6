import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './relay.ts';
import { startNats, startRedis, type TestServer } from './servers.ts';

const adminToken = `relay_admin_${'a'.repeat(43)}`;

type ServiceName = 'gateway' | 'task-manager' | 'delivery';

/** Something that can be killed, stopped for a while and started again. */
export type Victim = Pick<TestServer, 'kill' | 'restart' | 'pause' | 'resume'>;

/** One service in a process of its own, always on the same port. */
class ServiceProcess implements Victim {
  readonly url: string;
  readonly #main: string;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(name: ServiceName, port: number, environment: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#main = resolve(import.meta.dirname, `../../services/${name}/dist/main.js`);
    this.#environment = { ...environment, RELAY_PORT: String(port) };
  }

  /** Resolves when it is ready. */
  async restart(): Promise<void> {
    const child = spawn(process.execPath, [this.#main], {
      env: { PATH: process.env['PATH'], RELAY_LOG_LEVEL: 'error', ...this.#environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.#process = child;
    const killChild = () => child.kill('SIGKILL');
    process.once('exit', killChild);
    child.once('exit', () => process.off('exit', killChild));
    while (!(await this.#isReady())) {
      if (child.exitCode !== null) throw new Error(`${this.#main} ended at its start`);
      await delay(50);
    }
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** In order: what is in flight ends first. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
    return response?.status === 200;
  }
}

export interface Cluster {
  readonly gatewayUrls: readonly string[];
  readonly adminToken: string;
  readonly nats: TestServer;
  readonly redis: TestServer;
  readonly services: Readonly<Record<ServiceName, readonly ServiceProcess[]>>;
  stop(): Promise<void>;
}

/** Two of each service on one NATS and one Redis, built beforehand. Each gateway has a delivery of its own. */
export async function startCluster(): Promise<Cluster> {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  const environment = {
    RELAY_NATS_URL: nats.url,
    RELAY_REDIS_URL: redis.url,
    RELAY_ADMIN_TOKEN: adminToken,
  };
  const start = async (name: ServiceName, more: Record<string, string> = {}) => {
    const service = new ServiceProcess(name, await freePort(), { ...environment, ...more });
    await service.restart();
    return service;
  };
  const taskManagers = [await start('task-manager'), await start('task-manager')];
  const deliveries = [await start('delivery'), await start('delivery')];
  const gateways = await Promise.all(
    deliveries.map(({ url }) => start('gateway', { RELAY_DELIVERY_URL: url })),
  );
  const services = { gateway: gateways, 'task-manager': taskManagers, delivery: deliveries };
  return {
    gatewayUrls: gateways.map(({ url }) => url),
    adminToken,
    nats,
    redis,
    services,
    stop: async () => {
      const all = [...gateways, ...deliveries, ...taskManagers];
      await Promise.all(all.map((service) => service.stop()));
      await Promise.all([nats.stop(), redis.stop()]);
    },
  };
}
