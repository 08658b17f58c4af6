import type { AgentId } from '@relay/protocol';

/** An agent that some of the words asked for stand in. */
export interface Candidate {
  readonly agentId: AgentId;
  readonly isVerified: boolean;
  /** How much each word asked for says of it, in their order; 0 where it is not there. */
  readonly weights: readonly number[];
}

export interface RankedAgent {
  readonly agentId: AgentId;
  readonly isVerified: boolean;
  readonly score: number;
}

/** How agents are ranked. Pages of one search share it, or agents that come and go would shift the scores. */
export interface Measure {
  /** What each word asked for is worth: the rarer, the more. */
  readonly values: readonly number[];
  /** The worth of the words that an agent must have to be shown. */
  readonly leastWorth: number;
}

const greatestWeight = 31;

/**
 * Whoever has less than half of what the best has of the words' worth is not what was looked for, verified
 * or not.
 * @param total how many agents there are
 * @param frequencies in how many of them each word stands
 */
export function measureFor(
  candidates: readonly Candidate[],
  total: number,
  frequencies: readonly number[],
): Measure {
  const values = frequencies.map((frequency) =>
    frequency === 0 ? 0 : Math.log1p(Math.max(total, frequency) / frequency),
  );
  const best = candidates.reduce(
    (most, { weights }) => Math.max(most, worthOf(weights, values)),
    0,
  );
  return { values, leastWorth: best / 2 };
}

/** Verified agents first, then the better match, then by id. */
export function rank(
  candidates: readonly Candidate[],
  { values, leastWorth }: Measure,
): RankedAgent[] {
  return candidates
    .filter(({ weights }) => values.length === 0 || isMatch(worthOf(weights, values), leastWorth))
    .map(({ agentId, isVerified, weights }) => ({
      agentId,
      isVerified,
      score: scoreOf(weights, values),
    }))
    .toSorted(compareRanks);
}

/** Negative where the first comes before the second. */
export function compareRanks(a: RankedAgent, b: RankedAgent): number {
  if (a.isVerified !== b.isVerified) return a.isVerified ? -1 : 1;
  if (a.score !== b.score) return b.score - a.score;
  if (a.agentId === b.agentId) return 0;
  return a.agentId < b.agentId ? -1 : 1;
}

function isMatch(worth: number, leastWorth: number): boolean {
  return worth > 0 && worth >= leastWorth;
}

function worthOf(weights: readonly number[], values: readonly number[]): number {
  return sumOver(weights, (weight, at) => (weight > 0 ? (values[at] ?? 0) : 0));
}

/** A word counts up to twice its worth, by where it stands. */
function scoreOf(weights: readonly number[], values: readonly number[]): number {
  return sumOver(weights, (weight, at) =>
    weight > 0 ? (values[at] ?? 0) * (1 + weight / greatestWeight) : 0,
  );
}

function sumOver(weights: readonly number[], term: (weight: number, at: number) => number): number {
  return weights.reduce((sum, weight, at) => sum + term(weight, at), 0);
}
