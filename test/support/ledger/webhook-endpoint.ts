import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { ConnectionPorts } from '../connection-owner.ts';
import { type Answer, answerOf, type Temper } from './endpoint-temper.ts';
import { type ReceivedEvent, readEvent } from './received-event.ts';

/** One request as an endpoint got it. */
export interface WebhookRequest extends ReceivedEvent {
  /** Of its task, as the header names it. */
  readonly revision: number;
  /** The same for requests of one attempt: one over a kept connection that is reset goes once more. */
  readonly signature: string;
  /** What it was answered. `none`: nothing that could be understood as an answer. */
  readonly answer: 'accepted' | 'rejected' | 'failed' | 'none';
  /** Milliseconds that the answer asked to be left alone. */
  readonly askedPause: number;
  /** When the answer was on its way, or where there was none when the request was over. */
  endedAt: number;
}

type Moment = 'before its answer' | 'after its answer';

/** Listens for webhooks, checks their signatures by a library that is not Relay's, and keeps a ledger. */
export class WebhookEndpoint {
  readonly received: WebhookRequest[] = [];
  /** What was not signed as it must be, or was no event. */
  readonly faults: string[] = [];
  readonly url: string;
  readonly temper: Temper;
  /** Whether it still fails as its temper is; one that is picky always does. */
  isTroubled = true;
  /** Set when Relay has said with what it signs. */
  secret = '';
  readonly #server: Server;
  readonly #onTaken: (request: WebhookRequest) => void;
  readonly #tries = new Map<string, number>();
  readonly #watched = new Map<Moment, (connection: ConnectionPorts) => void>();

  private constructor(
    server: Server,
    address: string,
    temper: Temper,
    onTaken: (request: WebhookRequest) => void,
  ) {
    this.#server = server;
    this.url = `http://${address}/${temper}`;
    this.temper = temper;
    this.#onTaken = onTaken;
  }

  /** @param host where it listens, and is reached */
  static async start(
    temper: Temper,
    host: string,
    onTaken: (request: WebhookRequest) => void,
  ): Promise<WebhookEndpoint> {
    const server = createServer((request, response) => {
      endpoint.#take(request, response).catch((error: unknown) => {
        endpoint.faults.push(String(error));
        response.destroy();
      });
    });
    server.listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const endpoint = new WebhookEndpoint(server, `${host}:${address.port}`, temper, onTaken);
    return endpoint;
  }

  /**
   * The next request that it gets, or takes: the connection that it came by, told at once at that moment.
   * @returns a function that ends the watch
   */
  watch(moment: Moment, onRequest: (connection: ConnectionPorts) => void): () => void {
    this.#watched.set(moment, onRequest);
    return () => this.#watched.delete(moment);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const chunks: Buffer[] = await request.toArray().catch(() => []);
    // It was cut while it came.
    if (!request.complete) return;
    const body = Buffer.concat(chunks);
    const event = this.#check(request, body, at);
    if (!event) return void response.writeHead(401).end();
    const tries = (this.#tries.get(event.eventId) ?? 0) + 1;
    this.#tries.set(event.eventId, tries);
    // What it refused for good may come again after a crash, and is to be refused again.
    const isAsItIs = this.isTroubled || this.temper === 'picky';
    const answer = answerOf(isAsItIs ? this.temper : 'healthy', event.eventId, { tries, at });
    await this.#answer(request, response, this.#note(request, event, answer), answer);
  }

  /** @returns undefined where it is not from Relay */
  #check({ headers }: IncomingMessage, body: Buffer, at: number): ReceivedEvent | undefined {
    try {
      const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      new Webhook(this.secret).verify(body, Object.fromEntries(named));
      const event = readEvent(body, at);
      if (event.eventId !== headers['webhook-id']) throw new Error('webhook-id is not event_id');
      return event;
    } catch (error) {
      this.faults.push(`${this.url}: ${String(error)}`);
      return undefined;
    }
  }

  #note({ headers }: IncomingMessage, event: ReceivedEvent, answer: Answer): WebhookRequest {
    const noted: WebhookRequest = {
      ...event,
      revision: Number(headers['relay-task-revision']),
      signature: String(headers['webhook-signature']),
      answer: this.#watched.has('before its answer') ? 'none' : kindOf(answer),
      askedPause: (answer.retryAfter ?? 0) * 1_000,
      endedAt: Number.POSITIVE_INFINITY,
    };
    this.received.push(noted);
    return noted;
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    noted: WebhookRequest,
    { status, afterMilliseconds, retryAfter }: Answer,
  ): Promise<void> {
    const { localPort = 0, remotePort = 0 } = request.socket;
    const connection = { local: remotePort, remote: localPort };
    response.once('close', () => {
      noted.endedAt = Math.min(noted.endedAt, performance.now());
    });
    if (this.#tell('before its answer', connection)) return void response.destroy();
    if (status === 'never') return;
    if (status === 'reset') {
      noted.endedAt = performance.now();
      return void request.socket.resetAndDestroy();
    }
    if (afterMilliseconds > 0) {
      await new Promise((resolve) => setTimeout(resolve, afterMilliseconds));
    }
    noted.endedAt = performance.now();
    response.writeHead(status, retryAfter ? { 'retry-after': String(retryAfter) } : {}).end();
    if (noted.answer === 'failed') return;
    this.#onTaken(noted);
    this.#tell('after its answer', connection);
  }

  #tell(moment: Moment, connection: ConnectionPorts): boolean {
    const onRequest = this.#watched.get(moment);
    this.#watched.delete(moment);
    onRequest?.(connection);
    return onRequest !== undefined;
  }
}

function kindOf({ status }: Answer): WebhookRequest['answer'] {
  if (status === 'never' || status === 'reset') return 'none';
  if (status < 300) return 'accepted';
  return status === 429 || status >= 500 ? 'failed' : 'rejected';
}
