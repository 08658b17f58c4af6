import type { Registry } from '@relay/bus';
import { manages, type OwnedAgent } from '@relay/domain';
import { handleSchema } from '@relay/protocol';
import { z } from 'zod';
import type { Manager } from '../http/authentication.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { ListedKeys } from './listed-keys.ts';
import { readOwnedHandles } from './owned-agents.ts';

/** Query of the registry's lists. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(255).optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

export interface AgentPage {
  readonly agents: readonly OwnedAgent[];
  /** `null` at the end. */
  readonly nextCursor: string | null;
}

/** The agents of a manager by handle. */
export async function readAgentPage(
  registry: Registry,
  lists: ListedKeys,
  manager: Manager,
  { limit, cursor }: PageQuery,
): Promise<AgentPage> {
  const after = cursor === undefined ? '' : decodeCursor(cursor, handleSchema);
  const handles =
    manager.kind === 'administrator'
      ? await lists.readAfter('all', after, () => registry.handles.keys())
      : await lists.readAfter(manager.owner.id, after, () =>
          readOwnedHandles(registry, manager.owner),
        );
  const agents: OwnedAgent[] = [];
  for (const handle of handles) {
    const agent = await registry.agentByHandle(handleSchema.parse(handle));
    if (!agent || (manager.kind === 'owner' && !manages(manager.owner, agent))) continue;
    const last = agents.at(-1);
    if (last && agents.length === limit) {
      return { agents, nextCursor: encodeCursor(last.agent.handle) };
    }
    agents.push({ agent, owner: await registry.ownerOf(agent) });
  }
  return { agents, nextCursor: null };
}
