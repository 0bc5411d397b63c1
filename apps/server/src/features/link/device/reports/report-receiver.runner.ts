// Receives reports from a broker: rate limited per cabinet, in order, batched, stored before acknowledged.
import { openUp, parseTopic, type SealedMessage } from "@cabinet/link";
import type { Database } from "../../../../platform/db/db.ts";
import { codeOf, UNSTORABLE } from "../../../../platform/db/sql-state.ts";
import type { Log } from "../../../../platform/log.ts";
import { deviceMessages } from "../../../../platform/metrics.ts";
import type { CabinetLog } from "../gate/cabinet-log.service.ts";
import type { CabinetIdentity, Keyring } from "../gate/keyring.cache.ts";
import { type HeardCabinet, requestInPlaceOfDropped } from "../presence/birth-request.sql.ts";
import type { LiveMarks } from "../presence/live-marks.runner.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import type { BatchOptions, CabinetQueues, Outcome } from "./cabinet-queues.runner.ts";
import type { CommandReports } from "./command-reports.port.ts";
import type { ConditionReports } from "./condition-reports.port.ts";
import type { OrderReports } from "./order-reports.port.ts";
import type { PlaylistReports } from "./playlist-reports.port.ts";
import { applyReports } from "./report.service.ts";
import type { ReportOf } from "./report-context.flow.ts";
import {
  bucketOf,
  isRoutine,
  REPORT_BURST,
  REPORTS_PER_SECOND,
  TENANT_BURST_SECONDS,
  TokenBuckets,
} from "./report-limit.rules.ts";
import type { RolloutReports } from "./rollout-reports.port.ts";

/** Two batches at a time: while one is being written the next ones fill up. */
const LANES = 2;
const BATCH_SIZE = 200;
const BATCH_PER_CABINET = 16;
/** Tenants of one batch whose transactions run concurrently. */
const TENANTS_AT_ONCE = 2;

/** A message as received, or the broker's own report that a connection has ended. */
export type Arrival =
  | { sn: string; kind: string; topic: string; payload: Uint8Array }
  | { sn: string; kind: "end"; cabinet: CabinetKey; nonce: string };

export interface ReceiverParts {
  database: Database;
  keyring: Keyring;
  liveMarks: LiveMarks;
  commands: CommandReports;
  playlists: PlaylistReports;
  rollouts: RolloutReports;
  orders: OrderReports;
  conditions: ConditionReports;
  gatewayId: string;
  cabinetLog: CabinetLog;
  log: Log;
  publish(message: SealedMessage): void;
}

/** Why a report was dropped, and which field is wrong. */
interface Drop {
  why: string;
  detail?: string | undefined;
  /** The cabinet that signed the report; absent if nothing proves that. */
  signer?: HeardCabinet;
}

/** Null: stored. */
type Taken = Drop | null;

/** LIMITED: over the cabinet's or the tenant's rate limit and dropped. TAKEN: stored, or can never be stored. */
export type Receipt = "TAKEN" | "LIMITED";

/** Drops that the cabinet's caretaker or the author of its firmware can fix. */
const MENDABLE = new Set([
  "MALFORMED",
  "VERSION",
  "NOT_JSON",
  "TOO_DEEP",
  "NO_SIGNATURE",
  "BAD_SIGNATURE",
  "UNSTORABLE",
]);
const MAX_DETAIL = 200;

/** Options for batching arrivals; `receiveOn` then feeds them in. */
export function storeTogether(parts: ReceiverParts): BatchOptions<Arrival, Taken> {
  const store = new ReportStore(parts);
  return {
    lanes: LANES,
    size: BATCH_SIZE,
    perCabinet: BATCH_PER_CABINET,
    run: (arrivals) => store.storeMany(arrivals),
    runAlone: (arrival) => store.storeAlone(arrival),
  };
}

export interface Receiver {
  /**
   * Resolves when the report is stored or dropped; rejects when it should be redelivered, because the database cannot
   * be reached or too much of this cabinet is waiting.
   */
  receive(topic: string, payload: Uint8Array): Promise<Receipt>;
  connectionEnded(sn: string, cabinet: CabinetKey, nonce: string): Promise<void>;
}

