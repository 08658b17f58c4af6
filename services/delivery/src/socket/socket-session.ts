import {
  type ClientFrame,
  closeCodes,
  type DisconnectReason,
  restartPing,
  type ServerFrame,
  type SocketErrorCode,
} from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { RawData, WebSocket } from 'ws';
import type { AgentFeed } from '../feed/agent-feed.ts';
import type { AcceptedTypes } from '../feed/feed-record.ts';
import type { FeedConsumer, FeedRun } from '../feed/feed-run.ts';
import { errorFrame, firstFrames, readClientFrame } from './frames.ts';
import type { Beating, Heartbeats } from './heartbeats.ts';

/** A socket with more than this unsent is not read for. */
const maximumUnsent = 256 * 1024;
/** A client that sends on and on while it reads nothing is cut off here. */
const maximumUnsentAnswers = 8 * 1024 * 1024;
const stuckMilliseconds = 10_000;
const closeMilliseconds = 2_000;
/** How long a client that is told to connect again may take to acknowledge what it was sent. */
const lastAcknowledgementMilliseconds = 1_000;

const disconnectCodes: Record<DisconnectReason, number> = {
  revoked: closeCodes.revoked,
  heartbeat_timeout: closeCodes.heartbeatTimeout,
  restart: closeCodes.restart,
  webhook_configured: closeCodes.webhookConfigured,
};

const restartRequest = Buffer.from(restartPing);
const pong = Buffer.from(JSON.stringify({ type: 'pong' } satisfies ServerFrame));

export interface SocketSessionOptions {
  readonly webSocket: WebSocket;
  readonly feed: AgentFeed;
  readonly accepts: AcceptedTypes;
  /** It only watches: it acknowledges nothing, and counts for nothing. */
  readonly isObserver: boolean;
  readonly heartbeats: Heartbeats;
  readonly logger: Logger;
  /** Called once, when nothing is sent or taken any more. */
  readonly onEnd: (session: SocketSession) => void;
}

/** One WebSocket of an agent, from its upgrade to its end. */
export class SocketSession implements FeedConsumer, Beating {
  readonly connectionId = uuidv7();
  readonly accepts: AcceptedTypes;
  readonly #options: SocketSessionOptions;
  readonly #webSocket: WebSocket;
  readonly #startedAt = performance.now();
  #run: FeedRun | undefined;
  #sentThrough = 0;
  #eventsSent = 0;
  /** Since when it takes nothing; undefined while it does. */
  #blockedAt: number | undefined;
  /** Nothing is sent until the client has confirmed it. */
  #fullSync: { readonly through: number; readonly toldAt: number } | undefined;
  #drained: Promise<void> | undefined;
  #isOver = false;
  #onAcknowledged: () => void = () => undefined;

  /** The socket took a frame; it may take more, and others may have waited for it. */
  readonly #onSent = () => {
    if (this.#blockedAt === undefined || this.#webSocket.bufferedAmount > maximumUnsent) return;
    this.#blockedAt = undefined;
    this.deliver();
    this.#run?.onSent();
  };

