// Seeded random numbers for the demo: two installations get the same stories.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    return items[this.int(0, items.length - 1)] as Item;
  }

  /** One of the keys, with probability proportional to its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    return (entries.at(-1) as [Key, number])[0];
  }

  /** Mostly near the median, with a few far above it. */
  skewed(median: number): number {
    const bell = (this.next() + this.next() + this.next() + this.next() - 2) * 1.7;
    return median * Math.exp(bell);
  }

  /** `nth` keeps ids apart: among tens of thousands, two generators of 32 bits have the same state. */
  uuid(nth: number): string {
    const hex = (value: number, length: number) => value.toString(16).padStart(length, "0");
    const [first, middle, last] = [0, 1, 2].map(() => hex(this.int(0, 2 ** 32 - 1), 8));
    const version = `4${middle?.slice(5)}-8${hex(this.int(0, 4_095), 3)}`;
    return `${first}-${middle?.slice(0, 4)}-${version}-${last}${hex(nth, 4)}`;
  }
}