export function receiveOn(
  queues: CabinetQueues<Arrival, Taken>,
  {
    log,
    cabinetLog,
    keyring,
    tenantReportsPerSecond,
  }: { log: Log; cabinetLog: CabinetLog; keyring: Keyring; tenantReportsPerSecond: number },
): Receiver {
  const limit = new TokenBuckets({ burst: REPORT_BURST, perSecond: REPORTS_PER_SECOND });
  const tenantLimit = new TokenBuckets({
    burst: tenantReportsPerSecond * TENANT_BURST_SECONDS,
    perSecond: tenantReportsPerSecond,
  });

  async function take(arrival: Arrival): Promise<void> {
    const { sn, kind } = arrival;
    const drop = await queues.add(sn, arrival);
    deviceMessages.inc({ kind, outcome: drop?.why ?? "OK" });
    if (!drop) return;
    const { why, detail = "" } = drop;
    log.warn({ sn, kind, outcome: why, detail }, "report dropped");
    if (!MENDABLE.has(why)) return;
    const payload = { topic: `up/${kind}`, why, ...(detail && { detail: printable(detail) }) };
    cabinetLog.add(sn, { kind: "REPORT_DROPPED", cause: `${kind} ${why} ${detail}`, payload });
  }

  /** Counts the drop and logs it at the cabinet, so that a gap in its reports is visible. */
  function dropExcess(sn: string, kind: string, outcome: "LIMITED" | "TENANT_LIMITED"): Receipt {
    deviceMessages.inc({ kind, outcome });
    const line = { kind: "REPORTS_LIMITED", cause: "", payload: {} } as const;
    if (cabinetLog.add(sn, line)) log.warn({ sn, kind, outcome }, "reports over the limit dropped");
    return "LIMITED";
  }

  /**
   * Heartbeats and sensor events have a bucket each, so that faulty sensors cannot take a fleet offline. Null without a
   * limit: what doors and orders wait for, and a cabinet whose keys are not cached yet.
   */
  function tenantBucketOf(sn: string, kind: string, payload: Uint8Array): string | null {
    const tenantId = keyring.peek(sn)?.tenantId;
    return tenantId && isRoutine(kind, payload) ? `${tenantId} ${kind}` : null;
  }

  return {
    async receive(topic, payload) {
      const parsed = parseTopic(topic);
      if (parsed?.direction !== "up") {
        deviceMessages.inc({ kind: "unknown", outcome: "BAD_TOPIC" });
        return "TAKEN";
      }
      const { cabinetId: sn, kind } = parsed;
      const bucket = bucketOf(sn, kind, payload);
      if (!limit.take(bucket, performance.now())) return dropExcess(sn, kind, "LIMITED");
      const tenantBucket = tenantBucketOf(sn, kind, payload);
      if (tenantBucket && !tenantLimit.take(tenantBucket, performance.now())) {
        return dropExcess(sn, kind, "TENANT_LIMITED");
      }
      await take({ sn, kind, topic, payload }).catch((error) => {
        // The report is redelivered; a database outage must not use up the rate limits.
        limit.giveBack(bucket);
        if (tenantBucket) tenantLimit.giveBack(tenantBucket);
        throw error;
      });
      return "TAKEN";
    },
    connectionEnded: (sn, cabinet, nonce) => take({ sn, kind: "end", cabinet, nonce }),
  };
}

