import type { ContactId, ContactLookup, Handle, PersonLookup, PersonRecord } from '@relay/protocol';
import { toContactCard } from './agent-view.ts';
import type { OwnedAgent } from './ownership.ts';

/** Whoever has a handle: an agent, or a person. */
export type Contact =
  | (OwnedAgent & { readonly kind: 'agent' })
  | { readonly kind: 'user'; readonly person: PersonRecord };

export function idOf(contact: Contact): ContactId {
  return contact.kind === 'agent' ? contact.agent.id : contact.person.id;
}

export function handleOf(contact: Contact): Handle {
  return contact.kind === 'agent' ? contact.agent.handle : contact.person.handle;
}

/** The contact as others look it up. */
export function toContactLookup(contact: Contact): ContactLookup {
  if (contact.kind === 'agent') {
    const { owner: _owner, ...card } = toContactCard(contact);
    return card;
  }
  return toPersonLookup(contact.person);
}

export function toPersonLookup({ id, handle, display_name }: PersonRecord): PersonLookup {
  return {
    id,
    handle,
    display_name,
    kind: 'user',
    image_url: null,
    image_color: null,
    verified: false,
  };
}
