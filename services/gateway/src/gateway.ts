import type { Bus, Registry } from '@relay/bus';
import type { ChatCommandPort, DeliveryPort, TaskCommandPort } from '@relay/domain';
import type { Config, Logger } from '@relay/runtime';
import type { Rates } from '@relay/store';
import type { FastifyInstance } from 'fastify';
import { addAccessRoutes, addBlockRoutes } from './access/access-routes.ts';
import { describeAddress } from './address/address-operation.ts';
import { addHttpJsonRoutes } from './address/http-json-routes.ts';
import { answerJsonRpc } from './address/json-rpc-handler.ts';
import type { AddressRoute } from './address/parties.ts';
import { addAdministrationRoutes } from './administration/administration-routes.ts';
import { addCardRoutes, addKeySetRoute, addRootCardRoutes } from './card/card-routes.ts';
import { CardSigner } from './card/card-signer.ts';
import { Chats } from './chats/chat-commands.ts';
import type { ChatPages } from './chats/chat-pages.ts';
import { Idempotency } from './chats/idempotency.ts';
import type { Directory } from './directory/directory.ts';
import { addDirectoryRoutes } from './directory/directory-routes.ts';
import { addLookupRoutes } from './directory/lookup-routes.ts';
import type { GatewayContext } from './gateway-context.ts';
import { Authentication } from './http/authentication.ts';
import { Connections } from './http/connections.ts';
import { addHealthRoutes } from './http/health-routes.ts';
import { InFlight } from './http/in-flight.ts';
import { createServer } from './http/server.ts';
import { passUpgrades, type UpgradeHandler, webSocketRoute } from './http/upgrades.ts';
import { collectRoutes } from './reference/operation.ts';
import { addReferenceRoutes } from './reference/reference-routes.ts';
import { addAgentRoutes } from './registry/agent-routes.ts';
import { migrateOwners } from './registry/migrate-owners.ts';
import { addOwnerRoutes } from './registry/owner-routes.ts';
import { addOwnerTokenRoutes } from './registry/owner-token-routes.ts';
import { addTokenRoutes } from './registry/token-routes.ts';
import { addChatPageRoutes } from './rest/chat-page-routes.ts';
import { addChatRoutes } from './rest/chat-routes.ts';
import { addContactCardRoutes } from './rest/contact-card-routes.ts';
import { addMeRoutes } from './rest/me-routes.ts';
import { addMessageRoutes } from './rest/message-routes.ts';
import { addParticipantRoutes } from './rest/participant-routes.ts';
import { addTaskChangeRoutes } from './rest/task-change-routes.ts';
import { addTaskHistoryRoutes } from './rest/task-history-routes.ts';
import { addTaskRoutes } from './rest/task-routes.ts';
import { KeepAlive } from './streaming/keep-alive.ts';
import { TaskCommands } from './tasks/task-commands.ts';
import type { TaskLists } from './tasks/task-lists.ts';
import { FollowedTasks } from './waiting/followed-tasks.ts';
import { OpenCalls } from './waiting/open-calls.ts';
import { DeliveryCommands } from './webhooks/delivery-commands.ts';
import { addDeliveryRoutes, addRedriveRoutes } from './webhooks/delivery-routes.ts';
import { addSubscriptionActionRoutes } from './webhooks/subscription-action-routes.ts';
import { addSubscriptionRoutes } from './webhooks/subscription-routes.ts';

export interface GatewayOptions {
  readonly bus: Bus;
  /** Started. */
  readonly registry: Registry;
  readonly commands: TaskCommandPort;
  readonly chatCommands: ChatCommandPort;
  readonly deliveryCommands: DeliveryPort;
  readonly taskLists: TaskLists;
  readonly chatPages: ChatPages;
  readonly directory: Directory;
  readonly rates: Rates;
  readonly config: Config;
  readonly logger: Logger;
  /** Takes over the connections of agents that open a WebSocket. */
  readonly handleUpgrade: UpgradeHandler;
  /** Whether Redis is away: then there are no lists, and everything else goes on. */
  readonly isDegraded: () => boolean;
}

