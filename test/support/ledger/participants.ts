import { AgentClient } from './agent-client.ts';
import type { Temper } from './endpoint-temper.ts';
import type { Ledger } from './ledger.ts';
import {
  allTypes,
  type Mailbox,
  openSocketMailbox,
  openWebhookMailbox,
  type SocketMailbox,
  type WebhookMailbox,
} from './mailbox.ts';
import type { ReceivedEvent } from './received-event.ts';

export type ParticipantKind = 'socket' | 'webhook';

export interface Participant {
  readonly client: AgentClient;
  readonly mailboxes: readonly (SocketMailbox | WebhookMailbox)[];
}

interface Joining {
  readonly urls: readonly string[];
  readonly adminToken: string;
  readonly kind: ParticipantKind;
  readonly acceptsTasks: boolean;
  readonly receiverHost: string;
  readonly ledger: Ledger;
  /** What the agent does about each event it is told of, once. */
  readonly onEvent: (agent: AgentClient, event: ReceivedEvent) => void;
  /** A webhook of it has refused an event for good. */
  readonly onRejected: (event: ReceivedEvent) => void;
}

/** The types that each of an agent's endpoints asks for; its agent lives by the first. */
const endpoints: readonly { temper: Temper; types: readonly string[] }[] = [
  { temper: 'healthy', types: allTypes },
  { temper: 'slow', types: ['task.created', 'task.message', 'message.received'] },
  { temper: 'flaky', types: allTypes },
  { temper: 'picky', types: ['task.created', 'task.updated', 'message.received'] },
];

/** Registers an agent that gets its events by a socket, or by several webhooks. */
export async function join(joining: Joining): Promise<Participant> {
  const { urls, adminToken, kind, acceptsTasks, receiverHost: host, ledger } = joining;
  const client = await AgentClient.register(urls, adminToken, acceptsTasks);
  const seen = new Set<string>();
  const onEvent = (event: ReceivedEvent) => {
    if (seen.has(event.eventId)) return;
    seen.add(event.eventId);
    joining.onEvent(client, event);
  };
  if (kind === 'socket') {
    return { client, mailboxes: [openSocketMailbox(client, ledger, onEvent)] };
  }
  const mailboxes: WebhookMailbox[] = [];
  for (const [index, options] of endpoints.entries()) {
    const ears = {
      onEvent: index === 0 ? onEvent : undefined,
      onRejected: (event: ReceivedEvent) => joining.onRejected(event),
    };
    mailboxes.push(await openWebhookMailbox(client, { ...options, host }, ledger, ears));
  }
  return { client, mailboxes };
}

/** The names of an agent's mailboxes that want events of a type. */
export function mailboxesFor({ mailboxes }: Participant, type: string): string[] {
  return mailboxes.filter(({ types }: Mailbox) => types.includes(type)).map(({ name }) => name);
}
