import { z } from 'zod';
import { type AgentCard, agentCardSchema } from '../agent-card.ts';
import type { Immutable } from '../immutable.ts';

const { relay: scheme } = agentCardSchema.shape.securitySchemes.shape;

const fieldsV03 = {
  url: z.string(),
  protocolVersion: z.literal('0.3.0'),
  preferredTransport: z.literal('JSONRPC'),
  additionalInterfaces: z.array(
    z.object({ url: z.string(), transport: z.enum(['JSONRPC', 'HTTP+JSON']) }),
  ),
  securitySchemes: z.object({
    relay: scheme.extend({
      type: z.literal('http'),
      scheme: z.literal('Bearer'),
      description: z.string(),
    }),
  }),
  supportsAuthenticatedExtendedCard: z.boolean(),
};

const securityV03 = z.array(z.object({ relay: z.array(z.string()) }));

export const agentCardV03Schema = agentCardSchema
  .extend({ ...fieldsV03, security: securityV03 })
  .meta({ id: 'AgentCardV03', description: "The card with the fields of 0.3 beside 1.0's." });
export type AgentCardV03 = Immutable<z.infer<typeof agentCardV03Schema>>;

export const agentCardV03HttpSchema = agentCardSchema
  .extend({ ...fieldsV03, security: agentCardSchema.shape.securityRequirements })
  .meta({ id: 'AgentCardV03Http', description: "The card as 0.3's HTTP+JSON has it." });
export type AgentCardV03Http = Immutable<z.infer<typeof agentCardV03HttpSchema>>;

export const agentCardV01Schema = agentCardV03Schema
  .extend({ authentication: z.object({ schemes: z.array(z.string()) }) })
  .meta({
    id: 'AgentCardV01',
    description: "The card with the fields of 0.1 and 0.3 beside 1.0's.",
  });
export type AgentCardV01 = Immutable<z.infer<typeof agentCardV01Schema>>;

/** The card with the fields by which clients of 0.3 read it, beside those of 1.0. */
export function encodeCardV03(card: AgentCard): AgentCardV03 {
  const { securityRequirements } = card;
  return {
    ...withFieldsV03(card),
    security: securityRequirements.map(({ schemes }) => ({ relay: schemes.relay.list })),
  };
}

/** As the proto of 0.3 has it, for `/v1/card`. */
export function encodeCardV03Http(card: AgentCard): AgentCardV03Http {
  return { ...withFieldsV03(card), security: card.securityRequirements };
}

/** The card at `/.well-known/agent.json`, where clients of 0.1 and 0.2 look for it. */
export function encodeCardV01(card: AgentCard): AgentCardV01 {
  return { ...encodeCardV03(card), authentication: { schemes: ['Bearer'] } };
}

function withFieldsV03(card: AgentCard) {
  const { httpAuthSecurityScheme } = card.securitySchemes.relay;
  const older = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '0.3');
  const [preferred] = older;
  if (preferred?.protocolBinding !== 'JSONRPC') throw new Error('A card names no 0.3 by JSON-RPC');
  return {
    ...card,
    url: preferred.url,
    protocolVersion: '0.3.0' as const,
    preferredTransport: preferred.protocolBinding,
    additionalInterfaces: older.map(({ url, protocolBinding: transport }) => ({ url, transport })),
    securitySchemes: {
      relay: { httpAuthSecurityScheme, type: 'http' as const, ...httpAuthSecurityScheme },
    },
    supportsAuthenticatedExtendedCard: card.capabilities.extendedAgentCard,
  };
}
