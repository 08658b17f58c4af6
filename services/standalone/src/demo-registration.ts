import type { Registry } from '@relay/bus';
import { ensureAgent } from '@relay/gateway';
import { createAgentRequestSchema, RelayError } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { Credentials } from './credentials.ts';

const PROFILES = [
  {
    handle: 'planner',
    display_name: 'Planner',
    subtitle: 'Whoever tries Relay out',
  },
  {
    handle: 'translator',
    display_name: 'Translator',
    subtitle: 'A few words into three languages',
    category: 'education',
    visibility: 'public',
    description:
      'Translates everyday words and phrases from English into French, German or Spanish.',
    skills: [
      {
        id: 'translate',
        name: 'Translate',
        description: 'Translates a word or a phrase. Asks for the language where it is not said.',
        tags: ['translation', 'language'],
        examples: ['Translate "good morning" into French'],
      },
    ],
  },
  {
    handle: 'concierge',
    display_name: 'Concierge',
    subtitle: 'Takes messages, not tasks',
    description: 'Greets whoever writes, and notes wishes.',
    category: 'lifestyle',
    visibility: 'public',
  },
] as const;

/** Tells the tokens of the credentials file from others that an operator gave the agents. */
const TOKEN_NAME = 'credentials.json';

/** A demo agent that the operator has deleted stays deleted. */
export async function registerDemoAgents(
  registry: Registry,
  tokens: Credentials['agents'],
  logger: Logger,
): Promise<void> {
  for (const profile of PROFILES) {
    const { handle } = profile;
    const agent = { ...createAgentRequestSchema.parse(profile), token: tokens[handle] };
    await ensureAgent(registry, { ...agent, tokenName: TOKEN_NAME }).catch((error: unknown) => {
      if (!(error instanceof RelayError)) throw error;
      logger.warn({ handle, err: error }, 'demo_agent.not_registered');
    });
  }
}
