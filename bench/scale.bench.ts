// Benchmarks 10,000 connected cabinets for two minutes: on the embedded broker, then on mosquitto.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../e2e/support/server.ts";
import type { Figure } from "./figures.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { type LoadServer, openLoadServer } from "./load-server.ts";
import { startMosquitto } from "./mosquitto.ts";
import { usageOf } from "./process-usage.ts";

const CABINETS = Number(process.env.BENCH_CABINETS ?? 10_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 120);
const START_MS = 300_000;
const SETTLE_MS = 10_000;
const SAMPLE_EVERY_MS = 1_000;

export async function benchScale(folder: string): Promise<Figure[]> {
  const embedded = await withLoadServer(
    { folder: path.join(folder, "embedded") },
    (loadServer, server) =>
      measure(loadServer, "内嵌消息服务", { 服务器: server.process.pid ?? 0 }),
  );
  const mosquitto = await startMosquitto(path.join(folder, "mosquitto"));
  try {
    const urls = { mqttUrl: mosquitto.url, gatewayUrl: mosquitto.gatewayUrl };
    const outside = await withLoadServer(
      { folder: path.join(folder, "outside"), ...urls },
      (loadServer, server) =>
        measure(loadServer, "mosquitto", {
          mosquitto: mosquitto.pid,
          服务器: server.process.pid ?? 0,
        }),
    );
    return [...embedded, ...outside];
  } finally {
    await mosquitto.stop();
  }
}

async function withLoadServer(
  { folder, mqttUrl, gatewayUrl }: { folder: string; mqttUrl?: string; gatewayUrl?: string },
  work: (loadServer: LoadServer, server: Server) => Promise<Figure[]>,
): Promise<Figure[]> {
  const loadServer = await openLoadServer(folder, {
    cabinets: CABINETS,
    ...(mqttUrl && gatewayUrl && { outside: { mqttUrl, gatewayUrl } }),
  });
  try {
    return await work(loadServer, await loadServer.startServer());
  } finally {
    await loadServer.close();
  }
}

/** Samples every process while all cabinets send heartbeats every 30 s and users open doors. */
async function measure(
  loadServer: LoadServer,
  broker: string,
  processes: Record<string, number>,
): Promise<Figure[]> {
  const part = `${CABINETS.toLocaleString("zh-CN")} 台柜机在线 ${SECONDS} 秒，经${broker}`;
  const names = Object.entries(processes);
  const empty = await Promise.all(names.map(([, pid]) => usageOf(pid)));
  const fleet = startFleet(loadServer);
  try {
    const started = await fleet.waitFor(CABINETS, START_MS);
    fleet.command("visit");
    await sleep(SETTLE_MS);
    const all = [...names, ["模拟柜机", fleet.pid] as const];
    const before = await Promise.all(all.map(([, pid]) => usageOf(pid)));
    const fewest = await watch(fleet);
    const after = await Promise.all(all.map(([, pid]) => usageOf(pid)));
    const figures: Figure[] = [
      { part, name: "逐台启动到全部在线", value: started / 1_000, unit: "秒" },
      {
        part,
        name: "其间在线最少",
        value: fewest,
        unit: "台",
        goal: { atLeast: CABINETS },
      },
    ];
    for (const [index, [name]] of all.entries()) {
      const [from, to, none] = [before[index], after[index], empty[index]];
      if (!from || !to) continue;
      if (none)
        figures.push({ part, name: `${name} 内存，没有柜机时`, value: none.rssMb, unit: "MB" });
      figures.push(
        { part, name: `${name} 内存`, value: to.rssMb, unit: "MB" },
        {
          part,
          name: `${name} 处理器`,
          value: ((to.cpuSeconds - from.cpuSeconds) / SECONDS) * 100,
          unit: "%",
        },
      );
    }
    return figures;
  } finally {
    await fleet.stop();
  }
}

/** Minimum number of online cabinets during the measurement. */
async function watch(fleet: Fleet): Promise<number> {
  let fewest = fleet.online();
  const end = performance.now() + SECONDS * 1_000;
  while (performance.now() < end) {
    await sleep(SAMPLE_EVERY_MS);
    fewest = Math.min(fewest, fleet.online());
  }
  return fewest;
}
