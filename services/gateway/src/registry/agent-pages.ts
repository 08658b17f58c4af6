import type { Registry } from '@relay/bus';
import { type AgentRecord, handleSchema, RelayError } from '@relay/protocol';
import { z } from 'zod';

/** Query of `GET /v1/agents`. */
export const listAgentsQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(255).optional(),
});

export interface AgentPage {
  readonly agents: readonly AgentRecord[];
  /** `null` at the end. */
  readonly nextCursor: string | null;
}

/** Agents by handle. It reads all handles, so it is for the administrator alone. */
export async function readAgentPage(
  registry: Registry,
  { limit, cursor }: z.infer<typeof listAgentsQuerySchema>,
): Promise<AgentPage> {
  const after = cursor === undefined ? '' : decodeCursor(cursor);
  const handles = (await registry.handles.keys()).filter((handle) => handle > after).toSorted();
  const agents: AgentRecord[] = [];
  for (const handle of handles) {
    const agent = await registry.agentByHandle(handleSchema.parse(handle));
    if (agent && agents.length === limit) {
      return { agents, nextCursor: encodeCursor(agents.at(-1)) };
    }
    if (agent) agents.push(agent);
  }
  return { agents, nextCursor: null };
}

function encodeCursor(last: AgentRecord | undefined): string | null {
  return last ? Buffer.from(last.handle).toString('base64url') : null;
}

/** @throws RelayError invalidParams */
function decodeCursor(cursor: string): string {
  const handle = handleSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (handle.success) return handle.data;
  throw new RelayError({ error: 'invalidParams', message: 'The cursor is not of this list.' });
}
