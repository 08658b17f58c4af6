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
import type { RawData } from 'ws';
import type { AgentFeed } from '../feed/agent-feed.ts';
import type { AcceptedTypes } from '../feed/feed-record.ts';
import type { FeedConsumer, FeedRun } from '../feed/feed-run.ts';
import type { AgentWebSocket, WebSocketListener } from './agent-web-socket.ts';
import { disconnectCodes, errorFrame, firstFrames, readClientFrame } from './frames.ts';
import type { Beating, Heartbeats } from './heartbeats.ts';
import type { ConnectionWishes } from './query.ts';

/** A socket with more than this unsent is not read for. */
const maximumUnsent = 256 * 1024;
/** A client that sends on and on while it reads nothing is cut off here. */
const maximumUnsentAnswers = 8 * 1024 * 1024;
const stuckMilliseconds = 10_000;
const closeMilliseconds = 2_000;
/** How long a client that is told to connect again may take to acknowledge what it was sent. */
const lastAcknowledgementMilliseconds = 1_000;

const restartRequest = Buffer.from(restartPing);
const textFrame = { binary: false };
const pong = Buffer.from(JSON.stringify({ type: 'pong' } satisfies ServerFrame));

/** What all sockets of a process share. */
export interface SessionContext {
  readonly heartbeats: Heartbeats;
  readonly logger: Logger;
  /** Called once for each, when nothing is sent or taken any more. */
  readonly onEnd: (session: SocketSession) => void;
}

/** One WebSocket of an agent, from its upgrade to its end. */
export class SocketSession implements FeedConsumer, Beating, WebSocketListener {
  readonly connectionId = uuidv7();
  readonly accepts: AcceptedTypes;
  readonly #context: SessionContext;
  readonly #webSocket: AgentWebSocket;
  readonly #feed: AgentFeed;
  readonly #isObserver: boolean;
  readonly #startedAt = performance.now();
  #run: FeedRun | undefined;
  #sentThrough = 0;
  #eventsSent = 0;
  /** Since when it takes nothing; undefined while it does. */
  #blockedAt: number | undefined;
  /** Nothing is sent until the client has confirmed it, and that is kept. */
  #fullSync:
    | { readonly through: number; readonly toldAt: number; isConfirmed: boolean }
    | undefined;
  #drained: Promise<void> | undefined;
  #isOver = false;
  #onAcknowledged: (() => void) | undefined;

  constructor(
    context: SessionContext,
    webSocket: AgentWebSocket,
    feed: AgentFeed,
    { accepts, isObserver }: ConnectionWishes,
  ) {
    this.accepts = accepts;
    this.#context = context;
    this.#webSocket = webSocket;
    this.#feed = feed;
    this.#isObserver = isObserver;
    webSocket.listen(this);
    // What comes before the ready frame would be answered before it.
    webSocket.pause();
    context.heartbeats.beat(this);
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
    const begin = (run: FeedRun) => this.#begin(run);
    if (this.#isObserver) return this.#feed.observe(this, begin);
    try {
      await this.#feed.join(this, begin);
    } catch (error) {
      const { agentId } = this.#feed;
      this.#context.logger.warn({ agentId, err: error }, 'socket.not_started');
      this.#close('not_started', closeCodes.internalError);
    }
  }

  deliver(): void {
    if (!this.#run || this.#isOver || this.#drained || this.#fullSync) return;
    const onSent = () => this.#onSent();
    while (this.#blockedAt === undefined) {
      const frame = this.#run.frameOf(this.#sentThrough + 1);
      if (!frame) break;
      this.#sentThrough += 1;
      this.#eventsSent += 1;
      this.#webSocket.send(frame, textFrame, onSent);
      if (this.#webSocket.bufferedAmount > maximumUnsent) this.#blockedAt = performance.now();
    }
    if (this.#isObserver) this.#run.acknowledge(this.#sentThrough);
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
    // One that did not begin has nothing to save, and must not begin meanwhile: it would be told nothing.
    // Where it cannot be saved now, some events come again.
    if (!this.#isOver && this.#run) await this.#feed.save().catch(() => undefined);
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
      this.#onAcknowledged?.();
    });
  }

  /** The socket took a frame; it may take more, and others may have waited for it. */
  #onSent(): void {
    if (this.#blockedAt === undefined || this.#webSocket.bufferedAmount > maximumUnsent) return;
    this.#blockedAt = undefined;
    this.deliver();
    this.#run?.onSent();
  }

  #begin(run: FeedRun): void {
    const { acked, fullSyncThrough } = run;
    this.#run = run;
    this.#sentThrough = fullSyncThrough ?? acked;
    const { connectionId } = this;
    const isObserver = this.#isObserver;
    for (const frame of firstFrames({ connectionId, acked, fullSyncThrough, isObserver })) {
      this.#send(frame);
    }
    if (fullSyncThrough !== null) {
      this.#fullSync = { through: fullSyncThrough, toldAt: performance.now(), isConfirmed: false };
    }
    this.#webSocket.resume();
    this.deliver();
  }

  onPing(payload: Buffer): void {
    if (payload.equals(restartRequest)) void this.drain();
  }

  onClose(code: number): void {
    this.#end('closed', code);
  }

  onMessage(data: RawData, isBinary: boolean): void {
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
        this.#context.heartbeats.beat(this);
        this.#webSocket.send(pong, textFrame);
        // NATS may be away: a reconnect looks again too.
        this.#feed.look().catch(() => undefined);
    }
  }

  #acknowledge(number: number): void {
    if (this.#isObserver) this.#sendError('invalid_frame');
    else if (this.#fullSync?.isConfirmed === false) this.#sendError('full_sync_required');
    else if (number > this.#sentThrough) this.#sendError('ack_out_of_range');
    else this.#run?.acknowledge(number);
    this.#onAcknowledged?.();
  }

  /** One that another connection has confirmed meanwhile counts as confirmed. */
  async #completeFullSync(through: number): Promise<void> {
    if (this.#isObserver) return this.#sendError('invalid_frame');
    if (!this.#run || this.#fullSync?.through !== through) {
      return this.#sendError('full_sync_mismatch');
    }
    this.#fullSync.isConfirmed = true;
    try {
      await this.#feed.completeFullSync(this.#run, through);
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
    this.#onAcknowledged?.();
    const { heartbeats, logger, onEnd } = this.#context;
    const feed = this.#feed;
    heartbeats.remove(this);
    if (this.#isObserver) feed.observers.remove(this);
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
