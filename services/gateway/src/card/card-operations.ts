import {
  agentCardSchema,
  agentCardV01Schema,
  agentCardV03Schema,
  keySetSchema,
} from '@relay/protocol';
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';

const shared = {
  tag: 'A2A',
  caller: 'anyone',
  errors: ['agentNotFound', 'unavailable', 'internal'],
  errorForm: 'rest',
} as const;

const card = { 'application/json': z.union([agentCardSchema, agentCardV03Schema]) };
const headers = z.object({
  'A2A-Version': z.string().optional().meta({
    description:
      'With `1.0` the card is as 1.0 has it; else the fields of 0.3 stand beside. It may be in the query too.',
  }),
});
const notModified = { status: 304, description: 'The client has it (`If-None-Match`).' };

/** The operations of an agent's public face, at the root or under `/a2a`. */
export function describeCards(prefix: '' | '/a2a') {
  const suffix = prefix === '' ? '' : 'UnderA2a';
  return {
    card: {
      ...shared,
      id: `getAgentCard${suffix}`,
      summary: "An agent's card",
      headers,
      answers: [{ status: 200, description: 'The card.', content: card }, notModified],
    },
    wellKnownCard: {
      ...shared,
      id: `getWellKnownAgentCard${suffix}`,
      summary: "An agent's card, where A2A clients look for it",
      headers,
      answers: [{ status: 200, description: 'The card.', content: card }, notModified],
    },
    oldestCard: {
      ...shared,
      id: `getOldestAgentCard${suffix}`,
      summary: "An agent's card, where clients before 0.3 look for it",
      answers: [
        {
          status: 200,
          description: 'The card.',
          content: { 'application/json': agentCardV01Schema },
        },
        notModified,
      ],
    },
    cardOrPage: {
      ...shared,
      id: `getAgentCardOrPage${suffix}`,
      summary: "An agent's card, or its page for browsers",
      headers,
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

export const keySetOperation: Operation = {
  tag: 'A2A',
  id: 'getKeySet',
  summary: 'The public keys that verify the signatures of cards',
  description: 'None where the relay does not sign cards.',
  caller: 'anyone',
  answers: [
    { status: 200, description: 'The keys.', content: { 'application/json': keySetSchema } },
  ],
  errors: [],
  errorForm: 'rest',
};

const rootCard = {
  tag: 'A2A',
  summary: 'Says where the cards are',
  description: 'A relay is no agent, so it has no card.',
  caller: 'anyone',
  answers: [],
  errors: ['notFound'],
  errorForm: 'rest',
} as const;

/** What is answered at the root where clients look for cards, by its path. */
export const rootCardOperations: Readonly<Record<string, Operation>> = {
  '/.well-known/agent-card.json': { ...rootCard, id: 'getRootAgentCard' },
  '/.well-known/agent.json': { ...rootCard, id: 'getOldestRootAgentCard' },
};
