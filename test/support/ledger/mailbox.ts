import type { AgentClient } from './agent-client.ts';
import type { Temper } from './endpoint-temper.ts';
import { EventReceiver } from './event-receiver.ts';
import type { Ledger } from './ledger.ts';
import type { ReceivedEvent } from './received-event.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

/** A way in which an agent gets events. */
export interface Mailbox {
  readonly name: string;
  readonly agentId: string;
  readonly types: readonly string[];
}

export interface SocketMailbox extends Mailbox {
  readonly kind: 'socket';
  readonly receiver: EventReceiver;
}

export interface WebhookMailbox extends Mailbox {
  readonly kind: 'webhook';
  readonly endpoint: WebhookEndpoint;
  readonly subscriptionId: string;
}

export const allTypes = [
  'task.created',
  'task.message',
  'task.updated',
  'task.canceled',
  'chat.created',
  'message.received',
  'message.sent',
  'message.delivered',
  'message.failed',
] as const;

type OnEvent = (event: ReceivedEvent) => void;

/** @param onEvent called for each event, also for one that comes again */
export function openSocketMailbox(
  client: AgentClient,
  ledger: Ledger,
  onEvent: OnEvent,
): SocketMailbox {
  const name = `${client.handle} socket`;
  const receiver = new EventReceiver(client, (event) => {
    ledger.noteArrival(name, event);
    onEvent(event);
  });
  return { kind: 'socket', name, agentId: client.id, types: allTypes, receiver };
}

export interface WebhookOptions {
  readonly temper: Temper;
  /** Where it listens, and is reached. */
  readonly host: string;
  readonly types: readonly string[];
}

export interface WebhookEars {
  /** Called for each event that it accepts. */
  readonly onEvent?: OnEvent | undefined;
  /** Called for each event that it refuses for good. */
  readonly onRejected: OnEvent;
}

/** Subscribes an endpoint of its own. */
export async function openWebhookMailbox(
  client: AgentClient,
  { temper, host, types }: WebhookOptions,
  ledger: Ledger,
  { onEvent, onRejected }: WebhookEars,
): Promise<WebhookMailbox> {
  const name = `${client.handle} ${temper} webhook`;
  const endpoint = await WebhookEndpoint.start(temper, host, (request) => {
    ledger.noteArrival(name, request);
    if (request.answer === 'accepted') onEvent?.(request);
    else onRejected(request);
  });
  const { id, secret } = await client.subscribe(endpoint.url, types);
  endpoint.secret = secret;
  return { kind: 'webhook', name, agentId: client.id, types, endpoint, subscriptionId: id };
}
