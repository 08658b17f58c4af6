import { randomUUID } from 'node:crypto';
import { adminToken } from './gateway.ts';

/** An agent and a good token of it. */
export interface TestAgent {
  readonly id: string;
  readonly handle: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** One frame of an event stream: an event, or a comment. */
export interface Frame {
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data?: any;
  readonly comment?: string;
}

interface RequestOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
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
    return { status: response.status, headers: response.headers, body: parse(text) };
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

  rpc(
    caller: Pick<TestAgent, 'token'>,
    callee: Pick<TestAgent, 'handle'>,
    method: string,
    params: unknown,
    options: RequestOptions = {},
  ): Promise<Answer> {
    return this.send('POST', `/${callee.handle}`, {
      token: caller.token,
      body: { jsonrpc: '2.0', id: 7, method, params },
      ...options,
    });
  }

  /** Opens a stream; an answer that is none fails. */
  async stream(
    caller: Pick<TestAgent, 'token'>,
    callee: Pick<TestAgent, 'handle'>,
    method: string,
    params: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestStream> {
    const abort = new AbortController();
    const response = await fetch(`${this.url}/${callee.handle}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${caller.token}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
      signal: abort.signal,
    });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new Error(`no stream: ${await response.text()}`);
    }
    return new TestStream(response, abort);
  }
}

export class TestStream {
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly #frames: AsyncGenerator<Frame, void>;

  constructor(response: Response, abort: AbortController) {
    this.headers = response.headers;
    this.#abort = abort;
    this.#frames = readFrames(response);
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

async function* readFrames(response: Response): AsyncGenerator<Frame, void> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield readFrame(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function readFrame(block: string): Frame {
  if (block.startsWith(':')) return { comment: block };
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const id = fields.get('id');
  return { ...(id === undefined ? {} : { id }), data: JSON.parse(fields.get('data') ?? '') };
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
