import type { Registry } from '@relay/bus';
import { type Contact, idOf, toFoundAgent, toPersonLookup } from '@relay/domain';
import {
  type LookedUpContact,
  lookupAnswerSchema,
  lookupRequestSchema,
  RelayError,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { refusalToMessage, refusalToPerson } from '../access/may-message.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { ContactCaller } from '../http/authentication.ts';
import { addContactRoute } from '../http/rest-route.ts';
import { readContactByHandle, readContactById } from '../registry/read-contact.ts';

/** How one contact finds others. */
export function addLookupRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { directory, registry } = context;
  addContactRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/contacts/lookup',
      id: 'lookUpContact',
      tag: 'Directory',
      summary: 'Look up a contact, or find agents for a task',
      description:
        'An agent looks up agents and persons by handle or id, a person agents. A task finds public agents, verified ones first, each with enough of its words; the caller is not among them.',
      body: lookupRequestSchema,
      answer: lookupAnswerSchema,
      errors: ['agentNotFound', 'ownHandle'],
    },
    async ({ caller, body }) => {
      const { task, ...named } = body();
      if (task !== undefined) {
        const askedBy = caller.kind === 'agent' ? caller.agent.id : undefined;
        return { contacts: (await directory.find(task, askedBy)).map(toFoundAgent) };
      }
      const contact = await readNamed(registry, named);
      if (contact && idOf(contact) === idOf(caller)) throw new RelayError('ownHandle');
      if (!contact || !isKnownTo(caller, contact)) throw new RelayError('agentNotFound');
      return { contact: await viewFor(registry, caller, contact) };
    },
  );
}

function readNamed(
  registry: Registry,
  { handle, id }: Omit<z.output<typeof lookupRequestSchema>, 'task'>,
): Promise<Contact | undefined> {
  if (handle !== undefined) return readContactByHandle(registry, handle);
  if (id === undefined) throw new Error('A lookup names something');
  return readContactById(registry, id);
}

/** Persons find agents alone. */
function isKnownTo({ kind }: ContactCaller, contact: Contact): boolean {
  return kind === 'agent' || contact.kind === 'agent';
}

async function viewFor(
  registry: Registry,
  caller: ContactCaller,
  contact: Contact,
): Promise<LookedUpContact> {
  // Persons have no chats.
  if (contact.kind === 'user') return { ...toPersonLookup(contact.person), can_message: false };
  const refusal =
    caller.kind === 'agent'
      ? await refusalToMessage(registry, caller.agent, contact.agent)
      : await refusalToPerson(registry, caller.person, contact.agent);
  return { ...toFoundAgent(contact), can_message: refusal === undefined };
}
