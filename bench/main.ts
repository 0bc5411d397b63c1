// Entry point of the bench: runs all default parts, or those named in `npm run bench -- calls`.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { benchAudit } from "./audit.bench.ts";
import { type BenchServer, openBenchServer } from "./bench-server.ts";
import { benchCabinets } from "./cabinets.bench.ts";
import { benchCalls } from "./calls.bench.ts";
import { benchCommand } from "./command.bench.ts";
import { benchConsole } from "./console.bench.ts";
import { benchFairness } from "./fairness.bench.ts";
import { type Figure, isMet, tableOf } from "./figures.ts";
import { benchHeartbeats } from "./heartbeats.bench.ts";
import { benchMixed } from "./mixed.bench.ts";
import { benchOrders } from "./orders.bench.ts";
import { benchPickup } from "./pickup.bench.ts";
import { benchScale } from "./scale.bench.ts";
import { benchStrangers } from "./strangers.bench.ts";

const resultsFile = path.join(import.meta.dirname, "results.json");
/** Load average above which other processes distort the times. */
const BUSY_LOAD = 0.5;

interface BenchContext {
  /** The shared server with the demo, opened on first use. */
  benchServer(): Promise<BenchServer>;
  folder: string;
}

const parts: Record<string, (context: BenchContext) => Promise<Figure[]>> = {
  audit: async ({ benchServer }) => benchAudit(await benchServer()),
  calls: async ({ benchServer }) => benchCalls(await benchServer()),
  command: async ({ benchServer }) => benchCommand(await benchServer()),
  console: async ({ benchServer, folder }) =>
    benchConsole(await benchServer(), path.join(folder, "lean")),
  cabinets: ({ folder }) => benchCabinets(path.join(folder, "cabinets")),
  fairness: async ({ benchServer }) => benchFairness(await benchServer()),
  strangers: async ({ benchServer }) => benchStrangers(await benchServer()),
  heartbeats: ({ folder }) => benchHeartbeats(path.join(folder, "heartbeats")),
  mixed: ({ folder }) => benchMixed(path.join(folder, "mixed")),
  orders: ({ folder }) => benchOrders(path.join(folder, "orders")),
  pickup: async ({ benchServer }) => benchPickup(await benchServer()),
  scale: ({ folder }) => benchScale(path.join(folder, "scale")),
};
/** Not run by default: they take many minutes, and scale needs mosquitto installed. */
const onDemandParts = new Set(["fairness", "heartbeats", "mixed", "orders", "scale", "strangers"]);

async function run(names: string[]): Promise<void> {
  const [loadBefore = 0] = os.loadavg();
  if (loadBefore > BUSY_LOAD) {
    console.log(`这台机器正忙（负载 ${loadBefore.toFixed(1)}），结果会偏慢，请在空闲时再测一次。`);
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "storage-bench-"));
  let opened: Promise<BenchServer> | undefined;
  const cleanUp = async () => {
    await (await opened)?.close();
    await rm(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => cleanUp().finally(() => process.exit(130)));
  }
  try {
    const benchServer = () => {
      if (!opened) console.log("正在准备服务器与数据…");
      opened ??= openBenchServer(folder);
      return opened;
    };
    const figures: Figure[] = [];
    for (const name of names) {
      console.log(`正在测量 ${name}…`);
      figures.push(...((await parts[name]?.({ benchServer, folder })) ?? []));
    }
    console.log(`\n${tableOf(figures)}\n`);
    await writeResults(figures, loadBefore);
  } finally {
    await cleanUp();
  }
}

async function writeResults(figures: Figure[], loadBefore: number): Promise<void> {
  const cpus = os.cpus();
  const machine = {
    processors: cpus.length,
    model: cpus[0]?.model,
    node: process.version,
    loadBefore,
  };
  const judged = figures.map((figure) => ({ ...figure, isMet: isMet(figure) }));
  const results = { measuredAt: new Date().toISOString(), machine, figures: judged };
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  const goals = judged.filter((figure) => figure.goal);
  const met = goals.filter((figure) => figure.isMet);
  const missed = goals.length - met.length;
  const file = path.relative(process.cwd(), resultsFile);
  console.log(`${met.length} 项达到目标，${missed} 项未达到。已写入 ${file}`);
}

const requested = process.argv.slice(2);
const unknown = requested.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`没有“${unknown}”这一项：可选 ${Object.keys(parts).join("、")}`);
  process.exit(2);
}
const defaultParts = Object.keys(parts).filter((name) => !onDemandParts.has(name));
await run(requested.length > 0 ? requested : defaultParts);
process.exit(0);
