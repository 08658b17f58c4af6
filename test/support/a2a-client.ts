import { randomUUID } from 'node:crypto';
import { SendMessageRequest, type SendMessageResult, type Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';

interface ClientOptions {
  readonly fetchOnce?: typeof fetch;
  /** The binding to use where the card lists it; else the card's preferred one. */
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
}

/** The SDK as its own documentation has it used with a bearer token; only the address is given. */
export function connectA2aClient(
  address: string,
  token: string,
  { fetchOnce = fetch, binding }: ClientOptions = {},
): Promise<Client> {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetchOnce, {
    headers: async () => ({ Authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
    ],
    ...(binding ? { preferredTransports: [binding] } : {}),
  });
  return new ClientFactory(options).createFromUrl(address);
}

interface MessageOptions {
  readonly taskId?: string;
  readonly returnImmediately?: boolean;
}

export function messageRequest(
  text: string,
  { taskId, returnImmediately = false }: MessageOptions = {},
): SendMessageRequest {
  return SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], taskId },
    configuration: { returnImmediately },
  });
}

export function taskOf(result: SendMessageResult): Task {
  if (!('status' in result)) throw new Error('the answer is a Message');
  return result;
}
