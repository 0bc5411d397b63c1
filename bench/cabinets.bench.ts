// Promises D3 and D4 at full size: 5,000 cabinets come back at once, and 1,000 reports a second.
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { sql } from "../apps/server/src/platform/db.ts";
import { type Figure, percentile } from "./figures.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { type LoadStage, openLoadStage } from "./load-stage.ts";
import { usageOf } from "./process-usage.ts";
import type { ReportResult, ReportRun } from "./report-process.ts";

const CABINETS = Number(process.env.BENCH_CABINETS ?? 5_000);
const START_MS = 180_000;
const RETURN_MS = 120_000;
const READ_EVERY_MS = 50;
const REPORTS: ReportRun = { cabinets: Math.min(500, CABINETS), window: 4, seconds: 20 };

export async function benchCabinets(folder: string): Promise<Figure[]> {
  const stage = await openLoadStage(folder, { cabinets: CABINETS });
  try {
    return [...(await benchReturn(stage)), ...(await benchReports(stage))];
  } finally {
    await stage.close();
  }
}

/** D3: all lines are cut at once; then the server starts anew under all of them. */
async function benchReturn(stage: LoadStage): Promise<Figure[]> {
  let server = await stage.startServer();
  const fleet = startFleet(stage);
  try {
    const first = await fleet.waitFor(CABINETS, START_MS);
    await sleep(3_000);
    const reads = startReading(stage);
    const offlineBefore = await countEvents(stage, "OFFLINE");
    const cut = await cutAll(fleet);
    const readMs = await reads.stop();
    const offlineByCut = (await countEvents(stage, "OFFLINE")) - offlineBefore;
    const { peakMb } = await usageOf(server.process.pid ?? 0);
    await sleep(3_000);
    await server.stop();
    server = await stage.startServer();
    const restart = await fleet.waitFor(CABINETS, RETURN_MS);
    const offlineByRestart = (await countEvents(stage, "OFFLINE")) - offlineBefore - offlineByCut;
    // Longer than the grace after which an absence is told.
    await sleep(65_000);
    const alarms = await countMalfunctions(stage);
    const part = `${CABINETS.toLocaleString("zh-CN")} 台柜机同时重连`;
    const seconds = (ms: number) => ms / 1_000;
    return [
      { part, name: "逐台启动到全部在线", value: seconds(first), unit: "秒" },
      {
        part,
        name: "同时断线到全部在线",
        value: seconds(cut),
        unit: "秒",
        goal: { atMost: 30 },
      },
      {
        part,
        name: "其间列表调用（p99）",
        value: percentile(readMs, 0.99),
        unit: "毫秒",
        goal: { atMost: 1_000 },
      },
      { part, name: "服务器内存峰值", value: peakMb, unit: "MB", goal: { atMost: 1_024 } },
      {
        part,
        name: "服务器重启到全部在线",
        value: seconds(restart),
        unit: "秒",
        goal: { atMost: 30 },
      },
      { part, name: "断线时记为离线", value: offlineByCut, unit: "台" },
      {
        part,
        name: "服务器重启时记为离线",
        value: offlineByRestart,
        unit: "台",
        goal: { atMost: 0 },
      },
      { part, name: "误报的离线故障", value: alarms, unit: "条", goal: { atMost: 0 } },
    ];
  } finally {
    await fleet.stop();
    await server.stop();
  }
}

async function cutAll(fleet: Fleet): Promise<number> {
  fleet.order("cut");
  const cutAt = performance.now();
  while (fleet.online() === CABINETS) await sleep(10);
  await fleet.waitFor(CABINETS, RETURN_MS);
  return performance.now() - cutAt;
}

/** An operator who looks at the list again and again; returns how long each look took. */
function startReading({ origin, headers }: LoadStage): { stop(): Promise<number[]> } {
  const url = `${origin}${urlPath(cabinetContract.list)}?page=1&pageSize=20`;
  const tookMs: number[] = [];
  const pending = new Set<Promise<void>>();
  async function look(): Promise<void> {
    const startedAt = performance.now();
    const reply = await fetch(url, { headers });
    const { code } = (await reply.json()) as { code: number };
    if (code !== 0) throw new Error(`list answered ${reply.status}`);
    tookMs.push(performance.now() - startedAt);
  }
  const timer = setInterval(() => {
    const one: Promise<void> = look().finally(() => pending.delete(one));
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

/** D4: as many reports as are acknowledged, every one of which must then be found. */
async function benchReports(stage: LoadStage): Promise<Figure[]> {
  const server = await stage.startServer();
  const child = fork(path.join(import.meta.dirname, "report-process.ts"), [stage.credentials]);
  await once(child, "message");
  const before = await usageOf(server.process.pid ?? 0);
  child.send(REPORTS);
  const [result] = (await once(child, "message")) as [ReportResult];
  const after = await usageOf(server.process.pid ?? 0);
  const lost = await countMissing(stage, result.sent);
  await server.stop();
  const part = `上报，${REPORTS.cabinets} 台柜机不停上报，存入后才确认`;
  const { perSecond, ackMs } = result;
  return [
    { part, name: "每秒上报", value: perSecond, unit: "条", goal: { atLeast: 1_000 } },
    { part, name: "确认（p50）", value: percentile(ackMs, 0.5), unit: "毫秒" },
    { part, name: "确认（p99）", value: percentile(ackMs, 0.99), unit: "毫秒" },
    {
      part,
      name: "服务器处理器时间",
      value: ((after.cpuSeconds - before.cpuSeconds) / ackMs.length) * 1_000,
      unit: "毫秒/条",
    },
    { part, name: "确认了却没有存下", value: lost, unit: "条", goal: { atMost: 0 } },
  ];
}

async function countMissing(stage: LoadStage, sent: ReportResult["sent"]): Promise<number> {
  const rows = await stage.database.read("platform", (db) =>
    db.many<{ sn: string; stored: number }>(sql`
      select sn, coalesce(last_n, 0) - cardinality(missing_reports) as stored from cabinet`),
  );
  const stored = new Map(rows.map((row) => [row.sn, row.stored]));
  return sent.reduce((sum, { sn, n }) => sum + Math.max(0, n - (stored.get(sn) ?? 0)), 0);
}

async function countEvents(stage: LoadStage, kind: string): Promise<number> {
  const { n } = await stage.database.read("platform", (db) =>
    db.one<{ n: number }>(sql`
      select count(*)::int as n from cabinet_event where kind = ${kind}`),
  );
  return n;
}

async function countMalfunctions(stage: LoadStage): Promise<number> {
  const { n } = await stage.database.read("platform", (db) =>
    db.one<{ n: number }>(sql`select count(*)::int as n from malfunction`),
  );
  return n;
}
