// Remembers for a moment which lists have more rows than are counted (decision 0101).

const FOR_MS = 10_000;
const MAX_LISTS = 1_000;

/** Lists by their statement and its values. */
export class LongLists {
  readonly #until = new Map<string, number>();

  has(list: string): boolean {
    return performance.now() < (this.#until.get(list) ?? 0);
  }

  add(list: string): void {
    if (this.#until.size >= MAX_LISTS) this.#until.clear();
    this.#until.set(list, performance.now() + FOR_MS);
  }
}
