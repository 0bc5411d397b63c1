// Writes refused connects and dropped reports into the cabinet's log, rate limited: a flood must not fill it.
import type { Database } from "../../platform/db.ts";
import { pushLive } from "../../platform/live.ts";
import type { Log } from "../../platform/log.ts";
import { insertServerEvent } from "./cabinet-log.sql.ts";
import { CabinetQueues } from "./cabinet-queues.ts";
import { RefusalThrottle } from "./refusal-throttle.rules.ts";
import { TokenBuckets } from "./report-limit.rules.ts";

/** Lines that may wait to be written. */
const MAX_WAITING = 100;
/** Lines of different causes for one cabinet: enough to try out a new firmware by them. */
const LINES = { burst: 30, perSecond: 1 / 60 };

export interface CabinetLine {
  kind: "SIGN_IN_REFUSED" | "REPORT_DROPPED" | "REPORTS_LIMITED";
  /** Lines with the same cause are summed up for ten minutes. */
  cause: string;
  payload: object;
}

export class CabinetLog {
  readonly #database: Database;
  readonly #log: Log;
  readonly #throttle = new RefusalThrottle();
  readonly #lines = new TokenBuckets(LINES);
  /** One by one: a flood of strange numbers must not take the database. */
  readonly #queue = new CabinetQueues({ concurrency: 1, perCabinet: MAX_WAITING });

  constructor({ database, log }: { database: Database; log: Log }) {
    this.#database = database;
    this.#log = log;
  }

  /** Adds `count` to the payload: how many this line stands for. False when it was held back. */
  add(sn: string, { kind, cause, payload }: CabinetLine): boolean {
    const now = performance.now();
    const count = this.#throttle.admit(`${sn} ${kind} ${cause}`, now);
    if (count === null || !this.#lines.take(sn, now)) return false;
    this.#queue
      .run("", () =>
        this.#database.transaction("platform", async (db) => {
          const cabinet = await insertServerEvent(db, sn, kind, { ...payload, count });
          if (cabinet) await pushLive(db, { topic: "cabinet", ...cabinet });
        }),
      )
      .catch((error) => this.#log.warn({ err: error, sn, kind }, "cabinet log line not stored"));
    return true;
  }

  /** Resolves when every line is written. */
  drained(): Promise<void> {
    return this.#queue.drained();
  }
}
