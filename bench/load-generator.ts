// Measures the server under a fleet: simultaneous reconnects, and reports without pause.
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { type Sql, sql } from "../apps/server/src/platform/db/sql.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import type { LoadServer } from "./load-server.ts";
import { usageOf } from "./process-usage.ts";
import type { ReportResult, ReportRun } from "./report-process.ts";

const START_MS = 180_000;
const RETURN_MS = 120_000;
/** Covers the reconnect backoff of the cabinets, which is capped at two minutes. */
const RESTART_MS = 300_000;
const READ_EVERY_MS = 50;
const QUIET_MS = 3_000;

export interface ReturnResult {
  firstMs: number;
  cutMs: number;
  /** Durations of list requests during the reconnects. */
  readMs: number[];
  peakMb: number;
  restartMs: number;
  offlineByCut: number;
  offlineByRestart: number;
  malfunctions: number;
}

/**
 * Cuts all connections at once, then restarts the server under the whole fleet, then waits
 * `watchMs` for false alarms.
 */
export async function measureReturn(
  loadServer: LoadServer,
  watchMs: number,
): Promise<ReturnResult> {
  const all = loadServer.cabinets.length;
  let server = await loadServer.startServer();
  const fleet = startFleet(loadServer);
  try {
    const firstMs = await fleet.waitFor(all, START_MS);
    await sleep(QUIET_MS);
    const reads = startReading(loadServer);
    const before = await count(loadServer, sql`cabinet_event where kind = 'OFFLINE'`);
    const cutMs = await cutAll(fleet, all);
    const readMs = await reads.stop();
    const afterCut = await count(loadServer, sql`cabinet_event where kind = 'OFFLINE'`);
    const { peakMb } = await usageOf(server.process.pid ?? 0);
    await sleep(QUIET_MS);
    await server.stop();
    server = await loadServer.startServer();
    const restartMs = await fleet.waitFor(all, RESTART_MS);
    await sleep(watchMs);
    const afterRestart = await count(loadServer, sql`cabinet_event where kind = 'OFFLINE'`);
    return {
      firstMs,
      cutMs,
      readMs,
      peakMb,
      restartMs,
      offlineByCut: afterCut - before,
      offlineByRestart: afterRestart - afterCut,
      malfunctions: await count(loadServer, sql`malfunction`),
    };
  } finally {
    await fleet.stop();
    await server.stop();
  }
}

async function cutAll(fleet: Fleet, all: number): Promise<number> {
  fleet.command("cut");
  const cutAt = performance.now();
  while (fleet.online() === all) await sleep(10);
  await fleet.waitFor(all, RETURN_MS);
  return performance.now() - cutAt;
}

/** Requests the list at a fixed interval like an operator; `stop()` returns the durations. */
function startReading({ origin, headers }: LoadServer): { stop(): Promise<number[]> } {
  const url = `${origin}${urlPath(cabinetContract.list)}?page=1&pageSize=20`;
  const tookMs: number[] = [];
  const pending = new Set<Promise<void>>();
  async function requestList(): Promise<void> {
    const startedAt = performance.now();
    const reply = await fetch(url, { headers });
    const { code } = (await reply.json()) as { code: number };
    if (code !== 0) throw new Error(`list answered ${reply.status}`);
    tookMs.push(performance.now() - startedAt);
  }
  const timer = setInterval(() => {
    const one: Promise<void> = requestList().finally(() => pending.delete(one));
    pending.add(one);
  }, READ_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return tookMs;
    },
  };
}

export interface ReportsMeasured extends ReportResult {
  /** Server CPU time per report. */
  cpuMs: number;
  /** Reports that were acknowledged but are not stored. */
  lost: number;
}

export async function measureReports(
  loadServer: LoadServer,
  run: ReportRun,
): Promise<ReportsMeasured> {
  const server = await loadServer.startServer();
  const child = fork(path.join(import.meta.dirname, "report-process.ts"), [loadServer.credentials]);
  try {
    await once(child, "message");
    const before = await usageOf(server.process.pid ?? 0);
    child.send(run);
    const [result] = (await once(child, "message")) as [ReportResult];
    const after = await usageOf(server.process.pid ?? 0);
    const cpuMs = ((after.cpuSeconds - before.cpuSeconds) / result.ackMs.length) * 1_000;
    return { ...result, cpuMs, lost: await countMissing(loadServer, result.sent) };
  } finally {
    child.kill();
    await server.stop();
  }
}

async function countMissing(loadServer: LoadServer, sent: ReportResult["sent"]): Promise<number> {
  const rows = await loadServer.database.read("platform", (db) =>
    db.many<{ sn: string; stored: number }>(sql`
      select sn, coalesce(last_n, 0) - cardinality(missing_reports) as stored from cabinet`),
  );
  const stored = new Map(rows.map((row) => [row.sn, row.stored]));
  return sent.reduce((sum, { sn, n }) => sum + Math.max(0, n - (stored.get(sn) ?? 0)), 0);
}

async function count(loadServer: LoadServer, source: Sql): Promise<number> {
  const { n } = await loadServer.database.read("platform", (db) =>
    db.one<{ n: number }>(sql`select count(*)::int as n from ${source}`),
  );
  return n;
}
