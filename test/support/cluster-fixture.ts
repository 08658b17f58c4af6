import { afterAll, beforeAll } from 'vitest';
import { AgentSocket, type SocketOptions } from './agent-socket.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { GatewayClient, type TestAgent } from './gateway-client.ts';

export interface ClusterFixture {
  readonly cluster: Cluster;
  /** One for each gateway. */
  readonly clients: readonly [GatewayClient, GatewayClient];
  /** Sends tasks. */
  readonly planner: TestAgent;
  /** Does them. */
  readonly worker: TestAgent;
}

/** Two of each service, and two agents, for the tests of a file. Read it inside tests. */
export function useCluster(options?: ClusterOptions): ClusterFixture {
  let fixture: ClusterFixture | undefined;
  beforeAll(async () => {
    const cluster = await startCluster(options);
    const [one, two] = cluster.services.gateway;
    const clients = [new GatewayClient(one.url), new GatewayClient(two.url)] as const;
    const [planner, worker] = [await clients[0].createAgent(), await clients[1].createAgent()];
    fixture = { cluster, clients, planner, worker };
  });
  afterAll(() => fixture?.cluster.stop());
  const running = () => {
    if (!fixture) throw new Error('The cluster has not started');
    return fixture;
  };
  return {
    get cluster() {
      return running().cluster;
    },
    get clients() {
      return running().clients;
    },
    get planner() {
      return running().planner;
    },
    get worker() {
      return running().worker;
    },
  };
}

/** An agent's socket through a gateway. */
export function openSocket(
  { url }: GatewayClient,
  { token }: Pick<TestAgent, 'token'>,
  options: Pick<SocketOptions, 'query' | 'acknowledges' | 'ca'> = {},
): Promise<AgentSocket> {
  return AgentSocket.open({ url: `${url.replace('http', 'ws')}/v1/websocket`, token, ...options });
}
