import type { ReceivedEvent } from '@relay/protocol';
import { afterAll, beforeAll } from 'vitest';
import { AgentSocket } from './agent-socket.ts';
import { startTestDelivery, type TestDelivery, type TestSettings } from './delivery.ts';
import type { TestAgent } from './gateway-client.ts';

/** What an agent hears by its WebSocket. */
export class ChatListener {
  readonly socket: AgentSocket;

  private constructor(socket: AgentSocket) {
    this.socket = socket;
  }

  static async open(url: string, { token }: TestAgent): Promise<ChatListener> {
    return new ChatListener(await AgentSocket.open({ url, token, acknowledges: true }));
  }

  /** Events of the type so far, or of all types. */
  heard(type?: string): unknown[] {
    return this.socket.events
      .filter((event) => type === undefined || event.type === type)
      .map(({ body }): unknown => JSON.parse(body));
  }

  get types(): readonly string[] {
    return this.socket.events.map(({ type }) => type);
  }

  /** The events of the type as soon as there are so many. */
  async untilHeard(type: string, count = 1): Promise<unknown[]> {
    await this.socket.until(() => this.heard(type).length >= count);
    return this.heard(type);
  }

  /** What each message says that came. */
  get received(): readonly ReceivedEvent[] {
    return this.socket.events
      .filter(({ type }) => type === 'message.received')
      .map(({ body }) => {
        const event: { readonly data: ReceivedEvent } = JSON.parse(body);
        return event.data;
      });
  }

  /** What the message says that is the nth which came. */
  async untilReceived(count = 1): Promise<ReceivedEvent> {
    await this.socket.until(() => this.received.length >= count);
    const event = this.received[count - 1];
    if (!event) throw new Error('It was there');
    return event;
  }

  close(): Promise<void> {
    return this.socket.close();
  }
}

/** A delivery beside the gateway of a file, for agents to listen at. It shares the work of the gateway's. */
export function useListening(nats: () => { readonly url: string }, settings: TestSettings = {}) {
  let delivery: TestDelivery | undefined;
  const listeners: ChatListener[] = [];
  beforeAll(async () => {
    delivery = await startTestDelivery(nats().url, settings);
  });
  afterAll(async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await delivery?.close();
  });
  return async (agent: TestAgent): Promise<ChatListener> => {
    const listener = await ChatListener.open(delivery?.url ?? '', agent);
    listeners.push(listener);
    return listener;
  };
}
