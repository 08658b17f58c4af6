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

const sentMessageSchema = z.object({
  chat_id: z.string(),
  message: z.object({ id: z.string() }),
});
const chatAnswerSchema = z.object({
  result: z.object({ message: z.object({ messageId: z.string(), contextId: z.string() }) }),
});
const messagesSchema = z.object({
  messages: z.array(
    z.object({ id: z.string(), parts: z.tuple([z.object({ value: z.string() })]) }),
  ),
  next_cursor: z.string().nullable(),
});

/** Where a message stands. */
export interface SentMessage {
  readonly chatId: string;
  readonly id: string;
}

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

  /** Sends a message to the chat with another agent, or to a chat; once, however often it is tried. */
  async write(
    to: { readonly handle: string } | { readonly chatId: string; readonly replyTo: string },
    text: string,
    key: string,
  ): Promise<SentMessage> {
    const content = { parts: [{ type: 'text', value: text }], idempotency_key: key };
    const body =
      'handle' in to
        ? await this.#ask('POST', '/v1/messages', { to: [to.handle], message: content }, 202)
        : await this.#ask(
            'POST',
            `/v1/chats/${to.chatId}/messages`,
            { message: { ...content, reply_to: { message_id: to.replyTo } } },
            202,
          );
    const { chat_id: chatId, message } = sentMessageSchema.parse(body);
    return { chatId, id: message.id };
  }

  /** Asks an agent that takes no tasks, until it has answered in their chat. */
  async askInChat(to: AgentClient, text: string, messageId: string): Promise<SentMessage> {
    const message = { messageId, role: 'ROLE_USER', parts: [{ text }] };
    const answer = await this.call({
      method: 'POST',
      path: `/${to.handle}`,
      body: { jsonrpc: '2.0', id: messageId, method: 'SendMessage', params: { message } },
    });
    const { result } = chatAnswerSchema.parse(answer.body);
    return { chatId: result.message.contextId, id: result.message.messageId };
  }

  /** All messages of a chat, oldest first: their ids and texts. */
  async listMessages(chatId: string): Promise<readonly { id: string; text: string }[]> {
    const found: { id: string; text: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/v1/chats/${chatId}/messages?limit=100${page}`;
      const { messages, next_cursor } = messagesSchema.parse(
        await this.#ask('GET', path, undefined, 200),
      );
      found.push(...messages.map(({ id, parts: [{ value }] }) => ({ id, text: value })));
      cursor = next_cursor;
    }
    return found;
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
