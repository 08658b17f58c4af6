import type { Logger } from '@relay/runtime';
import { type Listener, type ListenOptions, RelayAgent } from '@relay/sdk';
import { answerGuest } from './concierge.ts';
import { translateTask } from './translator.ts';

export interface DemoAgentsOptions {
  readonly url: string;
  readonly tokens: { readonly translator: string; readonly concierge: string };
  readonly logger: Logger;
}

/**
 * Runs the demo agents over Relay's real wire: `translator` accepts tasks, `concierge` does not. The
 * third, `planner`, is an identity for whoever tries Relay out, so nothing runs for it. Relay starts
 * without a demo agent that it refuses, such as one that was given a webhook.
 */
export async function startDemoAgents(
  options: DemoAgentsOptions,
): Promise<{ stop(): Promise<void> }> {
  const { url, tokens } = options;
  const translator = new RelayAgent({ url, token: tokens.translator });
  const concierge = new RelayAgent({ url, token: tokens.concierge });
  const listeners = await Promise.all([
    start('translator', options, (listen) => translator.serve(translateTask, listen)),
    start('concierge', options, (listen) => concierge.onMessage(answerGuest, listen)),
  ]);
  return {
    stop: async () => {
      await Promise.allSettled(listeners.map(async (listener) => listener?.stop()));
    },
  };
}

async function start(
  agent: string,
  { logger }: DemoAgentsOptions,
  connect: (options: ListenOptions) => Promise<Listener>,
): Promise<Listener | undefined> {
  const onError = (error: Error) => logger.warn({ agent, err: error }, 'demo_agent.failed');
  try {
    return await connect({ onError });
  } catch (error) {
    logger.warn({ agent, err: error }, 'demo_agent.refused');
    return undefined;
  }
}
