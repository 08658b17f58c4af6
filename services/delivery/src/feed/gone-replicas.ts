import type { FeedContext } from './feed-context.ts';
import type { FeedRecord } from './feed-record.ts';

const none: ReadonlySet<string> = new Set();

/** Replicas that say in a feed's record what they accept, and are no more. */
export class GoneReplicas {
  readonly #context: Pick<FeedContext, 'bus' | 'group' | 'replicaId'>;
  #found = none;
  #finding: Promise<void> | undefined;

  constructor(context: Pick<FeedContext, 'bus' | 'group' | 'replicaId'>) {
    this.#context = context;
  }

  get found(): ReadonlySet<string> {
    return this.#found;
  }

  /**
   * Looks which are gone, for all that ask meanwhile: a client may ping as often as it wants to.
   * @throws RelayError unavailable
   */
  find(record: FeedRecord): Promise<void> {
    this.#finding ??= this.#find(record).finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #find({ accepts }: FeedRecord): Promise<void> {
    const { bus, group, replicaId } = this.#context;
    const others = Object.keys(accepts).filter((id) => id !== replicaId);
    const gone = new Set<string>();
    for (const other of others) if (!(await bus.isPresent(group, other))) gone.add(other);
    this.#found = gone.size === 0 ? none : gone;
  }
}
