import type { Bus, Registry } from '@relay/bus';
import {
  compareRanks,
  isListed,
  isPublic,
  type Measure,
  measureFor,
  type OwnedAgent,
  type RankedAgent,
  rank,
  skillKey,
  toDirectoryAgent,
  wordsAskedFor,
} from '@relay/domain';
import {
  type AgentId,
  type AgentRecord,
  agentIdSchema,
  type DirectoryPage,
  type DirectoryQuery,
} from '@relay/protocol';
import type { DirectoryIndex } from '@relay/store';
import { z } from 'zod';
import { decodePageToken, encodePageToken } from '../lists/page-token.ts';
import { ProjectionWait } from '../lists/projection-wait.ts';
import { readPlaces } from './read-places.ts';

/** What agents are looked for by. */
type Search = Pick<DirectoryQuery, 'q' | 'skill' | 'category'>;

interface SearchPosition {
  readonly measure: Measure;
  readonly last: RankedAgent;
}

const placeSchema = z.string().max(2_048);
const searchPositionSchema = z.object({
  measure: z.object({ values: z.array(z.number()).max(24), leastWorth: z.number() }),
  last: z.object({ agentId: agentIdSchema, isVerified: z.boolean(), score: z.number() }),
});

const mostFound = 20;

/**
 * Public agents. The index says which, the registry what they are, so an answer is never stale: it waits
 * until the index has reached the registry as it was asked.
 */
export class Directory {
  readonly #bus: Bus;
  readonly #registry: Registry;
  readonly #index: DirectoryIndex;
  readonly #projection: ProjectionWait;

  constructor(bus: Bus, registry: Registry, index: DirectoryIndex) {
    this.#bus = bus;
    this.#registry = registry;
    this.#index = index;
    this.#projection = new ProjectionWait(bus);
  }

  close(): void {
    this.#projection.close();
  }

  /**
   * Verified agents first, then by match, name or age.
   * @throws RelayError invalidParams for a bad cursor, unavailable while Redis is away or behind
   */
  async page({ limit, cursor, ...filter }: DirectoryQuery): Promise<DirectoryPage> {
    const isSearch = filter.q !== undefined || filter.skill !== undefined;
    const places = isSearch
      ? await this.#searched(filter, positionIn(cursor, filter, searchPositionSchema))
      : await this.#listed(filter, limit, positionIn(cursor, filter, placeSchema));
    const isWanted = (agent: AgentRecord) =>
      isListed(agent) && (filter.category === undefined || agent.category === filter.category);
    const { agents, next } = await readPlaces<unknown>(this.#registry, places, limit, isWanted);
    return {
      agents: agents.map(toDirectoryAgent),
      next_cursor: next === undefined ? null : encodePageToken(filter, next),
    };
  }

  /**
   * The agents that match a task best, without the one that asks.
   * @throws RelayError unavailable while Redis is away or behind
   */
  async find(task: string, askedBy: AgentId | undefined): Promise<readonly OwnedAgent[]> {
    const places = await this.#searched({ q: task });
    const others = places.filter(({ agentId }) => agentId !== askedBy);
    return (await readPlaces(this.#registry, others, mostFound, isPublic)).agents;
  }

  #listed(
    { category, sort }: Pick<DirectoryQuery, 'category' | 'sort'>,
    limit: number,
    after: string | undefined,
  ) {
    // One more than the page tells whether another page follows.
    const query = { category, sort, after, limit: limit + 1 };
    return this.#projection.reached(this.#bus.registryRecords, (sequence) =>
      this.#index.list(query, sequence),
    );
  }

  async #searched({ q, skill, category }: Search, after?: SearchPosition) {
    const words = q === undefined ? [] : wordsAskedFor(q);
    if (q !== undefined && words.length === 0) return [];
    const required = skill === undefined ? undefined : skillKey(skill);
    const matches = await this.#projection.reached(this.#bus.registryRecords, (sequence) =>
      this.#index.search({ category, required, words }, sequence),
    );
    const { candidates, total, frequencies } = matches;
    const measure = after ? after.measure : measureFor(candidates, total, frequencies);
    return rank(candidates, measure)
      .filter((ranked) => !after || compareRanks(after.last, ranked) < 0)
      .map((last) => ({ agentId: last.agentId, position: { measure, last } }));
  }
}

function positionIn<Position>(
  cursor: string | undefined,
  filter: unknown,
  schema: z.ZodType<Position>,
): Position | undefined {
  return cursor === undefined ? undefined : decodePageToken(filter, cursor, schema);
}
