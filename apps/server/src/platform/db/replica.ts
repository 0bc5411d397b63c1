// Read replica: answers reads that may be a few seconds old, while it provably is not older.
import { type EndpointSpec, isReading, loadOf } from "@cabinet/contract/kit/endpoint.ts";
import { isExportable } from "@cabinet/contract/kit/export.rules.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { isPlatformStaff, type Session } from "../context.ts";
import type { Log } from "../log.ts";
import { replicaAge, replicaReads } from "../metrics.ts";
import type { Caller } from "./connections.ts";
import { type Database, openDatabase } from "./db.ts";
import type { Listener } from "./notify.ts";
import { isOutage } from "./postgres-client.ts";
import { sql } from "./sql.ts";
import { codeOf, SERIALIZATION_FAILURE } from "./sql-state.ts";

/** The replica has everything that was committed before this time, or it is not asked. */
export const MAX_AGE_MS = 5_000;
const LOOK_EVERY_MS = 500;
/** The primary answers a read that waits longer for a connection. */
const PATIENCE_MS = 1_000;

/** Position in the log of the primary, and a time at which everything committed lay before it. */
interface Mark {
  at: number;
  position: number;
}

type Key = `account ${number} ${number}` | `tenant ${number}` | "every tenant" | "any tenant";

const accountOf = ({ homeTenantId, operatorId }: Session): Key =>
  `account ${homeTenantId} ${operatorId}`;

/** Lists, statistics and their exports; details are read for editing and doors need the present. */
function mayBeOld(spec: EndpointSpec): boolean {
  return isReading(spec) && (loadOf(spec) === "heavy" || isExportable(spec));
}

export class Replica {
  readonly #primary: Database;
  readonly #copy: Database;
  readonly #log: Log;
  readonly #stopListening: () => void;
  /** Not replayed yet, oldest first. */
  #marks: Mark[] = [];
  #completeUntil = Number.NEGATIVE_INFINITY;
  /** When an account wrote, and when a tenant's consoles were notified of a change. */
  readonly #changes = new Map<Key, number>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isMissed = false;

  constructor(tools: { url: string; primary: Database; listener: Listener; log: Log }) {
    const { url, primary, listener, log } = tools;
    this.#primary = primary;
    this.#log = log;
    this.#copy = openDatabase(url, {
      vault: primary.vault,
      patienceMs: PATIENCE_MS,
      onError: (error) => log.warn({ why: error.message }, "replica connection lost"),
    });
    const noteChange = (tenantId: number | null) => {
      this.#note("any tenant");
      this.#note(tenantId === null ? "every tenant" : `tenant ${tenantId}`);
    };
    this.#stopListening = listener.on("live", (event) => {
      noteChange((event as { tenantId: number | null }).tenantId);
    });
    // Notifications sent meanwhile are lost: consoles repeat all calls.
    listener.onReconnect(() => noteChange(null));
    void this.#look();
  }

  /** Afterwards the account reads at the primary until the replica must have its change. */
  noteWrite(spec: EndpointSpec, session: Session): void {
    // Otherwise each export would keep its own rows from being read at the replica.
    if (spec.path !== exportContract.start.path) this.#note(accountOf(session));
  }

  /** True if the replica is not too old, and has what this account wrote through this process. */
  isCurrentFor(session: Session): boolean {
    return (
      this.#isRecent(this.#completeUntil) && !this.#isRecent(this.#changes.get(accountOf(session)))
    );
  }

  /**
   * True if the replica may answer this call. A console that is notified of a change reads its list once: it would go
   * on showing the rows from before the change.
   */
  mayAnswer(spec: EndpointSpec, session: Session): boolean {
    return (
      mayBeOld(spec) &&
      this.isCurrentFor(session) &&
      (!isExportable(spec) || !this.#hasChanged(session))
    );
  }

  /** Reads at the replica, and at the primary if that fails. */
  async read<Result>(
    caller: Caller | null,
    read: (from: Database) => Promise<Result>,
  ): Promise<Result> {
    const shareOf = (from: Database) => (caller ? from.for(caller) : from);
    try {
      const result = await read(shareOf(this.#copy));
      replicaReads.inc();
      return result;
    } catch (error) {
      // Replay may cancel a query whose rows it removes.
      if (!isOutage(error) && codeOf(error) !== SERIALIZATION_FAILURE) throw error;
      if (isOutage(error)) this.#giveUp();
      return read(shareOf(this.#primary));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    await this.#copy.close();
  }

  #hasChanged(session: Session): boolean {
    const keys: Key[] = isPlatformStaff(session)
      ? ["any tenant"]
      : [`tenant ${session.tenantId}`, "every tenant"];
    return keys.some((key) => this.#isRecent(this.#changes.get(key)));
  }

  #note(key: Key): void {
    this.#changes.set(key, performance.now());
  }

  #isRecent(at = Number.NEGATIVE_INFINITY): boolean {
    return performance.now() - at < MAX_AGE_MS;
  }

  #giveUp(): void {
    this.#completeUntil = Number.NEGATIVE_INFINITY;
  }

  async #look(): Promise<void> {
    for (const [key, at] of this.#changes) if (!this.#isRecent(at)) this.#changes.delete(key);
    try {
      await this.#compare();
      if (this.#isMissed) this.#log.info("replica answers again");
      this.#isMissed = false;
    } catch (error) {
      this.#giveUp();
      const { message } = error as Error;
      if (!this.#isMissed && !this.#isClosed) this.#log.warn({ why: message }, "replica not used");
      this.#isMissed = true;
    }
    replicaAge.set((performance.now() - this.#completeUntil) / 1000);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#look(), LOOK_EVERY_MS);
  }

  /** Compares positions, not clocks: a replica cut off from an idle primary would otherwise look complete. */
  async #compare(): Promise<void> {
    const at = performance.now();
    const [primary] = await this.#primary.unscoped<{ cluster: string; position: number }>(sql`
      select (select system_identifier::text from pg_control_system()) as cluster,
        (pg_current_wal_lsn() - '0/0')::bigint as position`);
    const [copy] = await this.#copy.unscoped<{ cluster: string; position: number | null }>(sql`
      select (select system_identifier::text from pg_control_system()) as cluster,
        case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as position`);
    if (!primary || copy?.cluster !== primary.cluster) throw new Error("not of the same cluster");
    const { position } = copy;
    if (position === null) throw new Error("not a replica");
    this.#marks.push({ at, position: primary.position });
    const replayed = this.#marks.filter((mark) => mark.position <= position);
    this.#completeUntil = replayed.at(-1)?.at ?? this.#completeUntil;
    // Older ones would prove nothing that is recent enough.
    this.#marks = this.#marks.filter((mark) => mark.position > position && this.#isRecent(mark.at));
  }
}
