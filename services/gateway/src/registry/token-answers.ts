import { makeToken, type Registry } from '@relay/bus';
import { toTokenResource } from '@relay/domain';
import {
  createTokenRequestSchema,
  newTokenSchema,
  type OwnerId,
  RelayError,
  tokenResourceSchema,
} from '@relay/protocol';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { noContent } from '../http/rest-route.ts';
import { addToken, recordToken, revokeToken, type TokenList } from './token-list.ts';

/** What the routes to tokens have in common, whose tokens they are. */
export const tokenRoutes = {
  create: {
    method: 'POST',
    description: 'It is shown once.',
    body: createTokenRequestSchema,
    status: 201,
    answer: newTokenSchema,
  },
  list: { method: 'GET', answer: z.object({ tokens: z.array(tokenResourceSchema) }) },
  revoke: {
    method: 'DELETE',
    description: 'It is good for nothing within a second, and what was opened with it ends.',
    status: 204,
    answer: noContent,
  },
} as const;

interface TokenOrder {
  readonly kind: 'agent' | 'owner';
  readonly name: string | null;
  /** `null`: the administrator. */
  readonly issuedBy: OwnerId | null;
}

/** Makes a token and shows it. */
export async function createToken(
  registry: Registry,
  list: TokenList,
  { kind, name, issuedBy }: TokenOrder,
  reply: FastifyReply,
) {
  const token = makeToken(kind);
  const record = recordToken(token, { name, issuedBy });
  await addToken(registry, list, record);
  reply.header('cache-control', 'no-store');
  return { ...toTokenResource(record), token };
}

export function listTokens({ tokens }: TokenList) {
  return { tokens: tokens.map(toTokenResource) };
}

/** @throws RelayError notFound where the token is not of the list */
export async function revokeListed(
  registry: Registry,
  list: TokenList,
  tokenId: string,
): Promise<void> {
  const token = list.tokens.find(({ id }) => id === tokenId);
  if (!token) throw new RelayError('notFound');
  await revokeToken(registry, list, token);
}
