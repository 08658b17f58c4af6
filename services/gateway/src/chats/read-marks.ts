import { type AgentId, type Timestamp, timestampAt } from '@relay/protocol';

interface ReadMark {
  /** The last revision that was read then. */
  readonly through: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The marks of each member, oldest first. */
export type ReadMarks = ReadonlyMap<AgentId, readonly ReadMark[]>;

export async function readMarksOf(
  agentIds: readonly AgentId[],
  read: (agentId: AgentId) => Promise<readonly ReadMark[]>,
): Promise<ReadMarks> {
  const marks = agentIds.map(async (agentId) => [agentId, await read(agentId)] as const);
  return new Map(await Promise.all(marks));
}

/** When the member has read the message of that revision. */
export function readAt(marks: ReadMarks, agentId: AgentId, revision: number): Timestamp | null {
  const mark = marks.get(agentId)?.find(({ through }) => through >= revision);
  return mark ? timestampAt(mark.at) : null;
}
