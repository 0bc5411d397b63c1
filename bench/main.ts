// The bench: everything that is measured, beside its goals; figures also go to bench/results.json.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { benchCalls } from "./calls.bench.ts";
import { benchCommand } from "./command.bench.ts";
import { benchConsole } from "./console.bench.ts";
import { type Figure, isMet, tableOf } from "./figures.ts";
import { openStage } from "./stage.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "storage-bench-"));
const figures: Figure[] = [];
try {
  console.log("正在准备测量环境…");
  const stage = await openStage(folder);
  try {
    console.log("正在测量远程开门…");
    figures.push(...(await benchCommand(stage)));
    console.log("正在测量列表调用…");
    figures.push(...(await benchCalls(stage)));
    console.log("正在测量控制台…");
    figures.push(...(await benchConsole(stage, path.join(folder, "lean"))));
  } finally {
    await stage.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${tableOf(figures)}\n`);
const results = figures.map((figure) => ({ ...figure, isMet: isMet(figure) }));
const file = path.join(import.meta.dirname, "results.json");
await writeFile(file, `${JSON.stringify({ at: new Date(), results }, null, 2)}\n`);
