import { z } from 'zod';
import { skillSchema } from './agents.ts';
import type { Immutable } from './immutable.ts';

const agentInterfaceSchema = z.object({
  url: z.url(),
  protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']),
  protocolVersion: z.enum(['1.0', '0.3']),
});
export type AgentInterface = Immutable<z.infer<typeof agentInterfaceSchema>>;

/** A JSON Web Signature (RFC 7515), its payload left out: it is made from the card. */
const cardSignatureSchema = z
  .object({
    protected: z.string().meta({
      description:
        'Base64url of a header with `alg`, `kid`, `typ` and, in `jku`, where the key is.',
    }),
    signature: z.string().meta({ description: 'Base64url.' }),
  })
  .meta({ id: 'AgentCardSignature' });
export type CardSignature = Immutable<z.infer<typeof cardSignatureSchema>>;

/** A public key of a curve (RFC 7517). */
const jwkSchema = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string().optional(),
  kid: z.string(),
  alg: z.string(),
  use: z.literal('sig'),
});
export type Jwk = Immutable<z.infer<typeof jwkSchema>>;

/** What verifies the signatures of cards. */
export const keySetSchema = z.object({ keys: z.array(jwkSchema) }).meta({ id: 'KeySet' });

/** The A2A 1.0 Agent Card, with the members that Relay fills. */
export const agentCardSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    supportedInterfaces: z.array(agentInterfaceSchema),
    provider: z.object({ organization: z.string(), url: z.string() }).optional(),
    version: z.string().meta({ description: 'Another one after every change of the agent.' }),
    capabilities: z.object({
      streaming: z.boolean(),
      pushNotifications: z.boolean(),
      extendedAgentCard: z.boolean(),
    }),
    securitySchemes: z.object({
      relay: z.object({
        httpAuthSecurityScheme: z.object({
          scheme: z.literal('Bearer'),
          description: z.string(),
        }),
      }),
    }),
    securityRequirements: z.array(
      z.object({ schemes: z.object({ relay: z.object({ list: z.array(z.string()) }) }) }),
    ),
    defaultInputModes: z.array(z.string()),
    defaultOutputModes: z.array(z.string()),
    skills: z.array(skillSchema),
    iconUrl: z.string().optional(),
    signatures: z.array(cardSignatureSchema).optional().meta({
      description: 'Where the relay signs cards. One that holds is enough.',
    }),
  })
  .meta({ id: 'AgentCard' });
export type AgentCard = Immutable<z.infer<typeof agentCardSchema>>;
