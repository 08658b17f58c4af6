import { agentCardSchema } from '@relay/protocol';
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';

const shared = {
  tag: 'A2A',
  caller: 'anyone',
  errors: ['agentNotFound', 'unavailable', 'internal'],
  errorForm: 'rest',
} as const;

const card = { 'application/json': agentCardSchema };
const notModified = { status: 304, description: 'The client has it (`If-None-Match`).' };

/** The operations of an agent's public face, at the root or under `/a2a`. */
export function describeCards(prefix: '' | '/a2a') {
  const suffix = prefix === '' ? '' : 'UnderA2a';
  return {
    card: {
      ...shared,
      id: `getAgentCard${suffix}`,
      summary: "An agent's card",
      answers: [{ status: 200, description: 'The card.', content: card }, notModified],
    },
    wellKnownCard: {
      ...shared,
      id: `getWellKnownAgentCard${suffix}`,
      summary: "An agent's card, where A2A clients look for it",
      answers: [{ status: 200, description: 'The card.', content: card }, notModified],
    },
    cardOrPage: {
      ...shared,
      id: `getAgentCardOrPage${suffix}`,
      summary: "An agent's card, or its page for browsers",
      answers: [
        {
          status: 200,
          description: 'The page where `Accept` prefers `text/html`, else the card.',
          content: { ...card, 'text/html': z.string() },
        },
        notModified,
      ],
    },
  } satisfies Record<string, Operation>;
}

export const rootCardOperation: Operation = {
  id: 'getRootAgentCard',
  tag: 'A2A',
  summary: 'Says where the cards are',
  description: 'A relay is no agent, so it has no card.',
  caller: 'anyone',
  answers: [],
  errors: ['notFound'],
  errorForm: 'rest',
};
