import { type Cluster, startCluster } from '../support/cluster.ts';
import { retrySeconds, timeoutSeconds } from '../support/ledger/check/check-schedule.ts';
import type { ServiceName } from '../support/service-process.ts';
import { TappedLink } from '../support/tapped-link.ts';

export interface ChaosCluster extends Cluster {
  /** Between each process and NATS, in the order of the services. */
  readonly links: Readonly<Record<ServiceName, readonly TappedLink[]>>;
}

const settings = {
  RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
  RELAY_CHAT_MESSAGE_RATE: '10000',
  RELAY_MESSAGE_RATE: '10000',
  RELAY_WEBHOOK_RETRY_SECONDS: retrySeconds.join(),
  RELAY_WEBHOOK_TIMEOUT_SECONDS: String(timeoutSeconds),
};

/** Two of each service, each with a link of its own to NATS. */
export async function startChaosCluster(): Promise<ChaosCluster> {
  const links: Record<ServiceName, TappedLink[]> = {
    gateway: [],
    'task-manager': [],
    delivery: [],
  };
  const reachNats = async (name: ServiceName, natsUrl: string) => {
    const url = new URL(natsUrl);
    const link = await TappedLink.start(Number(url.port));
    links[name].push(link);
    url.port = String(link.port);
    return url.href;
  };
  const cluster = await startCluster({ settings, reachNats });
  return {
    ...cluster,
    links,
    stop: async () => {
      await cluster.stop();
      for (const link of Object.values(links).flat()) link.close();
    },
  };
}
