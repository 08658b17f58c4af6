import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** Milliseconds between tries while the relay is away. */
const retryDelay = 100;

const createdAgentSchema = z.object({ agent: z.object({ id: z.string() }), token: z.string() });
const sendAnswerSchema = z.object({
  result: z.object({ task: z.object({ id: z.string() }) }).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/**
 * An agent written against the documented HTTP interface alone, with no code of Relay in it. It tries
 * again as any client would, and returns only what the relay acknowledged.
 */
export class AgentClient {
  readonly handle: string;
  readonly token: string;
  readonly #urls: readonly string[];
  #calls = 0;

  private constructor(urls: readonly string[], handle: string, token: string) {
    this.#urls = urls;
    this.handle = handle;
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
    const response = await call(url, adminToken, create);
    if (response.status !== 201) throw new Error(`not registered: ${response.status}`);
    const { token } = createdAgentSchema.parse(await response.json());
    const client = new AgentClient(urls, handle, token);
    if (acceptsTasks) {
      const body = { accepts_tasks: true };
      const changed = await call(url, token, { method: 'PATCH', path: '/v1/me', body });
      if (changed.status !== 200) throw new Error(`tasks are not accepted: ${changed.status}`);
    }
    return client;
  }

  /** The gateway whose turn it is. */
  nextUrl(): string {
    this.#calls += 1;
    return this.#urls[this.#calls % this.#urls.length] ?? '';
  }

  /** Sends until it is acknowledged. @returns the id of the task */
  async send(to: AgentClient, text: string): Promise<string> {
    const messageId = randomUUID();
    const body = {
      jsonrpc: '2.0',
      id: messageId,
      method: 'SendMessage',
      params: {
        message: { messageId, role: 'ROLE_USER', parts: [{ text }] },
        configuration: { returnImmediately: true },
      },
    };
    const answer = await this.#untilAnswered('POST', `/${to.handle}`, body);
    const { result, error } = sendAnswerSchema.parse(answer.body);
    if (!result) throw new Error(`send refused: ${JSON.stringify(error)}`);
    return result.task.id;
  }

  /** Sets a state until it is acknowledged. A refusal as finished after an unanswered try means it took effect. */
  async setStatus(taskId: string, state: string, text: string): Promise<void> {
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
    const { status, tries } = await this.#untilAnswered('POST', `/v1/tasks/${taskId}/status`, {
      state,
      message,
    });
    if (status === 409 && tries > 1) return;
    if (status !== 200) throw new Error(`status ${state} refused: ${status}`);
  }

  async getTask(taskId: string): Promise<{ status: { state: string } }> {
    const { body } = await this.#untilAnswered('GET', `/v1/tasks/${taskId}`);
    return z.object({ task: z.object({ status: z.object({ state: z.string() }) }) }).parse(body)
      .task;
  }

  /** Every answer but 5xx and 429 counts: those say to try again. */
  async #untilAnswered(method: string, path: string, body?: unknown) {
    for (let tries = 1; ; tries += 1) {
      const response = await call(this.nextUrl(), this.token, { method, path, body }).catch(
        () => undefined,
      );
      const parsed: unknown = await response?.json().catch(() => undefined);
      if (response && response.status < 500 && response.status !== 429 && parsed !== undefined) {
        return { status: response.status, body: parsed, tries };
      }
      await delay(retryDelay);
    }
  }
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

function call(url: string, token: string, { method, path, body }: Call) {
  return fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'a2a-version': '1.0',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
}
