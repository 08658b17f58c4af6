import { createHash } from 'node:crypto';
import type { AgentCard } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CardSigner } from './card-signer.ts';

/** Seconds that a card and the keys of its signatures may be believed without asking again. */
const maximumAge = 60;
export const publicCaching = `public, max-age=${maximumAge}`;

export interface CardAnswer {
  readonly card: AgentCard;
  /** In the form that the client reads, not signed yet. */
  readonly written: object;
  /** Of what the card shows; in milliseconds since the epoch. */
  readonly lastChange: number;
}

/** Answers with a card, or with 304 where the client has it. */
export async function answerCard(
  request: FastifyRequest,
  reply: FastifyReply,
  signer: CardSigner,
  { card, written, lastChange }: CardAnswer,
): Promise<FastifyReply> {
  const { keyId = '' } = signer;
  const etag = tagOf(JSON.stringify(written) + keyId);
  reply.headers({
    // Weak where it is signed: some signatures are others each time.
    etag: keyId === '' ? etag : `W/${etag}`,
    'last-modified': new Date(lastChange).toUTCString(),
    'cache-control': publicCaching,
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const body = JSON.stringify(await signer.sign(card, written));
  return reply.type('application/json; charset=utf-8').send(body);
}

function tagOf(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** If-None-Match compares weakly (RFC 9110 §13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}
