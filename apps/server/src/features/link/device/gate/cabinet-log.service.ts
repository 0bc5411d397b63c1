// Writes refused connects and dropped reports into the cabinet's log, rate limited so that a flood cannot fill it.
import type { Database } from "../../../../platform/db/db.ts";
import { pushLive } from "../../../../platform/http/live.ts";
import type { Log } from "../../../../platform/log.ts";
import { CabinetQueues } from "../reports/cabinet-queues.runner.ts";
import { TokenBuckets } from "../reports/report-limit.rules.ts";
import { insertServerEvent } from "./cabinet-log.sql.ts";
import { RefusalRateLimit } from "./refusal-rate-limit.rules.ts";

/** Maximum number of lines waiting to be written. */
const MAX_WAITING = 100;
/** Rate limit per cabinet over all causes: enough to debug a new firmware with these lines. */
const LINES = { burst: 30, perSecond: 1 / 60 };

export interface CabinetLine {
  kind:
    | "SIGN_IN_REFUSED"
    | "REPORT_DROPPED"
    | "REPORTS_LIMITED"
    | "INVALID_READINGS"
    | "COUNTER_JUMPED";
  /** Lines with the same cause are aggregated for ten minutes. */
  cause: string;
  payload: object;
}

export class CabinetLog {
  readonly #database: Database;
  readonly #log: Log;
  readonly #throttle = new RefusalRateLimit();
  readonly #lines = new TokenBuckets(LINES);
  /** Writes one line at a time: a flood of unknown serial numbers must not use up the database. */
  readonly #queue = new CabinetQueues({ concurrency: 1, perCabinet: MAX_WAITING });

  constructor({ database, log }: { database: Database; log: Log }) {
    this.#database = database;
    this.#log = log;
  }

  /** Adds `count`, the number of occurrences this line stands for, to the payload. False when suppressed. */
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

  /** Resolves when every queued line is written. */
  drained(): Promise<void> {
    return this.#queue.drained();
  }
}
