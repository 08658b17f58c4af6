import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Call, callOnce, callUntilAnswered } from './relay-calls.ts';

const createdAgentSchema = z.object({ agent: z.object({ id: z.string() }), token: z.string() });
const taskSchema = z.object({ id: z.string(), status: z.object({ state: z.string() }) });
export type SeenTask = z.infer<typeof taskSchema>;

const sendAnswerSchema = z.object({
  result: z.object({ task: taskSchema }).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
const subscriptionSchema = z.object({ id: z.string(), signing_secret: z.string() });
const deliveriesSchema = z.object({
  deliveries: z.array(z.object({ subscription_id: z.string(), event_id: z.string() })),
  next_page_token: z.string(),
});

export interface Sending {
  readonly messageId?: string;
  /** Of the task that it follows up. */
  readonly taskId?: string;
  readonly isBlocking?: boolean;
}

/**
 * An agent written against the documented HTTP interface alone, with no code of Relay in it. It tries
 * again as any client would, and returns only what the relay acknowledged.
 */
export class AgentClient {
  readonly id: string;
  readonly handle: string;
  readonly token: string;
  readonly #urls: readonly string[];
  #calls = 0;

  private constructor(urls: readonly string[], handle: string, id: string, token: string) {
    this.#urls = urls;
    this.handle = handle;
    this.id = id;
    this.token = token;
  }

  /** @param urls gateways, used in turn: what one cannot do now, the next may */
  static async register(
    urls: readonly string[],
    adminToken: string,
    acceptsTasks: boolean,
  ): Promise<AgentClient> {
    const [url = ''] = urls;
    const handle = `agent_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const create = { method: 'POST', path: '/v1/agents', body: { handle } };
    const response = await callOnce(url, adminToken, create);
    if (response.status !== 201) throw new Error(`not registered: ${response.status}`);
    const { agent, token } = createdAgentSchema.parse(await response.json());
    const client = new AgentClient(urls, handle, agent.id, token);
    if (acceptsTasks) await client.#ask('PATCH', '/v1/me', { accepts_tasks: true }, 200);
    return client;
  }

  /** The gateway whose turn it is. */
  nextUrl(): string {
    this.#calls += 1;
    return this.#urls[this.#calls % this.#urls.length] ?? '';
  }

  /** Sends until it is acknowledged. @returns the task as it was then */
  async send(to: AgentClient, text: string, sending: Sending = {}): Promise<SeenTask> {
    const { messageId = randomUUID(), taskId, isBlocking = false } = sending;
    const message = { messageId, role: 'ROLE_USER', parts: [{ text }], ...(taskId && { taskId }) };
    const answer = await this.call({
      method: 'POST',
      path: `/${to.handle}`,
      body: {
        jsonrpc: '2.0',
        id: messageId,
        method: 'SendMessage',
        params: { message, configuration: { returnImmediately: !isBlocking } },
      },
    });
    const { result, error } = sendAnswerSchema.parse(answer.body);
    if (!result) throw new Error(`send refused: ${JSON.stringify(error)}`);
    return result.task;
  }

  /** Sets a state until it is acknowledged. A refusal as finished after an unanswered try means it took effect. */
  async setStatus(taskId: string, state: string, text: string): Promise<void> {
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
    const path = `/v1/tasks/${taskId}/status`;
    const { status, tries } = await this.call({ method: 'POST', path, body: { state, message } });
    if (status === 409 && tries > 1) return;
    if (status !== 200) throw new Error(`status ${state} refused: ${status}`);
  }

  async addArtifact(taskId: string, artifactId: string): Promise<void> {
    const artifact = { artifactId, parts: [{ text: artifactId }] };
    await this.#ask('POST', `/v1/tasks/${taskId}/artifacts`, { artifact }, 200);
  }

  async getTask(taskId: string): Promise<SeenTask> {
    const body = await this.#ask('GET', `/v1/tasks/${taskId}`, undefined, 200);
    return z.object({ task: taskSchema }).parse(body).task;
  }

  /** @returns its id, and with what its requests will be signed */
  async subscribe(targetUrl: string, types: readonly string[]) {
    const body = { target_url: targetUrl, subscribed_events: types };
    const created = await this.#ask('POST', '/v1/webhook-subscriptions', body, 201);
    const { id, signing_secret: secret } = subscriptionSchema.parse(created);
    return { id, secret };
  }

  /** Ids of the events that were given up for a subscription. */
  async listDeadLetters(subscriptionId: string): Promise<Set<string>> {
    const eventIds = new Set<string>();
    let token = '';
    do {
      const page = token && `&page_token=${encodeURIComponent(token)}`;
      const filter = `status=dead_letter&subscription_id=${subscriptionId}&page_size=100${page}`;
      const body = await this.#ask('GET', `/v1/webhook-deliveries?${filter}`, undefined, 200);
      const { deliveries, next_page_token } = deliveriesSchema.parse(body);
      for (const { event_id } of deliveries) eventIds.add(event_id);
      token = next_page_token;
    } while (token);
    return eventIds;
  }

  call(call: Call) {
    return callUntilAnswered(() => this.nextUrl(), this.token, call);
  }

  async #ask(method: string, path: string, body: unknown, expected: number): Promise<unknown> {
    const answer = await this.call({ method, path, body });
    if (answer.status === expected) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
