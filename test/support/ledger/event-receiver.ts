import { WebSocket } from 'ws';
import { z } from 'zod';
import type { AgentClient } from './agent-client.ts';
import { type ReceivedEvent, readEvent } from './received-event.ts';

/** Milliseconds before a socket that went away is opened again. */
const reconnectDelay = 100;
const pingInterval = 5_000;

export interface SocketEvent extends ReceivedEvent {
  readonly sequence: number;
}

type ReceivingAgent = Pick<AgentClient, 'nextUrl' | 'token'>;

const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), acked_through: z.string() }),
  z.object({ type: z.literal('event'), sequence: z.string() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('disconnect'), reason: z.string() }),
  z.object({ type: z.literal('error'), code: z.string() }),
]);

/** Holds an agent's WebSocket by the documented protocol alone and writes down every event it gets. */
export class EventReceiver {
  readonly #agent: ReceivingAgent;
  readonly #onEvent: (event: SocketEvent, text: string) => void;
  readonly received: SocketEvent[] = [];
  /** What broke the protocol. */
  readonly faults: string[] = [];
  #socket: WebSocket | undefined;
  #url = '';
  #expected = 0;
  #isClosed = false;
  #onAcknowledged: ((url: string) => void) | undefined;
  readonly #pinger: NodeJS.Timeout;

  /** @param onEvent also gets the event as it stood in the frame, to the letter */
  constructor(
    agent: ReceivingAgent,
    onEvent: (event: SocketEvent, text: string) => void = () => undefined,
  ) {
    this.#agent = agent;
    this.#onEvent = onEvent;
    this.#pinger = setInterval(() => this.#send({ type: 'ping' }), pingInterval);
    this.#connect();
  }

  /** @param onAcknowledged told at once of the next acknowledgement, and to which gateway it was sent */
  watch(onAcknowledged: (url: string) => void): void {
    this.#onAcknowledged = onAcknowledged;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pinger);
    this.#socket?.close();
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.#url = this.#agent.nextUrl();
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/v1/websocket`, {
      headers: { authorization: `Bearer ${this.#agent.token}` },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    });
    this.#socket = socket;
    socket.binaryType = 'nodebuffer';
    socket.on('message', (data) => {
      if (Buffer.isBuffer(data)) this.#takeOrNote(data.toString());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => setTimeout(() => this.#connect(), reconnectDelay));
  }

  #takeOrNote(text: string): void {
    try {
      this.#take(text);
    } catch (error) {
      this.faults.push(`a frame that is not documented: ${text.slice(0, 200)} (${String(error)})`);
    }
  }

  #take(text: string): void {
    const frame = frameSchema.parse(JSON.parse(text));
    if (frame.type === 'ready') this.#expected = Number(frame.acked_through) + 1;
    if (frame.type === 'error') this.faults.push(`error frame: ${frame.code}`);
    if (frame.type !== 'event') return;
    const sequence = Number(frame.sequence);
    if (sequence !== this.#expected) {
      this.faults.push(`event ${sequence} came where ${this.#expected} was due`);
    }
    this.#expected = sequence + 1;
    const eventText = text.slice(text.indexOf('"event":') + '"event":'.length, -1);
    const event = { ...readEvent(eventText, performance.now()), sequence };
    this.received.push(event);
    this.#onEvent(event, eventText);
    this.#send({ type: 'ack', through_sequence: frame.sequence });
    this.#onAcknowledged?.(this.#url);
    this.#onAcknowledged = undefined;
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
