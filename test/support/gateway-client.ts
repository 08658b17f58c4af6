import { randomUUID } from 'node:crypto';
import type {
  AgentResource,
  JsonRpcError,
  JsonRpcId,
  ListTasksResponse,
  Message,
  OwnerResource,
  RestError,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
  TokenResource,
  WebhookDelivery,
} from '@relay/protocol';
import { requireDocumented, requireDocumentedEvent } from './api-reference.ts';
import { adminToken } from './gateway.ts';

/** An agent and a good token of it. */
export interface TestAgent {
  readonly id: string;
  readonly handle: string;
  readonly token: string;
}

/** What answers hold. A test that gets another one fails where it looks. */
interface AnswerBody {
  readonly id: JsonRpcId;
  readonly result: Task & ListTasksResponse & { readonly task: Task; readonly message: Message };
  readonly error: JsonRpcError & RestError['error'];
  readonly task: Task;
  readonly tasks: readonly Task[];
  readonly next_page_token: string;
  readonly agent: AgentResource;
  readonly agents: readonly AgentResource[];
  readonly owner: OwnerResource;
  readonly owners: readonly OwnerResource[];
  readonly next_cursor: string | null;
  readonly token: string;
  readonly tokens: readonly TokenResource[];
  readonly events: readonly string[];
  readonly deliveries: readonly WebhookDelivery[];
  readonly doc_url: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: AnswerBody;
}

/** One frame of an event stream: an event, or a comment. */
export interface Frame {
  readonly id?: string;
  /** The event's name, where it has one. */
  readonly event?: string;
  readonly data: EventData;
  readonly comment?: string;
}

interface StreamedEvent {
  readonly task: Task;
  readonly statusUpdate: TaskStatusUpdateEvent;
  readonly artifactUpdate: TaskArtifactUpdateEvent;
}

/** Over HTTP+JSON the event itself. */
interface EventData extends Partial<StreamedEvent> {
  /** Before 1.0 a task itself. */
  readonly result?: Partial<Pick<Task, 'id' | 'contextId'> & StreamedEvent>;
  readonly error?: JsonRpcError;
}

interface RequestOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface RpcCall {
  readonly from: Pick<TestAgent, 'token'>;
  readonly to: Pick<TestAgent, 'handle'>;
  readonly method: string;
  readonly params?: unknown;
  readonly headers?: Record<string, string>;
}

let agents = 0;

/** What clients of a relay do, over HTTP. */
export class GatewayClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** A string or bytes go out as they are, anything else as JSON. */
  async send(
    method: string,
    path: string,
    { token, body, headers, signal }: RequestOptions = {},
  ): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    requireDocumented(method, path, response, text);
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  async createAgent({
    acceptsTasks = true,
    ...profile
  }: Record<string, unknown> = {}): Promise<TestAgent> {
    agents += 1;
    const handle = `agent_${agents}_x`;
    const created = await this.send('POST', '/v1/agents', {
      token: adminToken,
      body: { handle, ...profile },
    });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    const { agent, token } = created.body;
    if (acceptsTasks) {
      await this.send('PATCH', '/v1/me', { token, body: { accepts_tasks: true } });
    }
    return { id: agent.id, handle: agent.handle, token };
  }

  /** Revokes all tokens of an agent. */
  async revokeTokens({ handle }: TestAgent): Promise<void> {
    const path = `/v1/agents/${handle}/tokens`;
    const { body } = await this.send('GET', path, { token: adminToken });
    for (const { id } of body.tokens) {
      await this.send('DELETE', `${path}/${id}`, { token: adminToken });
    }
  }

  rpc({ from, to, method, params, headers }: RpcCall): Promise<Answer> {
    const body = { jsonrpc: '2.0', id: 7, method, params };
    return this.send('POST', `/${to.handle}`, {
      token: from.token,
      body,
      ...(headers ? { headers } : {}),
    });
  }

  /** Opens a stream over JSON-RPC; an answer that is none fails. */
  stream({ from, to, method, params, headers }: RpcCall): Promise<TestStream> {
    return this.streamFrom('POST', `/${to.handle}`, {
      token: from.token,
      body: { jsonrpc: '2.0', id: 7, method, params },
      ...(headers ? { headers } : {}),
    });
  }

  /** Opens a stream; an answer that is none fails. */
  async streamFrom(
    method: string,
    path: string,
    { token, body, headers }: RequestOptions,
  ): Promise<TestStream> {
    const abort = new AbortController();
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        authorization: `Bearer ${token}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: abort.signal,
    });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new Error(`no stream: ${await response.text()}`);
    }
    return new TestStream(method, response, abort);
  }
}

export class TestStream {
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly #frames: AsyncGenerator<Frame, void>;

  constructor(method: string, response: Response, abort: AbortController) {
    this.headers = response.headers;
    this.#abort = abort;
    this.#frames = readFrames(method, response);
  }

  /** The next event; undefined where the stream has ended. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const frame = await this.nextFrame();
      if (!frame || frame.comment === undefined) return frame;
    }
  }

  /** The next event or comment. */
  async nextFrame(): Promise<Frame | undefined> {
    const { value } = await this.#frames.next();
    return value ?? undefined;
  }

  /** All events until the stream ends. */
  async rest(): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (let frame = await this.next(); frame; frame = await this.next()) frames.push(frame);
    return frames;
  }

  disconnect(): void {
    this.#abort.abort();
  }
}

async function* readFrames(method: string, response: Response): AsyncGenerator<Frame, void> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = readFrame(text.slice(0, end));
      if (frame.comment === undefined) requireDocumentedEvent(method, response, frame.data);
      yield frame;
      text = text.slice(end + 2);
    }
  }
}

function readFrame(block: string): Frame {
  if (block.startsWith(':')) return { data: {}, comment: block };
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const [id, event] = [fields.get('id'), fields.get('event')];
  return {
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    data: JSON.parse(fields.get('data') ?? ''),
  };
}

/** A message from a requester. */
export function message(text = 'hello', fields: Record<string, unknown> = {}) {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...fields };
}

/** A message from the agent that does a task. */
export function agentMessage(text: string) {
  return { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
}

export const atOnce = { returnImmediately: true };

/** What is not JSON is for `text` alone. */
function parse(text: string): AnswerBody {
  const isJson = text.startsWith('{');
  const body: AnswerBody = JSON.parse(isJson ? text : '{}');
  return body;
}
