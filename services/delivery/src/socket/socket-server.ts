import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AuthenticatedAgent, type Bus, hashToken, type Registry } from '@relay/bus';
import { RelayError } from '@relay/protocol';
import { type Logger, ShownGauge, spread } from '@relay/runtime';
import { WebSocketServer } from 'ws';
import type { AgentFeed } from '../feed/agent-feed.ts';
import { isWebhookMode } from '../feed/feed-record.ts';
import type { Feeds } from '../feed/feeds.ts';
import { AgentWebSocket } from './agent-web-socket.ts';
import { Heartbeats } from './heartbeats.ts';
import { type ConnectionWishes, readQuery } from './query.ts';
import { refusalOf, refuseUpgrade } from './refusal.ts';
import { type SessionContext, SocketSession } from './socket-session.ts';

const path = '/v1/websocket';
const bearerPattern = /^Bearer +(\S+) *$/i;
const maximumFrameBytes = 64 * 1024;
/** Told to a client of another one (RFC 6455 §4.4). */
const spokenVersion = 'Sec-WebSocket-Version: 13';
/** At one replica, of one agent. */
const maximumConnections = 1_024;
const maximumObservers = 16;
const retryConnectionSeconds = 30;
/** Of the time to drain, for telling the sockets; the rest is for their closes. */
const tellingShare = 0.6;

const sockets = new ShownGauge({
  name: 'relay_sockets',
  help: "Agents' WebSockets that are open.",
});

export interface SocketServerOptions {
  readonly bus: Bus;
  readonly registry: Registry;
  readonly feeds: Feeds;
  readonly adminToken: string | undefined;
  /** How many may be open. */
  readonly limit: number;
  readonly logger: Logger;
}

/** The agents' WebSockets. */
export class SocketServer {
  readonly #options: SocketServerOptions;
  readonly #heartbeats = new Heartbeats();
  /** With what takes each off the list of its token's sessions. */
  readonly #sessions = new Map<SocketSession, () => void>();
  readonly #context: SessionContext;
  readonly #upgrades = new WebSocketServer<typeof AgentWebSocket>({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maximumFrameBytes,
    WebSocket: AgentWebSocket,
  });
  readonly #hide = sockets.show(() => [{ value: this.#sessions.size }]);
  #isDraining = false;

  constructor(options: SocketServerOptions) {
    this.#options = options;
    const { logger } = options;
    const onEnd = (session: SocketSession) => {
      this.#sessions.get(session)?.();
      this.#sessions.delete(session);
    };
    this.#context = { heartbeats: this.#heartbeats, logger, onEnd };
    this.#upgrades.on('wsClientError', ({ message }, socket) =>
      refuseUpgrade(socket, { error: 'invalidRequest', message }, [spokenVersion]),
    );
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A client that goes away meanwhile is noticed by the writes.
    socket.on('error', ignore);
    this.#accept(request, socket, head).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.error === 'internal')
        this.#options.logger.error({ err: error }, 'upgrade.failed');
      refuseUpgrade(socket, refusal);
    });
  }

  /** Tells each socket to connect again, spread over the time. Resolves when all are closed. */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    const drained: Promise<void>[] = [];
    await spread(this.#sessions.keys(), seconds * tellingShare, (session) => {
      drained.push(session.drain());
    });
    await Promise.all(drained);
  }

  close(): void {
    this.#isDraining = true;
    for (const session of this.#sessions.keys()) session.disconnect('restart');
    this.#heartbeats.close();
    this.#hide();
  }

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [pathname, ...query] = (request.url ?? '').split('?');
    if (pathname !== path) throw new RelayError('notFound');
    this.#requireService();
    const { agent, tokenHash } = await this.#authenticate(request.headers.authorization);
    const wishes = readQuery(query.join('?'));
    const registeredAt = Date.parse(agent.created_at);
    const feed = this.#options.feeds.hold({ agentId: agent.id, registeredAt });
    try {
      await feed.opened;
      this.#requireService();
      refuseWhereFull(feed, wishes);
      this.#upgrades.handleUpgrade(request, socket, head, (webSocket) => {
        this.#open(webSocket, feed, wishes, tokenHash);
      });
    } finally {
      feed.release();
    }
  }

  #open(
    webSocket: AgentWebSocket,
    feed: AgentFeed,
    wishes: ConnectionWishes,
    tokenHash: string,
  ): void {
    const session = new SocketSession(this.#context, webSocket, feed, wishes);
    feed.hold();
    const forgetToken = this.#options.registry.onRevoked(tokenHash, () =>
      session.disconnect('revoked'),
    );
    this.#sessions.set(session, forgetToken);
    void this.#start(session, tokenHash);
  }

  /** The token may have been revoked between its check and the time from which that is heard of. */
  async #start(session: SocketSession, tokenHash: string): Promise<void> {
    if (await this.#options.registry.isStillGood(tokenHash)) await session.start();
    else session.disconnect('revoked');
  }

  async #authenticate(authorization: string | undefined): Promise<AuthenticatedAgent> {
    const { registry, adminToken } = this.#options;
    const token = bearerPattern.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new RelayError('unauthenticated');
    const identity = await registry.authenticate(token);
    if (identity?.kind === 'agent') return identity;
    const isAdmin = adminToken !== undefined && hashToken(token) === hashToken(adminToken);
    throw new RelayError(identity || isAdmin ? 'forbidden' : 'unauthenticated');
  }

  #requireService(): void {
    if (this.#isDraining || !this.#options.bus.isConnected()) {
      throw new RelayError({ error: 'unavailable', retryAfterSeconds: 1 });
    }
    if (this.#sessions.size >= this.#options.limit) {
      const message = 'Relay has too many WebSockets right now. Try again later.';
      const retryAfterSeconds = retryConnectionSeconds;
      throw new RelayError({ error: 'unavailable', message, retryAfterSeconds });
    }
  }
}

function ignore(): void {}

function refuseWhereFull(feed: AgentFeed, { isObserver }: ConnectionWishes): void {
  if (isWebhookMode(feed.record)) {
    const message = 'This agent gets its events by webhook. Delete its subscriptions first.';
    throw new RelayError({ error: 'conflict', message });
  }
  const isFull = isObserver
    ? feed.observers.count >= maximumObservers
    : feed.holders > maximumConnections;
  if (!isFull) return;
  throw new RelayError({
    error: 'tooManyConnections',
    retryAfterSeconds: retryConnectionSeconds,
  });
}
