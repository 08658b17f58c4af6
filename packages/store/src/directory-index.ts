import { type AgentId, agentIdSchema, type OwnerId } from '@relay/protocol';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import {
  applyDirectoryScript,
  listAgentsScript,
  searchAgentsScript,
  separator,
} from './directory-index-scripts.ts';
import { clearIndex, type IndexProgress, readProgress } from './index-progress.ts';

/** A public agent as the directory orders it and finds it. */
export interface PublicAgent {
  /** Whether it stands in lists, too. */
  readonly isListed: boolean;
  readonly ownerId?: OwnerId | undefined;
  readonly category?: string | undefined;
  /** Its name as it is ordered by. */
  readonly name: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly createdAt: number;
  /** What it is found by: words, and what a skill is named by, each with its weight. */
  readonly words: readonly (readonly [word: string, weight: number])[];
}

/** What a change of the registry says to the index; nothing of an agent that is not public. */
export type DirectoryEntry =
  | { readonly agentId: AgentId; readonly shown?: PublicAgent | undefined }
  | { readonly ownerId: OwnerId; readonly verified: boolean };

export interface DirectoryListQuery {
  readonly category?: string | undefined;
  readonly sort: 'name' | 'newest';
  /** Where a page ended. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface DirectorySearchQuery {
  readonly category?: string | undefined;
  /** Must be there. */
  readonly required?: string | undefined;
  readonly words: readonly string[];
}

/** An agent's place in a list. */
export interface DirectoryPlace {
  readonly agentId: AgentId;
  readonly position: string;
}

/** What a search has to compare, best ones of each word first; not all where there are very many. */
export interface DirectoryMatches {
  /** How many agents are listed. */
  readonly total: number;
  /** In how many of them each word stands. */
  readonly frequencies: readonly number[];
  readonly candidates: readonly {
    readonly agentId: AgentId;
    readonly isVerified: boolean;
    /** Of each word; 0 where it is not there. */
    readonly weights: readonly number[];
  }[];
}

/** Raised when words are made another way, so that those of before are not searched. */
const edition = 1;
/** What sorts before a later moment. */
const endOfTime = 9_999_999_999_999;

const membersSchema = z.array(z.string());
const matchesSchema = z.tuple([
  z.number(),
  z.array(z.number()),
  z.array(agentIdSchema),
  z.array(z.number()),
  z.array(z.array(z.number())),
]);

/** Index of the agents of the directory in Redis, as that of tasks: filled in stream order, its progress beside it. */
export class DirectoryIndex {
  readonly #redis: Redis;
  readonly #stream: () => string;

  /** @param stream names the record the index is of now */
  constructor(redis: Redis, stream: () => string) {
    this.#redis = redis;
    this.#stream = stream;
  }

  progress(): Promise<IndexProgress> {
    return readProgress(this.#redis, this.#prefix);
  }

  /** Forgets everything, for a record that is not what it was. */
  clear(): Promise<void> {
    return clearIndex(this.#redis, this.#prefix);
  }

  /** @returns false where the progress stored is not the one expected */
  async apply(
    batch: readonly DirectoryEntry[],
    expected: number,
    { sequence, changeId }: IndexProgress,
  ): Promise<boolean> {
    const entries = JSON.stringify(batch.map(toWritten));
    const args = [this.#prefix, expected, sequence, entries, changeId ?? ''];
    return (await this.#redis.eval(applyDirectoryScript, 0, ...args)) === 1;
  }

  /**
   * The agents of a page, verified ones first.
   * @returns undefined where the index has not reached the sequence
   */
  async list(
    { category, sort, after, limit }: DirectoryListQuery,
    sequence: number,
  ): Promise<readonly DirectoryPlace[] | undefined> {
    const list = category === undefined ? sort : `${sort}:${category}`;
    const args = [this.#prefix, sequence, list, after ?? '', limit];
    const answer = await this.#redis.eval(listAgentsScript, 0, ...args);
    if (answer === null) return undefined;
    return membersSchema.parse(answer).map((position) => ({
      agentId: agentIdSchema.parse(position.slice(position.lastIndexOf(separator) + 1)),
      position,
    }));
  }

  /** @returns undefined where the index has not reached the sequence */
  async search(
    { category, required, words }: DirectorySearchQuery,
    sequence: number,
  ): Promise<DirectoryMatches | undefined> {
    const args = [this.#prefix, sequence, category ?? '', required ?? '', ...words];
    const answer = await this.#redis.eval(searchAgentsScript, 0, ...args);
    if (answer === null) return undefined;
    const [total, frequencies, ids, verified, weights] = matchesSchema.parse(answer);
    const candidates = ids.map((agentId, at) => ({
      agentId,
      isVerified: verified[at] === 1,
      weights: weights.map((ofWord) => ofWord[at] ?? 0),
    }));
    return { total, frequencies, candidates };
  }

  get #prefix(): string {
    return `relay:directory:${edition}:${this.#stream()}:`;
  }
}

function toWritten(entry: DirectoryEntry): unknown {
  if (!('agentId' in entry) || !entry.shown) return entry;
  const { createdAt, words, ...shown } = entry.shown;
  const newest = String(endOfTime - createdAt).padStart(13, '0');
  return {
    agentId: entry.agentId,
    shown: { ...shown, newest, words: words.flat() },
  };
}