  constructor(options: SocketSessionOptions) {
    this.accepts = options.accepts;
    this.#options = options;
    this.#webSocket = options.webSocket;
    this.#webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#webSocket.on('close', (code) => this.#end('closed', code));
    this.#webSocket.on('ping', (payload) => {
      if (payload.equals(restartRequest)) void this.drain();
    });
    // A close always follows.
    this.#webSocket.on('error', () => undefined);
    // What comes before the ready frame would be answered before it.
    this.#webSocket.pause();
    options.heartbeats.beat(this);
  }

  get sentThrough(): number {
    return this.#sentThrough;
  }

  get isStuck(): boolean {
    const since = this.#blockedAt ?? this.#fullSync?.toldAt;
    return since !== undefined && performance.now() - since > stuckMilliseconds;
  }

  /** Joins the agent's feed; the ready frame comes first. */
  async start(): Promise<void> {
    if (this.#isOver) return;
    const { feed, isObserver, logger } = this.#options;
    const begin = (run: FeedRun) => this.#begin(run);
    if (isObserver) return feed.observe(this, begin);
    try {
      await feed.join(this, begin);
    } catch (error) {
      logger.warn({ agentId: feed.agentId, err: error }, 'socket.not_started');
      this.#close('not_started', closeCodes.internalError);
    }
  }

  deliver(): void {
    if (!this.#run || this.#isOver || this.#drained || this.#fullSync) return;
    while (this.#blockedAt === undefined) {
      const frame = this.#run.frameOf(this.#sentThrough + 1);
      if (!frame) break;
      this.#sentThrough += 1;
      this.#eventsSent += 1;
      this.#webSocket.send(frame, { binary: false }, this.#onSent);
      if (this.#webSocket.bufferedAmount > maximumUnsent) this.#blockedAt = performance.now();
    }
    if (this.#options.isObserver) this.#run.acknowledge(this.#sentThrough);
  }

  restart(acksWereLost: boolean): void {
    if (acksWereLost) this.#sendError('stale_connection');
    this.disconnect('restart');
  }

  refuse(): void {
    this.disconnect('webhook_configured');
  }

  fail(code: 'ack_failed' | 'delivery_failed'): void {
    this.#sendError(code);
    this.#close(code, closeCodes.internalError);
  }

  onSilence(): void {
    this.disconnect('heartbeat_timeout');
  }

  disconnect(reason: DisconnectReason): void {
    if (this.#isOver) return;
    this.#announce(reason);
    this.#close(reason, disconnectCodes[reason]);
  }

  /**
   * Sends nothing more and has the client connect again. It closes once what was sent is acknowledged, or
   * after a moment, and that is saved: what a client has handled must not come again at another replica.
   * Resolves when it is closed.
   */
  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  /** Ready comes first, or a client would take it for a fault; and it is told once. */
  #announce(reason: DisconnectReason): void {
    if (this.#run && !this.#drained) this.#send({ type: 'disconnect', reason });
  }

  async #drain(): Promise<void> {
    if (this.#isOver) return;
    const closed = new Promise((resolve) => this.#webSocket.once('close', resolve));
    this.#announce('restart');
    await this.#lastAcknowledgement();
    // Where it cannot be saved now, some events come again.
    if (!this.#isOver) await this.#options.feed.save().catch(() => undefined);
    this.#close('restart', closeCodes.restart);
    await closed;
  }

  #lastAcknowledgement(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lastAcknowledgementMilliseconds);
      this.#onAcknowledged = () => {
        if (!this.#isOver && this.#run && this.#run.acked < this.#sentThrough) return;
        clearTimeout(timer);
        resolve();
      };
      this.#onAcknowledged();
    });
  }

  #begin(run: FeedRun): void {
    const { acked, fullSyncThrough } = run;
    this.#run = run;
    this.#sentThrough = fullSyncThrough ?? acked;
    const { connectionId } = this;
    const { isObserver } = this.#options;
    for (const frame of firstFrames({ connectionId, acked, fullSyncThrough, isObserver })) {
      this.#send(frame);
    }
    if (fullSyncThrough !== null) {
      this.#fullSync = { through: fullSyncThrough, toldAt: performance.now() };
    }
    this.#webSocket.resume();
    this.deliver();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return;
    if (this.#webSocket.bufferedAmount > maximumUnsentAnswers) return this.#webSocket.terminate();
    const frame = isBinary || !Buffer.isBuffer(data) ? undefined : readClientFrame(data.toString());
    if (frame) this.#take(frame);
    else this.#sendError('invalid_frame');
  }

  #take(frame: ClientFrame): void {
    switch (frame.type) {
      case 'ack':
        return this.#acknowledge(Number(frame.through_sequence));
      case 'full_sync_complete':
        void this.#completeFullSync(Number(frame.through_sequence));
        return;
      case 'ping':
        this.#options.heartbeats.beat(this);
        this.#webSocket.send(pong, { binary: false });
        // NATS may be away: a reconnect looks again too.
        this.#options.feed.look().catch(() => undefined);
    }
  }

  #acknowledge(number: number): void {
    if (this.#options.isObserver) this.#sendError('invalid_frame');
    else if (this.#fullSync) this.#sendError('full_sync_required');
    else if (number > this.#sentThrough) this.#sendError('ack_out_of_range');
    else this.#run?.acknowledge(number);
    this.#onAcknowledged();
  }

  /** One that another connection has confirmed meanwhile counts as confirmed. */
  async #completeFullSync(through: number): Promise<void> {
    const { feed, isObserver } = this.#options;
    if (isObserver) return this.#sendError('invalid_frame');
    if (!this.#run || this.#fullSync?.through !== through) {
      return this.#sendError('full_sync_mismatch');
    }
    try {
      await feed.completeFullSync(this.#run, through);
    } catch {
      return this.fail('ack_failed');
    }
    this.#fullSync = undefined;
    this.deliver();
  }

  #sendError(code: SocketErrorCode): void {
    if (!this.#isOver) this.#send(errorFrame(code));
  }

  #send(frame: ServerFrame): void {
    this.#webSocket.send(JSON.stringify(frame));
  }

  #close(reason: string, code: number): void {
    this.#end(reason, code);
    this.#webSocket.resume();
    this.#webSocket.close(code);
    const timer = setTimeout(() => this.#webSocket.terminate(), closeMilliseconds).unref();
    this.#webSocket.once('close', () => clearTimeout(timer));
  }

  #end(reason: string, code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onAcknowledged();
    const { feed, heartbeats, isObserver, logger, onEnd } = this.#options;
    heartbeats.remove(this);
    if (isObserver) feed.observers.remove(this);
    else feed.leave(this);
    feed.release();
    onEnd(this);
    logger.info(
      {
        agentId: feed.agentId,
        connectionId: this.connectionId,
        epoch: this.#run?.epoch,
        eventsSent: this.#eventsSent,
        acked: this.#run?.acked,
        durationMs: Math.round(performance.now() - this.#startedAt),
        reason,
        code,
      },
      'socket.ended',
    );
  }
}
