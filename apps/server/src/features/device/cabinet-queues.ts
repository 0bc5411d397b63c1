// Work by cabinet: several cabinets at once, each one's strictly in order, and bounded.

export class QueueFullError extends Error {}

interface Waiting {
  run(): Promise<void>;
}

export class CabinetQueues {
  readonly #concurrency: number;
  readonly #perCabinet: number;
  readonly #queues = new Map<string, Waiting[]>();
  /** Cabinets whose next piece of work may begin. */
  readonly #ready: string[] = [];
  readonly #idle = new Set<() => void>();
  #running = 0;

  constructor(limits: { concurrency: number; perCabinet: number }) {
    this.#concurrency = limits.concurrency;
    this.#perCabinet = limits.perCabinet;
  }

  /** Runs `work` after what this cabinet has waiting; urgent work lets its cabinet go next. */
  run<Result>(sn: string, work: () => Promise<Result>, isUrgent = false): Promise<Result> {
    const queue = this.#queues.get(sn);
    if (queue && queue.length >= this.#perCabinet) return Promise.reject(new QueueFullError(sn));
    return new Promise((resolve, reject) => {
      const waiting = { run: () => work().then(resolve, reject) };
      if (queue) queue.push(waiting);
      else {
        this.#queues.set(sn, [waiting]);
        if (isUrgent) this.#ready.unshift(sn);
        else this.#ready.push(sn);
      }
      this.#start();
    });
  }

  /** Resolves when nothing is running or waiting. */
  async drained(): Promise<void> {
    if (this.#queues.size > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  #start(): void {
    while (this.#running < this.#concurrency) {
      const sn = this.#ready.shift();
      if (sn === undefined) return;
      this.#running++;
      void this.#runNext(sn);
    }
  }

  async #runNext(sn: string): Promise<void> {
    const queue = this.#queues.get(sn) ?? [];
    await queue[0]?.run();
    queue.shift();
    this.#running--;
    if (queue.length > 0) this.#ready.push(sn);
    else this.#queues.delete(sn);
    if (this.#queues.size === 0) {
      for (const resolve of this.#idle) resolve();
      this.#idle.clear();
    }
    this.#start();
  }
}
