import type { Contender, ContenderStart } from '../contenders/contender.ts';
import { tell } from '../report/tell.ts';
import type { Slice } from './slice.ts';

export interface ContenderResult {
  readonly name: string;
  /** Why there is no result, or none of the later rounds. */
  readonly problem: string | undefined;
  /** One for each round. */
  readonly slices: readonly Slice[];
}

type Measure = (contender: Contender) => Promise<Slice>;

interface Entry {
  readonly name: string;
  contender: Contender | undefined;
  problem: string | undefined;
}

/** All contenders of a bench, running side by side so that each round is a fair pairing. */
export class Field {
  readonly #entries: readonly Entry[];

  private constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** @param only a part of the names of those that are wanted */
  static async start(starts: readonly ContenderStart[], only: string): Promise<Field> {
    const entries: Entry[] = [];
    for (const { name, start } of starts.filter(({ name }) => name.includes(only))) {
      tell(`starting ${name}`);
      entries.push(
        await start().then(
          (contender) => ({ name, contender, problem: undefined }),
          (error: unknown) => ({ name, contender: undefined, problem: String(error) }),
        ),
      );
    }
    return new Field(entries);
  }

  /** What servers do before their code is compiled says nothing about them. */
  async warmUp(measure: Measure): Promise<void> {
    tell('warming up');
    for (const entry of this.#entries) await this.#measure(entry, measure);
  }

  /** In each round another contender goes first. */
  async run(rounds: number, measure: Measure): Promise<ContenderResult[]> {
    const slices = new Map<Entry, Slice[]>(this.#entries.map((entry) => [entry, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const entry of rotate(this.#entries, round)) {
        const slice = await this.#measure(entry, measure);
        if (slice) slices.get(entry)?.push(slice);
      }
    }
    return this.#entries.map((entry) => ({
      name: entry.name,
      problem: entry.problem,
      slices: slices.get(entry) ?? [],
    }));
  }

  async stop(): Promise<void> {
    for (const { contender } of this.#entries) await contender?.stop();
  }

  /** One that fails is out: what it would do later says nothing. */
  async #measure(entry: Entry, measure: Measure): Promise<Slice | undefined> {
    if (!entry.contender || entry.problem) return undefined;
    try {
      const slice = await measure(entry.contender);
      tell(`${entry.name}: ${Math.round(slice.perSecond)}/s`);
      return slice;
    } catch (error) {
      entry.problem = String(error);
      return undefined;
    }
  }
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
