import { createSecretKeyText } from '@relay/runtime';
import { adminToken } from './gateway.ts';
import { freePort } from './relay.ts';
import { startNats, startRedis, type TestServer } from './servers.ts';
import { type ServiceName, ServiceProcess } from './service-process.ts';

export interface Cluster {
  readonly gatewayUrls: readonly string[];
  readonly adminToken: string;
  readonly nats: TestServer;
  readonly redis: TestServer;
  readonly services: Readonly<Record<ServiceName, readonly [ServiceProcess, ServiceProcess]>>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Of every service, beside those that it needs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the next process of a service is to reach NATS, if not directly. */
  readonly reachNats?: (name: ServiceName, natsUrl: string) => Promise<string>;
}

/** Two of each service on one NATS and one Redis, built beforehand. Each gateway has a delivery of its own. */
export async function startCluster({ settings, reachNats }: ClusterOptions = {}): Promise<Cluster> {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  const environment = {
    ...settings,
    RELAY_REDIS_URL: redis.url,
    RELAY_ADMIN_TOKEN: adminToken,
    RELAY_SECRET_KEY: createSecretKeyText(),
  };
  const prepare = async (name: ServiceName, more: Record<string, string> = {}) => {
    const natsUrl = (await reachNats?.(name, nats.url)) ?? nats.url;
    const settingsOfIt = { ...environment, ...more, RELAY_NATS_URL: natsUrl };
    return new ServiceProcess(name, await freePort(), settingsOfIt);
  };
  const deliveries = [await prepare('delivery'), await prepare('delivery')] as const;
  const behind = ({ url }: ServiceProcess) => prepare('gateway', { RELAY_DELIVERY_URL: url });
  const services = {
    'task-manager': [await prepare('task-manager'), await prepare('task-manager')],
    delivery: deliveries,
    gateway: [await behind(deliveries[0]), await behind(deliveries[1])],
  } as const;
  const all = Object.values(services).flat();
  await Promise.all(all.map((service) => service.restart()));
  return {
    gatewayUrls: services.gateway.map(({ url }) => url),
    adminToken,
    nats,
    redis,
    services,
    stop: async () => {
      await Promise.allSettled(all.map((service) => service.stop()));
      await Promise.all([nats.stop(), redis.stop()]);
    },
  };
}
