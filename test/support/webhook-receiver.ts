import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One request as an endpoint got it. */
export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly eventId: string;
  /** Of the task that the event tells of; empty where the test made the event up. */
  readonly taskId: string;
  readonly revision: number;
  /** Milliseconds by the monotonic clock. */
  readonly at: number;
  /** How many times this event came to this endpoint, with this one. */
  readonly attempt: number;
}

/** A status, or none: then it never answers. */
type Answer = number | FullAnswer | null;

interface FullAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A challenge has no data. */
interface EventBody {
  readonly data?: { readonly task?: { readonly id: string }; readonly task_id?: string };
  /** Of push notifications: a StreamResponse, or before 1.0 a Task. */
  readonly task?: { readonly id: string };
  readonly statusUpdate?: { readonly taskId: string };
  readonly artifactUpdate?: { readonly taskId: string };
  readonly id?: string;
}

function taskIdOf({ data, ...notification }: EventBody): string {
  return data?.task?.id ?? data?.task_id ?? notifiedTaskId(notification) ?? '';
}

function notifiedTaskId({ task, statusUpdate, artifactUpdate, id }: EventBody): string | undefined {
  return task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId ?? id;
}

/** An endpoint of webhooks that answers as the test wants it, and keeps what came. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** How the next requests are answered. */
  answer: (webhook: ReceivedWebhook) => Answer | Promise<Answer> = () => 204;
  readonly url: string;
  readonly #arrivals: EventEmitter;

  private constructor(url: string, arrivals: EventEmitter) {
    this.url = url;
    this.#arrivals = arrivals;
  }

  /** Closed when the test is over. */
  static async start(): Promise<WebhookReceiver> {
    const arrivals = new EventEmitter().setMaxListeners(0);
    const server = createServer((request, response) => void receiver.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const receiver = new WebhookReceiver(`http://127.0.0.1:${address.port}/hook`, arrivals);
    return receiver;
  }

  /** Waits until so much has come that it passes. */
  async until(isEnough: (received: readonly ReceivedWebhook[]) => boolean): Promise<void> {
    while (!isEnough(this.received)) await once(this.#arrivals, 'webhook');
  }

  /** Waits for so many requests. */
  count(requests: number): Promise<void> {
    return this.until(({ length }) => length >= requests);
  }

  /** The ids of the events in the order in which they first came. */
  get eventIds(): readonly string[] {
    return [...new Set(this.received.map(({ eventId }) => eventId))];
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const chunks: Buffer[] = await request.toArray();
    const webhook = this.#read(request, Buffer.concat(chunks).toString(), at);
    this.received.push(webhook);
    this.#arrivals.emit('webhook');
    const answer = await this.answer(webhook);
    if (answer === null) return;
    const { status, headers, body }: FullAnswer =
      typeof answer === 'number' ? { status: answer } : answer;
    response.writeHead(status, headers).end(body);
  }

  #read(request: IncomingMessage, body: string, at: number): ReceivedWebhook {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const eventId = headers['webhook-id'] ?? '';
    const earlier = this.received.filter((webhook) => webhook.eventId === eventId).length;
    const event: EventBody = JSON.parse(body);
    return {
      headers,
      body,
      eventId,
      taskId: taskIdOf(event),
      revision: Number(headers['relay-task-revision']),
      at,
      attempt: earlier + 1,
    };
  }
}
