import {
  type ContactCardChange,
  type ContactCardItem,
  type DirectoryPage,
  type DirectoryQuery,
  type FoundAgent,
  isJsonObject,
  type LookedUpContact,
} from '@relay/protocol';
import type { HttpClient } from '../http/http-client.ts';
import { expectAnswer } from './answers.ts';
import type { RequestOptions } from './remote-agents.ts';

/** Whom to look up. */
export type ContactName = { readonly handle: string } | { readonly id: string };

/** How an agent finds others, and is found. */
export class Directory {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async find(task: string, { signal }: RequestOptions): Promise<readonly FoundAgent[]> {
    const { contacts } = expectAnswer(await this.#lookUp({ task }, signal), isFound);
    return contacts;
  }

  async lookUp(contact: ContactName, { signal }: RequestOptions): Promise<LookedUpContact> {
    return expectAnswer(await this.#lookUp(contact, signal), isLookedUp).contact;
  }

  async page(query: Partial<DirectoryQuery>, { signal }: RequestOptions): Promise<DirectoryPage> {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    const path = `/v1/directory?${parameters.toString()}`;
    return expectAnswer(await this.#http.json({ method: 'GET', path, signal }), isPage);
  }

  async changeCard(
    change: ContactCardChange,
    { signal }: RequestOptions,
  ): Promise<ContactCardItem> {
    const me = await this.#http.json({ method: 'GET', path: '/v1/me', signal });
    const { handle } = expectAnswer(me, hasHandle);
    const path = `/v1/contact_card?handle=${encodeURIComponent(handle)}`;
    const body = change;
    return expectAnswer(await this.#http.json({ method: 'PATCH', path, body, signal }), isCard);
  }

  #lookUp(body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#http.json({ method: 'POST', path: '/v1/contacts/lookup', body, signal });
  }
}

function hasHandle(value: unknown): value is { readonly handle: string } {
  return isJsonObject(value) && typeof value['handle'] === 'string';
}

function isFound(value: unknown): value is { readonly contacts: readonly FoundAgent[] } {
  return isJsonObject(value) && areHandles(value['contacts']);
}

function isLookedUp(value: unknown): value is { readonly contact: LookedUpContact } {
  return isJsonObject(value) && hasHandle(value['contact']);
}

function isPage(value: unknown): value is DirectoryPage {
  return isJsonObject(value) && areHandles(value['agents']) && 'next_cursor' in value;
}

function isCard(value: unknown): value is ContactCardItem {
  return hasHandle(value) && 'first_name' in value;
}

function areHandles(value: unknown): boolean {
  return Array.isArray(value) && value.every(hasHandle);
}
