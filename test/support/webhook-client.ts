import { type NewSubscription, newSubscriptionSchema } from '@relay/protocol';
import type { Answer, GatewayClient, TestAgent } from './gateway-client.ts';

const path = '/v1/webhook-subscriptions';
const deliveriesPath = '/v1/webhook-deliveries';

/** Accepted, and never dialled unless something is sent. */
const somewhere = 'http://127.0.0.1:49151/hook';

/** What an agent does with its webhooks, over HTTP. */
export class WebhookClient {
  readonly #client: GatewayClient;
  readonly #token: string;

  constructor(client: GatewayClient, { token }: Pick<TestAgent, 'token'>) {
    this.#client = client;
    this.#token = token;
  }

  create(fields: Record<string, unknown> = {}): Promise<Answer> {
    const body = { target_url: somewhere, subscribed_events: ['task.created'], ...fields };
    return this.#send('POST', path, body);
  }

  /** One that must be taken. */
  async created(fields: Record<string, unknown> = {}): Promise<NewSubscription> {
    const { status, text } = await this.create(fields);
    if (status !== 201) throw new Error(text);
    return newSubscriptionSchema.parse(JSON.parse(text));
  }

  list(): Promise<Answer> {
    return this.#send('GET', path);
  }

  get(id: string): Promise<Answer> {
    return this.#send('GET', `${path}/${id}`);
  }

  change(id: string, change: unknown): Promise<Answer> {
    return this.#send('PUT', `${path}/${id}`, change);
  }

  delete(id: string): Promise<Answer> {
    return this.#send('DELETE', `${path}/${id}`);
  }

  rotate(id: string): Promise<Answer> {
    return this.#send('POST', `${path}/${id}/rotate-secret`);
  }

  test(id: string): Promise<Answer> {
    return this.#send('POST', `${path}/${id}/test`);
  }

  listDeliveries(query = ''): Promise<Answer> {
    return this.#send('GET', deliveriesPath + query);
  }

  getDelivery(id: string): Promise<Answer> {
    return this.#send('GET', `${deliveriesPath}/${id}`);
  }

  redrive(id: string): Promise<Answer> {
    return this.#send('POST', `${deliveriesPath}/${id}/redrive`);
  }

  redriveAll(body: unknown): Promise<Answer> {
    return this.#send('POST', `${deliveriesPath}/redrive`, body);
  }

  #send(method: string, path: string, body?: unknown): Promise<Answer> {
    const token = this.#token;
    return this.#client.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  }
}
