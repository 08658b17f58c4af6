/** Milliseconds. Whoever goes on with a list for longer reads its keys again. */
const kept = 10_000;

/**
 * The keys of lists that somebody is going through, sorted. The store gives all keys of a list at once, which
 * takes 0.1 s with 20,000 of them: too much for each page. A first page reads them; the next ones may not
 * tell of what was added since.
 */
export class ListedKeys {
  readonly #lists = new Map<string, readonly string[]>();

  /**
   * @param after the last key that was told; empty for the first page
   * @returns those behind it
   */
  async readAfter(
    list: string,
    after: string,
    readAll: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const known = after === '' ? undefined : this.#lists.get(list);
    const keys = known ?? this.#keep(list, (await readAll()).toSorted());
    return keys.slice(keys.findLastIndex((key) => key <= after) + 1);
  }

  #keep(list: string, keys: readonly string[]): readonly string[] {
    this.#lists.set(list, keys);
    const forget = () => this.#lists.get(list) === keys && this.#lists.delete(list);
    setTimeout(forget, kept).unref();
    return keys;
  }
}
