import { randomUUID } from 'node:crypto';
import { isJsonObject } from '@relay/protocol';
import {
  type Answer,
  atOnce,
  type GatewayClient,
  message,
  type TestAgent,
} from './gateway-client.ts';

interface Sending {
  readonly from: Pick<TestAgent, 'token'>;
  readonly to: Pick<TestAgent, 'handle'>;
  readonly messageId?: string;
  /** Of a follow-up. */
  readonly taskId?: string;
}

/** What an answer says of a refusal, in whatever form. */
interface Told {
  readonly status: number;
  /** Relay's own. */
  readonly code: number | undefined;
  readonly message: unknown;
  readonly retryAfter: string | null;
}

export interface Dialect {
  readonly name: string;
  /** HTTP status of a refusal whose status on REST is 403. */
  readonly refusedStatus: number;
  readonly send: (client: GatewayClient, sending: Sending) => Promise<Answer>;
}

const current = ({ messageId = randomUUID(), taskId }: Sending) => ({
  message: { ...message(), messageId, ...(taskId ? { taskId } : {}) },
  configuration: atOnce,
});

const older = ({ messageId = randomUUID(), taskId }: Sending) => ({
  message: {
    kind: 'message',
    messageId,
    role: 'user',
    parts: [{ kind: 'text', text: 'hello' }],
    ...(taskId ? { taskId } : {}),
  },
  configuration: { blocking: false },
});

const olderOverHttp = ({ messageId = randomUUID(), taskId }: Sending) => ({
  message: {
    messageId,
    role: 'ROLE_USER',
    content: [{ text: 'hello' }],
    ...(taskId ? { taskId } : {}),
  },
  configuration: { blocking: false },
});

/** There the client names the task. */
const oldest = ({ messageId, taskId }: Sending) => ({
  id: taskId ?? messageId ?? randomUUID(),
  message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
});

function overJsonRpc(method: string, paramsOf: (sending: Sending) => unknown, accept?: string) {
  return {
    name: accept ? `${method}, answered as ${accept}` : method,
    refusedStatus: 200,
    send: (client: GatewayClient, sending: Sending) =>
      client.rpc({
        ...sending,
        method,
        params: paramsOf(sending),
        ...(accept ? { headers: { accept } } : {}),
      }),
  };
}

function overHttp(path: string, name: string, bodyOf: (sending: Sending) => unknown) {
  return {
    name: `POST ${path} of ${name}`,
    refusedStatus: 403,
    send: (client: GatewayClient, sending: Sending) =>
      client.send('POST', `/${sending.to.handle}${path}`, {
        token: sending.from.token,
        body: bodyOf(sending),
      }),
  };
}

export const restDialect: Dialect = {
  name: 'POST /v1/tasks',
  refusedStatus: 403,
  send: (client, sending) =>
    client.send('POST', '/v1/tasks', {
      token: sending.from.token,
      body: { to: sending.to.handle, message: current(sending).message },
    }),
};

/** Every way to send a message to an agent's address. */
export const addressDialects: readonly Dialect[] = [
  overJsonRpc('SendMessage', current),
  overJsonRpc('SendStreamingMessage', current),
  overJsonRpc('message/send', older),
  overJsonRpc('message/stream', older),
  overJsonRpc('message/stream', older, 'text/event-stream'),
  overJsonRpc('tasks/send', oldest),
  overJsonRpc('tasks/sendSubscribe', oldest),
  overHttp('/message:send', '1.0', current),
  overHttp('/message:stream', '1.0', current),
  overHttp('/v1/message:send', '0.3', olderOverHttp),
  overHttp('/v1/message:stream', '0.3', olderOverHttp),
];

/** What a refusal says, in REST's form, JSON-RPC's, HTTP+JSON's, or as the first event of a stream, after any comments. */
export function toldBy({ status, headers, text }: Answer): Told {
  const body: unknown = JSON.parse(firstEventOf(text) ?? text);
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : body;
  const fields = isJsonObject(error) ? error : {};
  const data = fields['data'] ?? fields['details'];
  const details: unknown[] = Array.isArray(data) ? data : [];
  const [info] = details.filter(isJsonObject);
  const metadata = info && isJsonObject(info['metadata']) ? info['metadata'] : fields;
  return {
    status,
    code: metadata['code'] === undefined ? undefined : Number(metadata['code']),
    message: fields['message'],
    retryAfter: headers.get('retry-after'),
  };
}

/** What the first event of a stream holds. */
function firstEventOf(text: string): string | undefined {
  return /^data: (.*)$/m.exec(text)?.[1];
}
