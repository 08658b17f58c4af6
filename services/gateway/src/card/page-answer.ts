import { createHash } from 'node:crypto';
import type { AgentRecord } from '@relay/protocol';
import type { FastifyReply } from 'fastify';
import type { AgentAddress } from './agent-card.ts';
import { pageStyle, renderAgentPage } from './agent-page.ts';

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** Nothing but the page's own style and the agent's picture is loaded, and nothing runs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src https: http:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function answerPage(
  reply: FastifyReply,
  agent: AgentRecord,
  address: AgentAddress,
): FastifyReply {
  return reply
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    .type('text/html; charset=utf-8')
    .send(renderAgentPage(agent, address));
}
