import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Bus, partitions, type Registry } from '@relay/bus';
import type { DeliveryPort } from '@relay/domain';
import type { Outbound } from '@relay/outbound';
import type { Config, Logger, Sealer } from '@relay/runtime';
import { createDeliveryHandler } from './delivery-handler.ts';
import { stuckHandlers } from './fan-out/stuck/stuck-handlers.ts';
import { feedRecordSchema } from './feed/feed-record.ts';
import { Feeds } from './feed/feeds.ts';
import { SharedPause } from './pause.ts';
import { PushConfigStore } from './push/push-config-store.ts';
import { pushHandlers } from './push/push-handlers.ts';
import { PushSenders } from './push/push-senders.ts';
import { createPushWriter } from './push/push-writer.ts';
import { secretHandlers } from './secrets/secret-handlers.ts';
import { SocketServer } from './socket/socket-server.ts';
import { deliveryHandlers } from './webhook/deliveries/delivery-handlers.ts';
import { readOwed } from './webhook/owed-events.ts';
import { subscriptionHandlers } from './webhook/subscriptions/subscription-handlers.ts';
import { SubscriptionStore } from './webhook/subscriptions/subscription-store.ts';
import { Webhooks } from './webhook/webhooks.ts';

const group = 'delivery';

export interface DeliveryOptions {
  readonly bus: Bus;
  readonly registry: Registry;
  readonly config: Pick<
    Config,
    | 'a2aPush'
    | 'adminToken'
    | 'drainSeconds'
    | 'socketLimit'
    | 'webhookChallenge'
    | 'webhookRetrySeconds'
    | 'webhookTimeoutSeconds'
  >;
  /** The way to webhooks. */
  readonly outbound: Outbound;
  /** Seals what webhooks are signed with. */
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly replicaId: string;
}

export interface Delivery {
  /** Executes what is asked of delivery. */
  readonly commands: DeliveryPort;
  /** Takes a request for `/v1/websocket` over, or refuses it on its socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  isReady(): boolean;
  /** Takes no more sockets, tells those there are to connect again, saves and gives back its leases. */
  drain(): Promise<void>;
  /** Ends all that is left. The bus may be closed after it. */
  close(): Promise<void>;
}

/** Delivers the events in agents' feeds, over WebSockets and webhooks. */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { bus, registry, config, logger, replicaId } = options;
  const pushConfigs = new PushConfigStore(bus);
  const common = { bus, logger, pause: new SharedPause() };
  const webhooks = new Webhooks({
    ...options,
    ...common,
    push: config.a2aPush ? { store: pushConfigs, registry } : undefined,
  });
  const names = partitions.map(String);
  const leases = bus.holdLeases({ group, replicaId, names, handlers: webhooks });
  const feeds = new Feeds({ bus, logger, replicaId, group });
  const { adminToken, socketLimit: limit } = config;
  const sockets = new SocketServer({ bus, registry, feeds, adminToken, limit, logger });
  const records = bus.bucket('feeds', '', feedRecordSchema);
  const subscriptions = new SubscriptionStore(records, (agentId, record) =>
    readOwed(bus, agentId, record),
  );
  const pushSenders = new PushSenders(registry);
  const commands = createDeliveryHandler(
    {
      ...subscriptionHandlers({
        store: subscriptions,
        deliveries: bus.deliveries,
        outbound: options.outbound,
        sealer: options.sealer,
        mustAnswerChallenge: config.webhookChallenge,
        timeoutMilliseconds: Math.round(config.webhookTimeoutSeconds * 1_000),
      }),
      ...pushHandlers({ ...options, store: pushConfigs, senders: pushSenders }),
      ...deliveryHandlers({ bus, subscriptions, pushConfigs }),
      ...stuckHandlers(bus, config.a2aPush ? createPushWriter(common, registry) : undefined),
      ...secretHandlers({ bus, sealer: options.sealer, logger }),
    },
    logger,
  );
  await leases.start();
  let drained: Promise<void> | undefined;
  const drain = async () => {
    await sockets.drain(config.drainSeconds);
    await feeds.flush();
    await leases.stop();
  };
  return {
    commands,
    handleUpgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head),
    isReady: () => !drained && bus.isConnected(),
    drain: () => {
      drained ??= drain();
      return drained;
    },
    close: async () => {
      sockets.close();
      drained ??= drain();
      await drained;
      webhooks.close();
      feeds.close();
    },
  };
}
