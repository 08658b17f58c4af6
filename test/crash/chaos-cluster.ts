import { type Cluster, startCluster } from '../support/cluster.ts';
import type { LoadedRelay } from '../support/ledger/load.ts';
import { loadSettings } from '../support/ledger/load-settings.ts';
import type { ServiceName } from '../support/service-process.ts';
import { TappedLink } from '../support/tapped-link.ts';

export interface ChaosCluster extends Cluster, LoadedRelay {
  /** Between each process and NATS, in the order of the services. */
  readonly links: Readonly<Record<ServiceName, readonly TappedLink[]>>;
}

const settings = { ...loadSettings, RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.1' };

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
    receiverHost: '127.0.0.1',
    links,
    stop: async () => {
      await cluster.stop();
      for (const link of Object.values(links).flat()) link.close();
    },
  };
}
