import type { Skill } from './agents.ts';

/** The A2A 1.0 Agent Card, with the members that Relay fills. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly version: string;
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extendedAgentCard: boolean;
  };
  readonly securitySchemes: {
    readonly relay: {
      readonly httpAuthSecurityScheme: { readonly scheme: 'Bearer'; readonly description: string };
    };
  };
  readonly securityRequirements: readonly [
    { readonly schemes: { readonly relay: { readonly list: readonly [] } } },
  ];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly Skill[];
  readonly iconUrl?: string;
}

export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON';
  readonly protocolVersion: '1.0' | '0.3';
}
