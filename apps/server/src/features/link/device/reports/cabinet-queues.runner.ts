// Per-cabinet work queues: strictly ordered within a cabinet, concurrent across cabinets, bounded,
// with batching of items from many cabinets.

export class QueueFullError extends Error {}

/** How items of many cabinets are processed in one batch. */
export interface BatchOptions<Item, Result> {
  /** Number of batches that run concurrently. */
  lanes: number;
  /** Maximum items in one batch, and maximum items of one cabinet in it. */
  size: number;
  perCabinet: number;
  /**
   * Returns one outcome per item, in input order; items of one cabinet are in that cabinet's order.
   */
  run(items: readonly Item[]): Promise<Outcome<Result>[]>;
  /** Processes one item that its batch returned as `ALONE`. */
  runAlone(item: Item): Promise<Result>;
}

/** ALONE: this item and the later ones of the same cabinet must be processed one by one. */
export type Outcome<Result> = { value: Result } | { error: unknown } | "ALONE";

interface Waiting<Item, Result> {
  /** Set for work passed to `run`, or for an item that must be processed alone. */
  run?: (() => Promise<void>) | undefined;
  item?: Item;
  resolve?(value: Result): void;
  reject?(error: unknown): void;
}

export class CabinetQueues<Item = never, Result = never> {
  readonly #concurrency: number;
  readonly #perCabinet: number;
  readonly #batch: BatchOptions<Item, Result> | undefined;
  readonly #queues = new Map<string, Waiting<Item, Result>[]>();
  /** Cabinets whose next piece of work may begin: urgent work, ordinary work, batch items. */
  readonly #urgent = new Set<string>();
  readonly #ready = new Set<string>();
  readonly #readyItems = new Set<string>();
  readonly #idle = new Set<() => void>();
  #running = 0;
  #batches = 0;

  constructor(
    limits: { concurrency: number; perCabinet: number },
    batch?: BatchOptions<Item, Result>,
  ) {
    this.#concurrency = limits.concurrency;
    this.#perCabinet = limits.perCabinet;
    this.#batch = batch;
  }

  /** Runs `work` after the cabinet's queued work; `isUrgent` puts the cabinet ahead of others. */
  run<T>(sn: string, work: () => Promise<T>, isUrgent = false): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add(sn, { run: () => work().then(resolve, reject) }, isUrgent, reject);
    });
  }

  /** Processes the item when its cabinet's turn comes, batched with items of other cabinets. */
  add(sn: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#add(sn, { item, resolve, reject }, false, reject);
    });
  }

  /** Resolves when nothing is running or waiting. */
  async drained(): Promise<void> {
    if (this.#queues.size > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  #add(
    sn: string,
    waiting: Waiting<Item, Result>,
    isUrgent: boolean,
    reject: (error: unknown) => void,
  ): void {
    const queue = this.#queues.get(sn);
    if (queue && queue.length >= this.#perCabinet) {
      reject(new QueueFullError(sn));
      return;
    }
    if (queue) queue.push(waiting);
    else {
      this.#queues.set(sn, [waiting]);
      this.#makeReady(sn, waiting, isUrgent);
    }
    this.#start();
  }

  #makeReady(sn: string, { run }: Waiting<Item, Result>, isUrgent = false): void {
    if (!run) this.#readyItems.add(sn);
    else if (isUrgent) this.#urgent.add(sn);
    else this.#ready.add(sn);
  }

  #start(): void {
    while (this.#running < this.#concurrency) {
      const sn = takeFirst(this.#urgent) ?? takeFirst(this.#ready);
      if (sn === undefined) break;
      this.#running++;
      void this.#runNext(sn);
    }
    while (this.#batch && this.#batches < this.#batch.lanes && this.#readyItems.size > 0) {
      this.#batches++;
      void this.#runBatch(this.#batch);
    }
  }

  async #runNext(sn: string): Promise<void> {
    await this.#queues.get(sn)?.[0]?.run?.();
    this.#running--;
    this.#advance(sn, 1);
    this.#start();
  }

  async #runBatch(batch: BatchOptions<Item, Result>): Promise<void> {
    const taken: { sn: string; waiting: Waiting<Item, Result>[] }[] = [];
    const items: Item[] = [];
    while (items.length < batch.size) {
      const sn = takeFirst(this.#readyItems);
      if (sn === undefined) break;
      const waiting: Waiting<Item, Result>[] = [];
      const most = Math.min(batch.perCabinet, batch.size - items.length);
      for (const each of this.#queues.get(sn) ?? []) {
        if (each.run || waiting.length === most) break;
        waiting.push(each);
        items.push(each.item as Item);
      }
      taken.push({ sn, waiting });
    }
    const outcomes = await batch
      .run(items)
      .catch((error: unknown) => items.map((): Outcome<Result> => ({ error })));
    let at = 0;
    for (const { sn, waiting } of taken) {
      let done = 0;
      for (const each of waiting) {
        const outcome = outcomes[at++] ?? { error: new Error("no outcome") };
        if (outcome === "ALONE" || each.run) this.#makeAlone(each, batch);
        else {
          done++;
          if ("value" in outcome) each.resolve?.(outcome.value);
          else each.reject?.(outcome.error);
        }
        // Later items of this cabinet also run alone, after the ALONE one, to keep the order.
        if (outcome === "ALONE")
          for (const later of waiting.slice(done)) this.#makeAlone(later, batch);
      }
      this.#advance(sn, done);
    }
    this.#batches--;
    this.#start();
  }

  #makeAlone(waiting: Waiting<Item, Result>, batch: BatchOptions<Item, Result>): void {
    const { item, resolve, reject } = waiting;
    waiting.run ??= () => batch.runAlone(item as Item).then(resolve, reject);
  }

  /** Removes finished work from the cabinet's queue and makes the next piece ready. */
  #advance(sn: string, done: number): void {
    const queue = this.#queues.get(sn);
    queue?.splice(0, done);
    const [next] = queue ?? [];
    if (next) {
      this.#makeReady(sn, next);
      return;
    }
    this.#queues.delete(sn);
    if (this.#queues.size > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

function takeFirst(set: Set<string>): string | undefined {
  for (const first of set) {
    set.delete(first);
    return first;
  }
  return undefined;
}
