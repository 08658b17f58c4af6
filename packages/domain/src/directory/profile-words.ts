import type { AgentRecord, Skill } from '@relay/protocol';
import { fold, wordsOf } from './words.ts';

/** What is read of one kind of text: whoever writes more is not found by more. */
const longestText = 10_000;
const mostWords = 128;
const mostSkillKeys = 128;
const longestKey = 64;

/** What an agent is found by. */
export interface ProfileWords {
  /** How much each word says of the agent, the weightiest first; 31 at most. */
  readonly words: ReadonlyMap<string, number>;
  /** Its skills by their ids, names and tags, as {@link skillKey} has them. */
  readonly skills: readonly string[];
}

type IndexedProfile = Pick<
  AgentRecord,
  'handle' | 'display_name' | 'subtitle' | 'description' | 'category' | 'skills'
>;

/** A word counts once in each kind of text that it stands in. */
export function profileWords(agent: IndexedProfile): ProfileWords {
  const { handle, display_name, subtitle, description, category, skills } = agent;
  const weighted: readonly (readonly [number, readonly (string | null)[]])[] = [
    [10, [handle, display_name]],
    [8, skills.flatMap(({ id, name, tags }) => [name, id, ...tags])],
    [6, [subtitle, category]],
    [3, [description]],
    [2, skills.map((skill) => skill.description)],
    [2, skills.flatMap(({ examples = [] }) => examples)],
  ];
  const words = new Map<string, number>();
  for (const [weight, texts] of weighted) {
    const present = texts.filter((text) => text !== null);
    for (const word of new Set(wordsOf(present.join('\n').slice(0, longestText)))) {
      words.set(word, (words.get(word) ?? 0) + weight);
    }
  }
  const weightiest = [...words].toSorted(([, a], [, b]) => b - a).slice(0, mostWords);
  return { words: new Map(weightiest), skills: skillKeysOf(skills) };
}

/** A skill's id, name or tag as it is looked for; case and accents do not matter. No word is like it. */
export function skillKey(skill: string): string {
  return `#${fold(skill).trim().slice(0, longestKey)}`;
}

function skillKeysOf(skills: readonly Skill[]): string[] {
  const names = skills.flatMap(({ id, name, tags }) => [id, name, ...tags]);
  return [...new Set(names.map(skillKey))].slice(0, mostSkillKeys);
}
