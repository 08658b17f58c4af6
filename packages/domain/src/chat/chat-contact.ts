import type { ContactCard } from '@relay/protocol';

/** An agent as its chats show it, as it was when it last wrote or was added. */
export type ChatContact = Pick<
  ContactCard,
  'id' | 'handle' | 'display_name' | 'image_url' | 'image_color' | 'subtitle' | 'verified' | 'owner'
>;

export function toChatContact(card: ContactCard): ChatContact {
  const { id, handle, display_name, image_url, image_color, subtitle, verified, owner } = card;
  return { id, handle, display_name, image_url, image_color, subtitle, verified, owner };
}
