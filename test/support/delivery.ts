import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bus,
  connectBus,
  encodeTask,
  hashToken,
  makeToken,
  type RecordedTask,
  Registry,
} from '@relay/bus';
import { type Delivery, type DeliveryOptions, startDelivery, startFanOut } from '@relay/delivery';
import { decide, evolve, type TaskChange, type TaskCommand, toRecordedChange } from '@relay/domain';
import { createOutbound } from '@relay/outbound';
import { type AgentId, agentRecordSchema, type ContactCard, timestampAt } from '@relay/protocol';
import { createLogger, loadConfig } from '@relay/runtime';
import { testSealer } from './sealer.ts';
import { taskCommands, testContact } from './task-commands.ts';

const testConfig = loadConfig({ RELAY_LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent' });

export interface TestDelivery extends Delivery {
  readonly bus: Bus;
  readonly registry: Registry;
  readonly replicaId: string;
  /** Of its WebSockets. */
  readonly url: string;
}

export type TestSettings = Partial<DeliveryOptions['config']>;

/** A delivery with connections and an HTTP server of its own, as if it were a process of its own. */
export async function startTestDelivery(
  natsUrl: string,
  settings: TestSettings = {},
): Promise<TestDelivery> {
  const replicaId = randomUUID();
  const bus = await connectBus({ servers: natsUrl, name: 'delivery', replicas: 1 });
  const registry = new Registry(bus);
  await registry.start();
  const outbound = createOutbound({ allowedNetworks: ['127.0.0.0/8'], ownListeners: [] });
  const common = {
    bus,
    config: { ...testConfig, adminToken: 'admin-token', drainSeconds: 1, ...settings },
    logger: createLogger(testConfig, 'delivery'),
    replicaId,
  };
  const fanOut = await startFanOut(common);
  const delivery = await startDelivery({
    ...common,
    registry,
    outbound,
    sealer: testSealer,
  });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => delivery.handleUpgrade(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    ...delivery,
    isReady: () => delivery.isReady() && fanOut.isReady(),
    drain: async () => {
      await delivery.drain();
      await fanOut.close();
    },
    bus,
    registry,
    replicaId,
    url: `ws://127.0.0.1:${address.port}/v1/websocket`,
    close: async () => {
      await delivery.close();
      await fanOut.close();
      outbound.close();
      registry.stop();
      server.close();
      await bus.close();
    },
  };
}

export interface TestAgent {
  readonly contact: ContactCard;
  readonly id: AgentId;
  readonly token: string;
}

/** An agent in the registry, with one token. */
export async function registerAgent(registry: Registry): Promise<TestAgent> {
  const contact = testContact(`agent_${randomUUID().slice(0, 8)}x`);
  const token = makeToken('agent');
  const sha256 = hashToken(token);
  const now = timestampAt(Date.now());
  const record = agentRecordSchema.parse({
    ...contact,
    accepts_tasks: true,
    created_at: now,
    updated_at: now,
    tokens: [{ id: randomUUID(), name: null, created_at: now, sha256 }],
  });
  await registry.agents.create(record.id, record);
  await registry.tokens.create(sha256, { agentId: record.id });
  return { contact, id: record.id, token };
}

/** A task as the task-manager would record it, one change after the other. */
export class TestTask {
  readonly commands: ReturnType<typeof taskCommands>;
  readonly #bus: Bus;
  #last: RecordedTask | undefined;

  constructor(bus: Bus, requester: ContactCard, callee: ContactCard) {
    this.#bus = bus;
    this.commands = taskCommands(requester, callee);
  }

  /** Records what the command does, again and again until NATS has it for certain. */
  async record(command: TaskCommand): Promise<void> {
    for (;;) {
      const decision = decide(this.#last?.snapshot, command);
      if (decision.type === 'repeat') return;
      if (decision.type === 'refusal') throw new Error(decision.refusal.error);
      const isRecorded = await this.#append(decision.change).catch(() => false);
      if (isRecorded) return;
      await sleep(50);
    }
  }

  submit(text?: string): Promise<void> {
    return this.record(this.commands.submit(text));
  }

  followUp(text: string): Promise<void> {
    return this.record(this.commands.followUp(randomUUID(), text));
  }

  async #append(change: TaskChange): Promise<boolean> {
    const snapshot = evolve(this.#last?.snapshot, change);
    const pair = { change: toRecordedChange(change), snapshot };
    const payload = encodeTask(pair);
    const outcome = await this.#bus.tasks.append(pair, payload, this.#last);
    this.#last = await this.#bus.tasks.read(this.commands.taskId);
    return outcome.type === 'appended';
  }
}