export interface Gateway {
  /** Where it listens. */
  readonly url: string;
  isReady(): boolean;
  /** Takes no new work, lets waiting calls answer with the task as it stands, and ends streams. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  close(): Promise<void>;
}

/** Speaks every wire, and holds no state of its own. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { bus, config, logger } = options;
  const inFlight = new InFlight(config.requestLimit);
  const connections = new Connections(config.connectionLimit);
  const context = await createContext(options, inFlight);
  const server = createServer({ config, logger, inFlight, connections });
  const isReady = () => bus.isConnected() && !inFlight.isDraining;
  const routes = collectRoutes(server);
  addHealthRoutes(server, { isReady, isDegraded: options.isDegraded });
  addRoutes(server, context);
  addReferenceRoutes(server, () => [...routes, webSocketRoute]);
  passUpgrades(server.server, connections, options.handleUpgrade);
  const url = await server.listen({ host: config.host, port: config.port });
  return {
    url,
    isReady,
    drain: async () => {
      // With its door closed a proxy goes to another replica; a refusal it would pass on.
      server.server.close();
      const idle = inFlight.drain(config.drainSeconds);
      context.openCalls.drain();
      await idle;
    },
    close: async () => {
      await server.close();
      context.followedTasks.close();
      context.keepAlive.close();
    },
  };
}

async function createContext(options: GatewayOptions, inFlight: InFlight): Promise<GatewayContext> {
  const { bus, registry, commands, chatCommands, deliveryCommands, taskLists } = options;
  const { chatPages, directory, rates, config } = options;
  await migrateOwners(bus, registry);
  const authentication = new Authentication(registry, config.adminToken);
  const secret = await registry.taskIdSecret();
  return {
    config,
    registry,
    authentication,
    record: bus.tasks,
    commands: new TaskCommands(commands, secret),
    chats: new Chats({ registry, bus, port: chatCommands, secret }),
    idempotency: new Idempotency(bus),
    rates,
    deliveryCommands: new DeliveryCommands(deliveryCommands),
    taskLists,
    chatPages,
    directory,
    followedTasks: new FollowedTasks(bus),
    inFlight,
    openCalls: new OpenCalls(registry, authentication, config.waitLimit),
    keepAlive: new KeepAlive(config.keepaliveSeconds),
    cardSigner: await CardSigner.create(config),
  };
}

function addRoutes(server: FastifyInstance, context: GatewayContext): void {
  addTaskRoutes(server, context);
  addTaskChangeRoutes(server, context);
  addTaskHistoryRoutes(server, context);
  addMessageRoutes(server, context);
  addChatRoutes(server, context);
  addChatPageRoutes(server, context);
  addParticipantRoutes(server, context);
  addMeRoutes(server, context);
  addAccessRoutes(server, context);
  addBlockRoutes(server, context);
  addContactCardRoutes(server, context);
  addLookupRoutes(server, context);
  addDirectoryRoutes(server, context);
  addSubscriptionRoutes(server, context);
  addSubscriptionActionRoutes(server, context);
  addDeliveryRoutes(server, context);
  addRedriveRoutes(server, context);
  addAgentRoutes(server, context);
  addTokenRoutes(server, context);
  addOwnerRoutes(server, context);
  addOwnerTokenRoutes(server, context);
  addAdministrationRoutes(server, context);
  addRootCardRoutes(server, context);
  addKeySetRoute(server, context);
  for (const prefix of ['', '/a2a'] as const) {
    addCardRoutes(server, context, prefix);
    const operation = describeAddress(prefix);
    server.post<AddressRoute>(`${prefix}/:handle`, { config: { operation } }, (request, reply) =>
      answerJsonRpc(context, request, reply),
    );
    addHttpJsonRoutes(server, context, prefix);
  }
}
