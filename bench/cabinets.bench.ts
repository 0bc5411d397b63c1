// Benchmarks promises D3 and D4 at full size: 5,000 reconnecting cabinets, 1,000 reports a second.

import { type Figure, percentile } from "./figures.ts";
import { measureReports, measureReturn } from "./load-generator.ts";
import { type LoadServer, openLoadServer } from "./load-server.ts";
import type { ReportRun } from "./report-process.ts";

const CABINETS = Number(process.env.BENCH_CABINETS ?? 5_000);
/** Longer than the grace period after which an offline cabinet becomes a malfunction. */
const WATCH_MS = 65_000;
const REPORTS: ReportRun = { cabinets: Math.min(500, CABINETS), window: 4, seconds: 20 };

export async function benchCabinets(folder: string): Promise<Figure[]> {
  const loadServer = await openLoadServer(folder, { cabinets: CABINETS });
  try {
    return [...(await benchReturn(loadServer)), ...(await benchReports(loadServer))];
  } finally {
    await loadServer.close();
  }
}

async function benchReturn(loadServer: LoadServer): Promise<Figure[]> {
  const result = await measureReturn(loadServer, WATCH_MS);
  const part = `${CABINETS.toLocaleString("zh-CN")} 台柜机同时重连`;
  const time = (name: string, ms: number) => ({ part, name, value: ms / 1_000, unit: "秒" });
  const none = { atMost: 0 };
  const readMs = percentile(result.readMs, 0.99);
  return [
    time("逐台启动到全部在线", result.firstMs),
    { ...time("同时断线到全部在线", result.cutMs), goal: { atMost: 30 } },
    { part, name: "其间列表调用（p99）", value: readMs, unit: "毫秒", goal: { atMost: 1_000 } },
    { part, name: "服务器内存峰值", value: result.peakMb, unit: "MB", goal: { atMost: 1_024 } },
    { ...time("服务器重启到全部在线", result.restartMs), goal: { atMost: 30 } },
    { part, name: "断线时记为离线", value: result.offlineByCut, unit: "台" },
    { part, name: "重启时记为离线", value: result.offlineByRestart, unit: "台", goal: none },
    { part, name: "误报的离线故障", value: result.malfunctions, unit: "条", goal: none },
  ];
}

async function benchReports(loadServer: LoadServer): Promise<Figure[]> {
  const { perSecond, ackMs, cpuMs, lost } = await measureReports(loadServer, REPORTS);
  const part = `上报，${REPORTS.cabinets} 台柜机不停上报，存入后才确认`;
  return [
    { part, name: "每秒上报", value: perSecond, unit: "条", goal: { atLeast: 1_000 } },
    { part, name: "确认（p50）", value: percentile(ackMs, 0.5), unit: "毫秒" },
    { part, name: "确认（p99）", value: percentile(ackMs, 0.99), unit: "毫秒" },
    { part, name: "服务器处理器时间", value: cpuMs, unit: "毫秒/条" },
    { part, name: "确认了却没有存下", value: lost, unit: "条", goal: { atMost: 0 } },
  ];
}
