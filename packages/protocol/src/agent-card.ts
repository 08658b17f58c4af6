import { z } from 'zod';
import { skillSchema } from './agents.ts';
import type { Immutable } from './immutable.ts';

const agentInterfaceSchema = z.object({
  url: z.url(),
  protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']),
  protocolVersion: z.enum(['1.0', '0.3']),
});
export type AgentInterface = Immutable<z.infer<typeof agentInterfaceSchema>>;

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
  })
  .meta({ id: 'AgentCard' });
export type AgentCard = Immutable<z.infer<typeof agentCardSchema>>;
