import type { Registry } from '@relay/bus';
import type { OwnedAgent } from '@relay/domain';
import type { AgentId, AgentRecord } from '@relay/protocol';
import { readAgent, readOwnersOnce } from '../registry/read-contact.ts';

/** A page ends early rather than grow past this. */
const maximumPageBytes = 8 * 1024 * 1024;
const readsAtOnce = 10;

/** An agent's place in what the index found. */
interface Place<Position> {
  readonly agentId: AgentId;
  readonly position: Position;
}

/**
 * The agents of a page as the registry has them now.
 * @param places more than the limit where another page follows
 * @returns also where the next page goes on after
 */
export async function readPlaces<Position>(
  registry: Registry,
  places: readonly Place<Position>[],
  limit: number,
  isWanted: (agent: AgentRecord) => boolean,
): Promise<{ readonly agents: readonly OwnedAgent[]; readonly next: Position | undefined }> {
  const readOwner = readOwnersOnce(registry);
  const shown = places.slice(0, limit);
  const agents: OwnedAgent[] = [];
  let bytes = 0;
  for (let from = 0; from < shown.length; from += readsAtOnce) {
    const batch = shown.slice(from, from + readsAtOnce);
    const read = await Promise.all(
      batch.map(({ agentId }) => readAgent(registry, agentId, readOwner)),
    );
    for (const [offset, owned] of read.entries()) {
      if (!owned || !isWanted(owned.agent)) continue;
      bytes += Buffer.byteLength(JSON.stringify(owned.agent));
      if (bytes > maximumPageBytes && agents.length > 0) {
        return { agents, next: shown[from + offset - 1]?.position };
      }
      agents.push(owned);
    }
  }
  return { agents, next: places.length > limit ? shown.at(-1)?.position : undefined };
}
