import { hash } from 'node:crypto';
import { type AgentId, type SubscriptionId, subscriptionIdSchema } from '@relay/protocol';
import { uuidOf } from './derived-ids.ts';

/** The id of a config that was given none: the same for the same URL, so that the same again is no second one. */
export function derivePushConfigId(url: string): string {
  return uuidOf(hash('sha256', `push config for ${url}`));
}

/**
 * What an agent's push notifications to one origin have in common: they are sent as to one endpoint, which
 * rests when it fails, whatever the task.
 */
export function derivePushEndpointId(agentId: AgentId, url: string): SubscriptionId {
  const { origin } = new URL(url);
  return subscriptionIdSchema.parse(uuidOf(hash('sha256', `pushes of ${agentId} to ${origin}`)));
}
