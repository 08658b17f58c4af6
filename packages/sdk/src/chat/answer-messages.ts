import type { EventEnvelope } from '@relay/protocol';
import { type Endpoint, HttpClient } from '../http/http-client.ts';
import { EventQueue } from '../listen/event-queue.ts';
import {
  type Listener,
  type ListenOptions,
  reporterOf,
  startListening,
} from '../listen/listener.ts';
import { type ChatHandler, ChatMessage } from './chat-message.ts';

/** Tries at one message. One that never works must not stop all that follow. */
const maximumTries = 10;

/** Hands each message that other agents write in chats to the handler: those of one chat in order. */
export function answerMessages(
  endpoint: Endpoint,
  handler: ChatHandler,
  options: ListenOptions,
): Promise<Listener> {
  const http = new HttpClient(endpoint);
  const report = reporterOf(options);
  const failures = new Map<string, number>();
  const handle = async (event: EventEnvelope) => {
    if (event.event_type !== 'message.received') return;
    const { event_id: eventId } = event;
    try {
      await handler(new ChatMessage(http, eventId, event.data));
    } catch (error) {
      const count = (failures.get(eventId) ?? 0) + 1;
      failures.set(eventId, count);
      if (count < maximumTries) throw error;
      report(
        new Error(`Message ${event.data.id} was left after ${count} tries.`, { cause: error }),
      );
    }
    failures.delete(eventId);
  };
  return startListening(endpoint, new EventQueue(handle), options);
}
