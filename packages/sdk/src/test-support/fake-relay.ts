import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ClientFrame, ServerFrame } from '@relay/protocol';
import { clientFrameSchema, isJsonObject } from '@relay/protocol';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

/** What arrives, for a test that waits for it. */
class Arrivals<Item> {
  readonly #items: Item[] = [];
  readonly #waiting: ((item: Item) => void)[] = [];

  push(item: Item): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(item);
    else this.#items.push(item);
  }

  async next(): Promise<Item> {
    return this.#items.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The server's end of an agent's WebSocket. */
export class AgentConnection {
  readonly #socket: WebSocket;
  readonly #frames = new Arrivals<ClientFrame>();
  /** What was asked for, with its query. */
  readonly path: string;
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(socket: WebSocket, path: string) {
    this.#socket = socket;
    this.path = path;
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data)) throw new Error('Not a frame.');
      this.#frames.push(clientFrameSchema.parse(JSON.parse(data.toString())));
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  send(...frames: ServerFrame[]): void {
    for (const frame of frames) this.sendText(JSON.stringify(frame));
  }

  sendText(frame: string): void {
    this.#socket.send(frame);
  }

  nextFrame(): Promise<ClientFrame> {
    return this.#frames.next();
  }

  /** Resolves when the client has taken all that was sent. */
  async taken(): Promise<void> {
    this.#socket.ping();
    await once(this.#socket, 'pong');
  }

  close(code: number, reason = ''): void {
    this.#socket.close(code, reason);
  }

  drop(): void {
    this.#socket.terminate();
  }
}

/** As much of a Relay as the tests of this package need, on a port of its own. */
export class FakeRelay {
  readonly requests: ReceivedRequest[] = [];
  /** Answers to upgrades that are refused, in order. */
  readonly upgradeRefusals: string[] = [];
  respond: Responder = (_request, response) => response.writeHead(404).end();
  readonly #connections = new Arrivals<AgentConnection>();
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #server = createServer((request, response) => {
    void readRequest(request).then((received) => {
      this.requests.push(received);
      return this.respond(received, response);
    });
  });

  static async start(): Promise<FakeRelay> {
    const relay = new FakeRelay();
    relay.#server.on('upgrade', (request, socket, head) => {
      const refusal = relay.upgradeRefusals.shift();
      if (refusal !== undefined) return void socket.end(refusal);
      relay.#sockets.handleUpgrade(request, socket, head, (accepted) => {
        relay.#connections.push(new AgentConnection(accepted, request.url ?? ''));
      });
    });
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    const address = this.#server.address();
    if (!isAddress(address)) throw new Error('Not listening.');
    return `http://127.0.0.1:${address.port}`;
  }

  nextConnection(): Promise<AgentConnection> {
    return this.#connections.next();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function respondJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const body = await text(request);
  const json: unknown = body === '' ? {} : JSON.parse(body);
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: isJsonObject(json) ? json : {} };
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
