import { WebSocket } from 'ws';
import { z } from 'zod';
import type { AgentClient } from './agent-client.ts';

/** Milliseconds before a socket that went away is opened again. */
const reconnectDelay = 100;
const pingInterval = 5_000;

export interface ReceivedEvent {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly taskId: string;
  /** The event as it stood in the frame, to the letter. */
  readonly text: string;
}

type ReceivingAgent = Pick<AgentClient, 'nextUrl' | 'token'>;

const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), acked_through: z.string() }),
  z.object({
    type: z.literal('event'),
    sequence: z.string(),
    event: z.object({
      event_id: z.string(),
      event_type: z.string(),
      data: z.object({
        task: z.object({ id: z.string() }).optional(),
        task_id: z.string().optional(),
      }),
    }),
  }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('disconnect'), reason: z.string() }),
  z.object({ type: z.literal('error'), code: z.string() }),
]);

/** Holds an agent's WebSocket by the documented protocol alone and writes down every event it gets. */
export class EventReceiver {
  readonly #agent: ReceivingAgent;
  readonly #onEvent: (event: ReceivedEvent) => void;
  readonly received: ReceivedEvent[] = [];
  /** What broke the protocol. */
  readonly faults: string[] = [];
  #socket: WebSocket | undefined;
  #expected = 0;
  #isClosed = false;
  readonly #pinger: NodeJS.Timeout;

  constructor(agent: ReceivingAgent, onEvent: (event: ReceivedEvent) => void = () => undefined) {
    this.#agent = agent;
    this.#onEvent = onEvent;
    this.#pinger = setInterval(() => this.#send({ type: 'ping' }), pingInterval);
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pinger);
    this.#socket?.close();
  }

  #connect(): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(`${this.#agent.nextUrl().replace('http', 'ws')}/v1/websocket`, {
      headers: { authorization: `Bearer ${this.#agent.token}` },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    });
    this.#socket = socket;
    socket.binaryType = 'nodebuffer';
    socket.on('message', (data) => {
      if (Buffer.isBuffer(data)) this.#take(data.toString());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => setTimeout(() => this.#connect(), reconnectDelay));
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
    const { event_id: eventId, event_type: type, data } = frame.event;
    const event = {
      sequence,
      eventId,
      type,
      taskId: data.task?.id ?? data.task_id ?? '',
      text: text.slice(text.indexOf('"event":')),
    };
    this.received.push(event);
    this.#onEvent(event);
    this.#send({ type: 'ack', through_sequence: frame.sequence });
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}