/** Replaces control characters and truncates: a cabinet's text that the database can store and a person read. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, "?").slice(0, MAX_DETAIL);
}

class ReportStore {
  readonly #parts: ReceiverParts;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  /** One transaction for each tenant; ALONE for arrivals that cannot simply be stored. */
  async storeMany(arrivals: readonly Arrival[]): Promise<Outcome<Taken>[]> {
    const identities = await this.#parts.keyring.findMany([
      ...new Set(arrivals.map(({ sn }) => sn)),
    ]);
    const outcomes: Outcome<Taken>[] = arrivals.map(() => "ALONE");
    const opened = arrivals.flatMap((arrival, at) => {
      const report = openAs(identities.get(arrival.sn), arrival);
      return "why" in report ? [] : [{ at, ...report }];
    });
    const isClear = clearOf(arrivals, new Set(opened.map(({ at }) => at)));
    const clear = opened.filter(({ at }) => isClear(at));
    const tenants = [...Map.groupBy(clear, ({ identity }) => identity.tenantId).values()];
    const storeNext = async (): Promise<void> => {
      for (let theirs = tenants.pop(); theirs; theirs = tenants.pop()) {
        try {
          const stored = await this.#store(theirs, false);
          for (const { at, identity } of theirs) {
            if (stored.has(identity.cabinetId)) outcomes[at] = { value: null };
          }
        } catch (error) {
          if (isUnstorable(error)) continue;
          for (const { at } of theirs) outcomes[at] = { error };
        }
      }
    };
    await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, storeNext));
    return outcomes;
  }

  async storeAlone(arrival: Arrival): Promise<Taken> {
    const { keyring } = this.#parts;
    const known = await keyring.find(arrival.sn);
    const first = await this.#storeAs(known, arrival);
    if (first?.signer) await this.#requestInPlace(first.signer, arrival.kind);
    // The keys may have changed since they were read.
    if (!first || !["UNKNOWN_CABINET", "BAD_SIGNATURE", "STALE_KEYS"].includes(first.why)) {
      return first;
    }
    const fresh = await keyring.findAgain(arrival.sn);
    return fresh && fresh !== known ? await this.#storeAs(fresh, arrival) : first;
  }

  /** Heartbeats and wills decide nothing about doors, and the next one takes their place. */
  async #requestInPlace(signer: HeardCabinet, kind: string): Promise<void> {
    if (kind === "hb" || kind === "will") return;
    await this.#parts.database.transaction({ tenantId: signer.tenantId }, (db) =>
      requestInPlaceOfDropped(db, signer, kind),
    );
  }

  async #storeAs(identity: CabinetIdentity | undefined, arrival: Arrival): Promise<Taken> {
    const opened = openAs(identity, arrival);
    if ("why" in opened) return opened;
    try {
      const stored = await this.#store([opened], true);
      return stored.has(opened.identity.cabinetId) ? null : { why: "STALE_KEYS" };
    } catch (error) {
      if (!isUnstorable(error)) throw error;
      const { sn, kind } = arrival;
      this.#parts.log.error({ err: error, sn, kind }, "report cannot be stored");
      return { why: "UNSTORABLE" };
    }
  }

  /** Stores the reports and publishes the answers; returns the cabinets that were stored. */
  async #store(reports: readonly ReportOf[], isPatient: boolean): Promise<Set<number>> {
    const { database, liveMarks, publish } = this.#parts;
    const tenantId = reports[0]?.identity.tenantId ?? 0;
    const answers = await database.transaction({ tenantId }, (db) =>
      applyReports(db, reports, isPatient, this.#parts),
    );
    for (const [cabinetId, messages] of answers) {
      for (const message of messages) publish(message);
      liveMarks.mark({ tenantId, cabinetId } satisfies CabinetKey);
    }
    return new Set(answers.keys());
  }
}

/** Excludes every arrival of a cabinet that has one which could not be opened: order matters. */
function clearOf(arrivals: readonly Arrival[], opened: ReadonlySet<number>) {
  const unclear = new Set(arrivals.filter((_, at) => !opened.has(at)).map(({ sn }) => sn));
  return (at: number) => !unclear.has(arrivals[at]?.sn ?? "");
}

/** Returns the report with the key that signed it, or the reason to drop it. */
function openAs(identity: CabinetIdentity | undefined, arrival: Arrival): ReportOf | Drop {
  if ("nonce" in arrival) {
    const { sn, cabinet, nonce } = arrival;
    const report = { ok: true, kind: "end", message: { nonce } } as const;
    return { identity: { ...cabinet, sn, keys: new Map() }, kid: null, report };
  }
  if (!identity) return { why: "UNKNOWN_CABINET" };
  for (const [kid, keys] of identity.keys) {
    const opened = openUp(keys, arrival.topic, arrival.payload);
    if (opened.ok) return { identity, kid, report: opened };
    if (opened.error === "BAD_SIGNATURE") continue;
    const { tenantId, cabinetId } = identity;
    const isSigned = opened.error === "MALFORMED" || opened.error === "VERSION";
    return {
      why: opened.error,
      detail: opened.detail,
      ...(isSigned && { signer: { tenantId, cabinetId, kid } }),
    };
  }
  return { why: "BAD_SIGNATURE" };
}

/** The database refuses these contents, or they cannot be answered; a retry fails too. */
function isUnstorable(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return UNSTORABLE.test(codeOf(error));
}
