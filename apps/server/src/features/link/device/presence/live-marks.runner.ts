// Publishes changed cabinets to consoles, debounced to one live event per cabinet and 200 ms.
import type { Database } from "../../../../platform/db/db.ts";
import { pushLive } from "../../../../platform/http/live.ts";
import type { Log } from "../../../../platform/log.ts";
import type { CabinetKey } from "./presence.sql.ts";

const EVERY_MS = 200;
/** After a quiet period the first change waits no longer than this for others. */
const GATHER_MS = 20;

export class LiveMarks {
  readonly #database: Database;
  readonly #log: Log;
  #marked = new Map<number, CabinetKey>();
  #timer: NodeJS.Timeout | undefined;
  #flushedAt = -EVERY_MS;

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  mark(cabinet: CabinetKey): void {
    this.#marked.set(cabinet.cabinetId, cabinet);
    if (this.#timer) return;
    const wait = Math.max(GATHER_MS, this.#flushedAt + EVERY_MS - performance.now());
    this.#timer = setTimeout(() => void this.#flush(), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #flush(): Promise<void> {
    const marked = [...this.#marked.values()];
    this.#marked = new Map();
    this.#timer = undefined;
    this.#flushedAt = performance.now();
    try {
      await this.#database.transaction("platform", async (db) => {
        await Promise.all(marked.map((cabinet) => pushLive(db, { topic: "cabinet", ...cabinet })));
      });
    } catch (error) {
      // No retry: consoles refetch on their own before long.
      this.#log.warn({ err: error }, "consoles could not be told");
    }
  }
}
