import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Seconds that a card may be believed without asking again. */
const maximumAge = 60;

export interface CardAnswer {
  /** In the form that the client reads. */
  readonly card: object;
  /** Of what the card shows; in milliseconds since the epoch. */
  readonly lastChange: number;
}

/** Answers with a card, or with 304 where the client has it. */
export function answerCard(
  request: FastifyRequest,
  reply: FastifyReply,
  { card, lastChange }: CardAnswer,
): FastifyReply {
  const body = JSON.stringify(card);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.headers({
    etag,
    'last-modified': new Date(lastChange).toUTCString(),
    'cache-control': `public, max-age=${maximumAge}`,
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

/** If-None-Match compares weakly (RFC 9110 §13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}
