import type { Chat, SentMessage } from '@relay/protocol';
import type { Answer, GatewayClient, TestAgent } from './gateway-client.ts';
import type { Actors, Request } from './operation-calls.ts';

type Send = (method: string, path: string, request?: Request) => Promise<Answer>;

/** What answers of chat routes hold. A test that gets another one fails where it looks. */
interface ChatBody extends Chat {
  readonly chat_id: string;
  readonly created_new_chat: boolean;
  readonly is_group: boolean;
  readonly message: SentMessage;
  readonly chat: Chat & { readonly message: SentMessage };
}

export function chatBody({ text }: Pick<Answer, 'text'>): ChatBody {
  const body: ChatBody = JSON.parse(text);
  return body;
}

export const textMessage = (value: string, fields: Record<string, unknown> = {}) => ({
  parts: [{ type: 'text', value }],
  ...fields,
});

/** Sends a message to the chat of these agents. */
export function messageAgents(
  client: GatewayClient,
  from: TestAgent,
  to: readonly TestAgent[],
  value = 'hello',
): Promise<Answer> {
  const body = { to: to.map(({ handle }) => handle), message: textMessage(value) };
  return client.send('POST', '/v1/messages', { token: from.token, body });
}

/** One call of each operation on chats, by the operation's id. */
export function chatCalls(
  { client, planner, worker }: Actors,
  send: Send,
): Readonly<Record<string, () => Promise<Answer>>> {
  const { token } = planner;
  const call = (method: string, path: string, body?: unknown) =>
    send(method, path, body === undefined ? { token } : { token, body });
  const chat = async (others: readonly TestAgent[] = [worker]) =>
    `/v1/chats/${chatBody(await messageAgents(client, planner, others)).chat_id}`;
  const newGroup = async () => chat([worker, await client.createAgent()]);
  const newMessage = async () =>
    chatBody(await messageAgents(client, planner, [worker])).message.id;
  return {
    createMessage: () =>
      call('POST', '/v1/messages', {
        to: [worker.handle],
        message: textMessage('hello', { metadata: { a: 1 }, silent: true }),
      }),
    createChat: () =>
      call('POST', '/v1/chats', {
        from: planner.handle,
        to: [worker.handle],
        message: { parts: [{ type: 'data', media_type: 'application/a2ui+json', data: {} }] },
      }),
    sendToChat: async () =>
      call('POST', `${await chat()}/messages`, {
        message: { parts: [{ type: 'link', value: 'https://x.example/' }] },
      }),
    listChats: () => call('GET', '/v1/chats?limit=2'),
    listMessages: async () => call('GET', `${await newGroup()}/messages?order=desc&limit=2`),
    getMessage: async () => call('GET', `/v1/messages/${await newMessage()}`),
    listThread: async () => call('GET', `/v1/messages/${await newMessage()}/thread`),
    getChat: async () => call('GET', await chat()),
    changeChat: async () => call('PUT', await newGroup(), { display_name: 'Trip' }),
    markAsRead: async () => call('POST', `${await chat()}/read`),
    addParticipant: async () =>
      call('POST', `${await newGroup()}/participants`, {
        handle: (await client.createAgent()).handle,
        hide_history: true,
      }),
    removeParticipant: async () =>
      call('DELETE', `${await newGroup()}/participants`, { handle: worker.handle }),
    leaveChat: async () => call('POST', `${await newGroup()}/leave`),
  };
}
