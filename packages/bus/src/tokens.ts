import { hash, randomBytes } from 'node:crypto';

/** A new Agent Token: 256 random bits behind a prefix that secret scanners can know. */
export function makeAgentToken(): string {
  return `relay_agent_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a token. A fast hash is enough: there is nothing to guess in 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}
