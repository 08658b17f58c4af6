import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { AgentSocket, type SocketOptions } from './agent-socket.ts';
import {
  registerAgent,
  startTestDelivery,
  type TestAgent,
  type TestDelivery,
  type TestSettings,
  TestTask,
} from './delivery.ts';
import { startNats, type TestServer } from './servers.ts';

interface OpenOptions extends Pick<SocketOptions, 'query' | 'acknowledges'> {
  /** The worker, unless another one is named. */
  readonly agent?: TestAgent;
  /** Where; at the first replica unless another one is named. */
  readonly at?: TestDelivery;
}

/** Read it inside tests. */
export interface DeliveryFixture {
  readonly nats: TestServer;
  /** The first replica. */
  readonly delivery: TestDelivery;
  /** Sends tasks. Both agents are new in each test. */
  readonly planner: TestAgent;
  /** Does them. */
  readonly worker: TestAgent;
  /** One more replica. */
  readonly start: () => Promise<TestDelivery>;
  readonly open: (options?: OpenOptions) => Promise<AgentSocket>;
  /** From the planner to the worker. */
  readonly newTask: () => TestTask;
}

/** NATS and delivery for all tests of a file, or for each test anew. */
export function useDelivery(scope: 'file' | 'test', settings: TestSettings = {}): DeliveryFixture {
  const replicas: TestDelivery[] = [];
  let nats: TestServer | undefined;
  let agents: readonly [planner: TestAgent, worker: TestAgent] | undefined;
  const start = async () => {
    const replica = await startTestDelivery(started(nats).url, settings);
    replicas.push(replica);
    return replica;
  };
  const [before, after] = scope === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    nats = await startNats();
    await start();
  });
  beforeEach(async () => {
    const { registry } = started(replicas[0]);
    agents = [await registerAgent(registry), await registerAgent(registry)];
  });
  after(async () => {
    // One that a test cut off cannot close in order.
    await Promise.allSettled(replicas.splice(0).map((replica) => replica.close()));
    await nats?.stop();
  });
  const fixture: DeliveryFixture = {
    get nats() {
      return started(nats);
    },
    get delivery() {
      return started(replicas[0]);
    },
    get planner() {
      return started(agents)[0];
    },
    get worker() {
      return started(agents)[1];
    },
    start,
    open: ({ agent = fixture.worker, at = fixture.delivery, ...options } = {}) =>
      AgentSocket.open({ url: at.url, token: agent.token, ...options }),
    newTask: () =>
      new TestTask(fixture.delivery.bus, fixture.planner.contact, fixture.worker.contact),
  };
  return fixture;
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Delivery has not started');
  return value;
}
