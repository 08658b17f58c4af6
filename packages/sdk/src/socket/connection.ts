import type { ClientFrame, EventEnvelope, ServerFrame } from '@relay/protocol';
import { type RawData, WebSocket } from 'ws';
import type { Endpoint } from '../http/http-client.ts';
import { AckLedger } from './ack-ledger.ts';
import { type ConnectionEnd, endOfClose, endOfUpgrade } from './connection-end.ts';
import { type FrameOf, fullSyncBoundary, readEvent, readServerFrame } from './frames.ts';
import { Heartbeat } from './heartbeat.ts';
import { ProtocolError, RelaySocketError } from './socket-error.ts';

/** Events up to a sequence are gone, because they were not fetched for too long. */
export interface FullSync {
  readonly throughSequence: string;
  readonly reason: string;
}

export interface ConnectionOptions {
  /** It watches, and acknowledges nothing. */
  readonly isObserver?: boolean | undefined;
}

export interface ConnectionHandlers {
  handleEvent(event: EventEnvelope): Promise<void>;
  handleFullSync(fullSync: FullSync): Promise<void>;
  onReady(): void;
  onAcknowledged(): void;
}

const handshakeTimeoutMilliseconds = 15_000;

/** The client's own close codes (contract §6.6). */
const ownCloseCodes = { stop: 1000, handlerFailed: 4001, protocolError: 4002, reconnect: 4003 };

/** One WebSocket of an agent, from its upgrade to its close. */
export class Connection {
  /** Never rejects. */
  readonly ended: Promise<ConnectionEnd>;
  readonly #handlers: ConnectionHandlers;
  readonly #socket: WebSocket;
  readonly #heartbeat: Heartbeat;
  readonly #isObserver: boolean;
  #ledger: AckLedger | undefined;
  #fullSyncBoundary: string | undefined;
  #handling = 0;
  #isDraining = false;
  #end: ConnectionEnd | undefined;

  constructor(
    { origin, token }: Endpoint,
    handlers: ConnectionHandlers,
    { isObserver = false }: ConnectionOptions = {},
  ) {
    this.#handlers = handlers;
    this.#isObserver = isObserver;
    const url = `${origin.replace(/^http/, 'ws')}/v1/websocket${isObserver ? '?observe=true' : ''}`;
    this.#socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: handshakeTimeoutMilliseconds,
    });
    this.#heartbeat = new Heartbeat(() => {
      this.#abort({ kind: 'lost', error: new RelaySocketError('Relay has stopped answering.') });
    });
    this.ended = new Promise((resolve) => {
      this.#socket.once('close', (code, reason) => {
        this.#heartbeat.stop();
        resolve(this.#end ?? endOfClose(code, reason.toString()));
      });
    });
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#socket.on('error', (error) => {
      this.#end ??= { kind: 'lost', error };
    });
    this.#socket.on('unexpected-response', (_request, response) => {
      void endOfUpgrade(response).then((end) => this.#abort(end));
    });
  }

  /** Takes no more events, and closes when those taken are handled and acknowledged. */
  drain(): void {
    this.#isDraining = true;
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#abort({ kind: 'stopped' });
    else this.#closeIfDrained();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (!this.#isOpen) return;
    try {
      if (isBinary || !Buffer.isBuffer(data)) throw new ProtocolError('A frame is not text.');
      this.#take(readServerFrame(data.toString()));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#close(ownCloseCodes.protocolError, 'protocol error', { kind: 'refused', error });
    }
  }

  #take(frame: ServerFrame): void {
    if (this.#ledger === undefined) {
      if (frame.type !== 'ready') throw new ProtocolError(`${frame.type} came before ready.`);
      return this.#begin(frame);
    }
    switch (frame.type) {
      case 'ready':
        throw new ProtocolError('ready came twice.');
      case 'event':
        return this.#takeEvent(frame, this.#ledger);
      case 'full_sync':
        return this.#takeFullSync(frame);
      case 'pong':
        return this.#heartbeat.answered();
      case 'error':
        return this.#takeError(frame);
      case 'disconnect':
        // The close that follows says by its code what to do.
        return;
    }
  }

  #begin(ready: FrameOf<'ready'>): void {
    this.#fullSyncBoundary = fullSyncBoundary(ready);
    this.#ledger = new AckLedger(BigInt(ready.acked_through));
    this.#heartbeat.start(ready.heartbeat_interval_ms, () => this.#send({ type: 'ping' }));
    this.#handlers.onReady();
  }

  #takeEvent(frame: FrameOf<'event'>, ledger: AckLedger): void {
    if (this.#fullSyncBoundary) throw new ProtocolError('An event came before the full sync.');
    const sequence = BigInt(frame.sequence);
    ledger.receive(sequence);
    const event = readEvent(frame);
    if (this.#isDraining) return;
    const handled = event ? this.#handlers.handleEvent(event) : Promise.resolve();
    this.#handle(handled, `the handler failed at sequence ${sequence}`, () => {
      this.#acknowledge(ledger.handled(sequence));
    });
  }

  #takeFullSync(frame: FrameOf<'full_sync'>): void {
    const { through_sequence: throughSequence, reason } = frame;
    if (throughSequence !== this.#fullSyncBoundary) {
      throw new ProtocolError('A full sync came that ready did not announce.');
    }
    const handled = this.#handlers.handleFullSync({ throughSequence, reason });
    this.#handle(handled, 'the full sync failed', () => {
      this.#fullSyncBoundary = undefined;
      this.#ledger = new AckLedger(BigInt(throughSequence));
      this.#send({ type: 'full_sync_complete', through_sequence: throughSequence });
    });
  }

  #takeError({ code, message, retryable }: FrameOf<'error'>): void {
    const error = new RelaySocketError(`Relay sent an error: ${code}: ${message}`);
    const kind = retryable ? 'lost' : 'refused';
    this.#close(ownCloseCodes.reconnect, code, { kind, error });
  }

  #handle(handling: Promise<void>, failure: string, onHandled: () => void): void {
    this.#handling += 1;
    void handling
      .then(onHandled, (cause: unknown) => this.#fail(failure, cause))
      .finally(() => {
        this.#handling -= 1;
        this.#closeIfDrained();
      });
  }

  #fail(failure: string, cause: unknown): void {
    const error = new RelaySocketError(`The connection was closed: ${failure}.`, undefined, {
      cause,
    });
    this.#end ??= { kind: 'handler_failed', error };
    if (!this.#isDraining) this.#close(ownCloseCodes.handlerFailed, failure, this.#end);
  }

  #acknowledge(through: bigint | undefined): void {
    if (through === undefined || !this.#isOpen || this.#isObserver) return;
    this.#send({ type: 'ack', through_sequence: String(through) });
    this.#handlers.onAcknowledged();
  }

  #closeIfDrained(): void {
    if (!this.#isDraining || this.#handling > 0) return;
    this.#close(ownCloseCodes.stop, 'stopped', { kind: 'stopped' });
  }

  #send(frame: ClientFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  #close(code: number, reason: string, end: ConnectionEnd): void {
    this.#end ??= end;
    this.#socket.close(code, reason);
  }

  #abort(end: ConnectionEnd): void {
    this.#end ??= end;
    this.#socket.terminate();
  }
}
