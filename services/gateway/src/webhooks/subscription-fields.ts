import { type AgentRecord, RelayError, subscriptionIdSchema } from '@relay/protocol';
import { commandFields } from './delivery-commands.ts';

/**
 * What a command on the subscription that a path names holds.
 * @throws RelayError notFound for what is no id at all, as for one that nothing has
 */
export function subscriptionFields(
  agent: Pick<AgentRecord, 'id'>,
  parameters: { readonly subscriptionId: string },
) {
  const { data: subscriptionId } = subscriptionIdSchema.safeParse(parameters.subscriptionId);
  if (subscriptionId === undefined) throw new RelayError('notFound');
  return { ...commandFields(agent.id), subscriptionId };
}
