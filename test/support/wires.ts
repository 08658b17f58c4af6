import { randomUUID } from 'node:crypto';
import type { GatewayClient, TestAgent, TestStream } from './gateway-client.ts';

/** A request below an agent's address. */
interface WireRequest {
  readonly path: string;
  readonly body: unknown;
}

/** A message as its caller knows it, whatever the version calls it. */
export interface WireMessage {
  /** Its id; in 0.1 the name of its task. */
  readonly id: string;
  readonly text: string;
}

/** How a client of one version speaks over one binding. */
export interface Wire {
  readonly name: string;
  readonly send: (message: WireMessage) => WireRequest;
  readonly stream: (message: WireMessage) => WireRequest;
  /** Follows a task, by its id or by its name. */
  readonly subscribe: (task: WireTask) => WireRequest;
}

interface WireTask {
  readonly id: string;
  readonly name: string;
}

export const newMessage = (text = 'hello'): WireMessage => ({ id: randomUUID(), text });

const rpc = (method: string, params: unknown): WireRequest => ({
  path: '',
  body: { jsonrpc: '2.0', id: 7, method, params },
});

const current = ({ id: messageId, text }: WireMessage) => ({
  message: { messageId, role: 'ROLE_USER', parts: [{ text }] },
});
const v03 = ({ id: messageId, text }: WireMessage) => ({
  message: { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }] },
});
const v03Http = ({ id: messageId, text }: WireMessage) => ({
  message: { messageId, role: 'ROLE_USER', content: [{ text }] },
});
const v01 = ({ id, text }: WireMessage) => ({
  id,
  message: { role: 'user', parts: [{ type: 'text', text }] },
});

/** Every version and binding that an address speaks. */
export const wires: readonly Wire[] = [
  {
    name: '1.0 over JSON-RPC',
    send: (message) => rpc('SendMessage', current(message)),
    stream: (message) => rpc('SendStreamingMessage', current(message)),
    subscribe: ({ id }) => rpc('SubscribeToTask', { id }),
  },
  {
    name: '1.0 over HTTP+JSON',
    send: (message) => ({ path: '/message:send', body: current(message) }),
    stream: (message) => ({ path: '/message:stream', body: current(message) }),
    subscribe: ({ id }) => ({ path: `/tasks/${id}:subscribe`, body: {} }),
  },
  {
    name: '0.3 over JSON-RPC',
    send: (message) => rpc('message/send', v03(message)),
    stream: (message) => rpc('message/stream', v03(message)),
    subscribe: ({ id }) => rpc('tasks/resubscribe', { id }),
  },
  {
    name: '0.3 over HTTP+JSON',
    send: (message) => ({ path: '/v1/message:send', body: v03Http(message) }),
    stream: (message) => ({ path: '/v1/message:stream', body: v03Http(message) }),
    subscribe: ({ id }) => ({ path: `/v1/tasks/${id}:subscribe`, body: {} }),
  },
  {
    name: '0.1 over JSON-RPC',
    send: (message) => rpc('tasks/send', v01(message)),
    stream: (message) => rpc('tasks/sendSubscribe', v01(message)),
    subscribe: ({ name }) => rpc('tasks/resubscribe', { id: name }),
  },
];

interface WireCall {
  readonly client: GatewayClient;
  readonly from: TestAgent;
  readonly to: TestAgent;
  readonly request: WireRequest;
  readonly headers?: Record<string, string>;
}

/** The answer without its JSON-RPC envelope: the result, or the error. */
export async function callOver({ client, from, to, request }: WireCall) {
  const { path, body } = request;
  const answer = await client.send('POST', `/${to.handle}${path}`, { token: from.token, body });
  return { status: answer.status, body: withoutEnvelope(JSON.parse(answer.text), path) };
}

export function streamOver({ client, from, to, request, headers = {} }: WireCall) {
  const { path, body } = request;
  const { token } = from;
  return client.streamFrom('POST', `/${to.handle}${path}`, { token, body, headers });
}

/** What the events of a stream say, without their envelopes. */
export async function restOf(stream: TestStream, { path }: WireRequest): Promise<unknown[]> {
  return (await stream.rest()).map(({ data }) => withoutEnvelope(data, path));
}

/** Over HTTP+JSON there is no envelope. */
function withoutEnvelope(body: unknown, path: string): unknown {
  if (path !== '' || typeof body !== 'object' || body === null) return body;
  if ('result' in body) return body.result;
  return 'error' in body ? body.error : body;
}
