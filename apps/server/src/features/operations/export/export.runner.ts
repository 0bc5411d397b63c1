// Reads the rows of exports, two at a time: each list in one pass over one snapshot.
import { EXPORT_CHUNK_ROWS, EXPORT_MAX_ROWS } from "@cabinet/contract/kit/export.rules.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { FastifyInstance } from "fastify";
import { type Ctx, isPlatformStaff, type Session, scopeOf } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import type { Listener } from "../../../platform/db/notify.ts";
import { pagesOf } from "../../../platform/db/page.ts";
import type { Replica } from "../../../platform/db/replica.ts";
import { requireAccess } from "../../../platform/http/http-access.ts";
import { compileSerializer, type Serialize } from "../../../platform/http/serializer.ts";
import { startTurns, type Turns } from "../../../platform/jobs/turns.ts";
import type { Log } from "../../../platform/log.ts";
import type { Catalog, ListCall } from "./export.catalog.ts";
import { type ExportFailure, MAX_RUNNING } from "./export.rules.ts";
import * as repo from "./export.sql.ts";

/** Polls as well, to find exports whose notification was lost. */
const LOOK_EVERY_MS = 5_000;

interface ExportTools {
  database: Database;
  replica: Replica | undefined;
  listener: Listener;
  log: Log;
  catalog: Catalog;
  sharedSchemas: readonly object[];
  /** The current session of a token's hash; null when it has ended. */
  findSession: (tokenHash: Buffer) => Promise<Session | null>;
}

class Failure extends Error {
  readonly failure: ExportFailure;

  constructor(failure: ExportFailure) {
    super(failure);
    this.failure = failure;
  }
}

class ExportRunner {
  readonly #tools: ExportTools;
  readonly #running = new Map<string, Promise<void>>();
  readonly #turns: Turns;
  readonly #stopListening: () => void;
  #isStopped = false;

  constructor(tools: ExportTools) {
    this.#tools = tools;
    const work = () => this.#claim();
    this.#turns = startTurns(tools.log, LOOK_EVERY_MS, work, "exports could not be looked for");
    this.#stopListening = tools.listener.on("export", this.#turns.wake);
    this.#turns.wake();
  }

  /** Exports being read end as interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#turns.stop();
    await Promise.all(this.#running.values());
  }

  /** Renews running exports, and claims waiting ones while there is capacity. */
  async #claim(): Promise<void> {
    await this.#renew();
    while (!this.#isStopped && this.#running.size < MAX_RUNNING) {
      const claimed = await this.#tools.database.transaction("platform", repo.claimExport);
      if (!claimed) return;
      const run = this.#run(claimed).finally(() => {
        this.#running.delete(claimed.id);
        this.#turns.wake();
      });
      this.#running.set(claimed.id, run);
    }
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    await this.#write((db) => repo.renewExports(db, [...this.#running.keys()])).catch((error) =>
      this.#tools.log.warn({ err: error }, "exports could not be renewed"),
    );
  }

  #write<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#tools.database.transaction("platform", work);
  }

  async #run(claimed: repo.ClaimedExport): Promise<void> {
    const { log } = this.#tools;
    try {
      await this.#read(claimed);
    } catch (error) {
      const failure = error instanceof Failure ? error.failure : "FAILED";
      if (failure === "FAILED") {
        log.error({ err: error, call: claimed.call, exportId: claimed.id }, "export failed");
      }
      await this.#write((db) => repo.failExport(db, claimed, failure)).catch((failed) =>
        log.warn({ err: failed }, "export could not be marked as failed"),
      );
    }
  }

  async #read(claimed: repo.ClaimedExport): Promise<void> {
    const { catalog, database, replica, findSession, sharedSchemas } = this.#tools;
    const route = catalog.find(claimed.call);
    const session = await findSession(claimed.sessionHash);
    if (!session || isPlatformStaff(session) !== claimed.isPlatform) throw new Failure("FAILED");
    requireAccess(session, route.spec);
    const textOf = rowSerializer(route, sharedSchemas);
    const query = { ...claimed.query, page: 1, pageSize: EXPORT_MAX_ROWS };
    let hasChunks = false;
    const readRows = async (db: Db) => {
      // The rows of another snapshot must not follow those of the first.
      if (hasChunks) throw new Failure("FAILED");
      const ctx = this.#ctx(db, session, claimed.id);
      let rowCount = 0;
      for (let no = 0; ; no++) {
        if (this.#isStopped) throw new Failure("INTERRUPTED");
        const page = (await route.handler(ctx, { query })) as Page<unknown>;
        if (page.total > EXPORT_MAX_ROWS) throw new Failure("TOO_LARGE");
        if (page.list.length > EXPORT_CHUNK_ROWS) {
          throw new Error(`${route.spec.path} does not ask for its page by findPage`);
        }
        rowCount += page.list.length;
        if (page.list.length > 0) {
          const chunk = { ...claimed, no, rows: textOf(page.list), rowCount, total: page.total };
          const isWanted = await this.#write((writing) => repo.insertChunk(writing, chunk));
          if (!isWanted) return page.total;
          hasChunks = true;
        }
        if (rowCount >= page.total || page.list.length === 0) return page.total;
      }
    };
    const read = (from: Database) => from.snapshot(scopeOf(session), readRows);
    const total = await (replica?.isCurrentFor(session)
      ? replica.read(null, read)
      : read(database));
    await this.#write((db) => repo.finishExport(db, claimed, total));
  }

  #ctx(db: Db, session: Session, id: string): Ctx {
    const pages = pagesOf(db, { max: EXPORT_MAX_ROWS, size: EXPORT_CHUNK_ROWS });
    const origin = { requestId: id, address: "", network: "", userAgent: "" };
    return { db: { ...db, pages }, session, origin, log: this.#tools.log, audit: () => {} };
  }
}

/** Runs the export reader for the lifetime of the server. */
export function addExports(app: FastifyInstance, tools: ExportTools): void {
  let runner: ExportRunner | undefined;
  app.addHook("onReady", async () => {
    runner = new ExportRunner(tools);
  });
  app.addHook("onClose", async () => runner?.stop());
}

const serializers = new WeakMap<ListCall, Serialize>();

/** Serialises rows by the list's reply schema, which drops every other field. */
function rowSerializer(route: ListCall, sharedSchemas: readonly object[]): Serialize {
  const known = serializers.get(route);
  if (known) return known;
  const { list } = (route.spec.reply as { properties: { list: object } }).properties;
  const made = compileSerializer(list, sharedSchemas);
  serializers.set(route, made);
  return made;
}
