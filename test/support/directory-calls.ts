import type { DirectoryAgent, FoundAgent, LookedUpContact } from '@relay/protocol';
import { expect } from 'vitest';
import type { Answer, GatewayClient, TestAgent } from './gateway-client.ts';

export interface DirectoryAnswer {
  readonly agents: readonly DirectoryAgent[];
  readonly next_cursor: string | null;
}

type Query = Readonly<Record<string, string | number>>;

export function askDirectory(client: GatewayClient, query: Query = {}): Promise<Answer> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return client.send('GET', `/v1/directory?${parameters.toString()}`);
}

/** One page; an answer that is none fails. */
export async function readDirectory(client: GatewayClient, query?: Query) {
  const { status, text } = await askDirectory(client, query);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const page: DirectoryAnswer = JSON.parse(text);
  return page;
}

export async function listedHandles(client: GatewayClient, query?: Query): Promise<string[]> {
  return (await readDirectory(client, query)).agents.map(({ handle }) => handle);
}

/** All pages from a cursor on; what is to happen between two of them may be given. */
export async function restOfDirectory(
  client: GatewayClient,
  query: Query,
  between: (page: DirectoryAnswer) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const handles: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: DirectoryAnswer = await readDirectory(client, {
      ...query,
      ...(cursor === '' ? {} : { cursor }),
    });
    handles.push(...page.agents.map(({ handle }) => handle));
    await between(page);
    cursor = page.next_cursor;
  }
  return handles;
}

export function lookUp(
  client: GatewayClient,
  { token }: Pick<TestAgent, 'token'>,
  body: unknown,
): Promise<Answer> {
  return client.send('POST', '/v1/contacts/lookup', { token, body });
}

export function contactOf({ text }: Answer): LookedUpContact {
  const { contact }: { contact: LookedUpContact } = JSON.parse(text);
  return contact;
}

/** The handles of the agents that match a task, best first. */
export async function foundFor(
  client: GatewayClient,
  caller: Pick<TestAgent, 'token'>,
  task: string,
): Promise<string[]> {
  return (await findFor(client, caller, task)).map(({ handle }) => handle);
}

export async function findFor(
  client: GatewayClient,
  caller: Pick<TestAgent, 'token'>,
  task: string,
): Promise<readonly FoundAgent[]> {
  const { status, text } = await lookUp(client, caller, { task });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const { contacts }: { contacts: readonly FoundAgent[] } = JSON.parse(text);
  return contacts;
}

let marks = 0;

/** A word that no other agent has: searches of a test find its own agents alone. */
export function newMark(): string {
  marks += 1;
  return `mark${String.fromCharCode(97 + (marks % 26)).repeat(3)}${marks}q`;
}
