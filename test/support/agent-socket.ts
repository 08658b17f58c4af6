import { once } from 'node:events';
import { type ClientFrame, type ServerFrame, serverFrameSchema } from '@relay/protocol';
import { type RawData, WebSocket } from 'ws';

type FrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>;

export interface ReceivedEvent {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  /** The event as it stood in the frame. */
  readonly body: string;
}

export interface SocketOptions {
  readonly url: string;
  readonly token: string;
  readonly query?: string;
  /** Acknowledges each event as it comes. */
  readonly acknowledges?: boolean;
  /** An authority to trust, as PEM. */
  readonly ca?: string | undefined;
}

/** A client of `/v1/websocket` that checks every frame strictly and that numbers have no gap. */
export class AgentSocket {
  readonly webSocket: WebSocket;
  readonly events: ReceivedEvent[] = [];
  readonly frames: ServerFrame[] = [];
  /** Code of the close. */
  readonly closed: Promise<number>;
  /** Rejects at the close, for those that wait for something else. */
  readonly #closedEarly: Promise<never>;
  #acknowledges: boolean;
  #through = 0;
  #problem: Error | undefined;

  private constructor({ url, token, query = '', acknowledges = false, ca }: SocketOptions) {
    this.#acknowledges = acknowledges;
    this.webSocket = new WebSocket(`${url}${query}`, {
      headers: { authorization: `Bearer ${token}` },
      ca,
    });
    this.webSocket.on('message', (data) => this.#receive(textOf(data)));
    this.webSocket.on('error', () => undefined);
    this.closed = once(this.webSocket, 'close').then(([code]) => Number(code));
    this.#closedEarly = this.closed.then((code) =>
      Promise.reject(new Error(`closed with ${code}`)),
    );
    this.#closedEarly.catch(() => undefined);
  }

  static async open(options: SocketOptions): Promise<AgentSocket> {
    const socket = new AgentSocket(options);
    await Promise.race([socket.until(() => socket.frames.length > 0), socket.#refused()]);
    return socket;
  }

  get ready(): FrameOf<'ready'> {
    const [first] = this.frames;
    if (first?.type !== 'ready') throw new Error(`the first frame is ${first?.type}`);
    return first;
  }

  get disconnectReason(): string | undefined {
    return this.frames.find((frame) => frame.type === 'disconnect')?.reason;
  }

  get errors(): string[] {
    return this.frames.flatMap((frame) => (frame.type === 'error' ? [frame.code] : []));
  }

  get lastSequence(): number {
    return this.#through;
  }

  send(frame: ClientFrame | string | Buffer): void {
    const isRaw = typeof frame === 'string' || Buffer.isBuffer(frame);
    this.webSocket.send(isRaw ? frame : JSON.stringify(frame));
  }

  acknowledge(sequence = this.#through): void {
    this.send({ type: 'ack', through_sequence: String(sequence) });
  }

  acknowledgeAll(): void {
    this.#acknowledges = true;
    this.acknowledge();
  }

  /** Confirms the full sync that `ready` asks for; what follows is numbered behind it. */
  completeFullSync(): void {
    const { full_sync_through: through } = this.ready;
    if (through === null) throw new Error('no full sync is due');
    this.#through = Number(through);
    this.send({ type: 'full_sync_complete', through_sequence: through });
  }

  /** Resolves when all that was sent before was taken. */
  async ping(): Promise<void> {
    const pongs = () => this.frames.filter(({ type }) => type === 'pong').length;
    const before = pongs();
    this.send({ type: 'ping' });
    await this.until(() => pongs() > before);
  }

  /** Resolves when the condition holds, which each frame can bring about. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#problem) throw this.#problem;
      await Promise.race([once(this.webSocket, 'message'), this.#closedEarly]);
    }
    if (this.#problem) throw this.#problem;
  }

  async untilEvents(count: number): Promise<ReceivedEvent[]> {
    await this.until(() => this.events.length >= count);
    return this.events;
  }

  async close(): Promise<void> {
    this.webSocket.close();
    await this.closed;
  }

  async #refused(): Promise<never> {
    const status = await new Promise((resolve) => {
      this.webSocket.once('unexpected-response', (_, response) => resolve(response.statusCode));
    });
    throw new Error(`refused with ${String(status)}`);
  }

  #receive(text: string): void {
    try {
      const frame = serverFrameSchema.parse(JSON.parse(text));
      this.frames.push(frame);
      if (frame.type === 'ready') this.#through = Number(frame.acked_through);
      if (frame.type === 'event') this.#takeEvent(frame, text);
    } catch (error) {
      this.#problem = error instanceof Error ? error : new Error(String(error));
    }
  }

  #takeEvent({ sequence, event }: FrameOf<'event'>, text: string): void {
    const number = Number(sequence);
    if (number !== this.#through + 1) throw new Error(`${number} came after ${this.#through}`);
    this.#through = number;
    const body = text.slice(text.indexOf('"event":{') + '"event":'.length, -1);
    this.events.push({ sequence: number, eventId: event.event_id, type: event.event_type, body });
    if (this.#acknowledges) this.acknowledge(number);
  }
}

function textOf(data: RawData): string {
  if (!Buffer.isBuffer(data)) throw new Error('a frame came in parts');
  return data.toString();
}
