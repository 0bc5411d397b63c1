// Benchmarks list calls over HTTP against the same query through the bare driver, in alternation.
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { freePort } from "../e2e/support/free-port.ts";
import type { BenchServer } from "./bench-server.ts";
import { type Figure, median } from "./figures.ts";
import type { BareRun } from "./list-process.ts";

const CONNECTIONS = [1, 32];
const ROUNDS = 7;
const SECONDS = 2;
const GOALS = { plain: 0.8, full: 0.65 };

const variantNames = ["bare", "floor", "plain", "full", "switched"] as const;
type Variant = (typeof variantNames)[number];

const autocannon = fileURLToPath(import.meta.resolve("autocannon"));

export async function benchCalls(benchServer: BenchServer): Promise<Figure[]> {
  const [port, floorPort] = [await freePort(), await freePort()];
  const bare = fork(path.join(import.meta.dirname, "list-process.ts"), [
    benchServer.databaseUrl,
    String(port),
    String(floorPort),
    JSON.stringify(benchServer.operator),
  ]);
  await once(bare, "message");
  const query = "page=1&pageSize=10";
  const { path: plainPath } = cabinetContract.list;
  const variants: Record<Variant, (connections: number) => Promise<number>> = {
    bare: (connections) => queryBare(bare, { connections, seconds: SECONDS }),
    floor: (connections) => load(`http://127.0.0.1:${floorPort}/`, connections, {}),
    plain: (connections) => load(`http://127.0.0.1:${port}${plainPath}?${query}`, connections, {}),
    full: (connections) =>
      load(
        `${benchServer.server.origin}${urlPath(cabinetContract.list)}?${query}`,
        connections,
        benchServer.headers,
      ),
    switched: async (connections) => {
      await switchFeaturesOff(benchServer);
      const rate = await variants.full(connections);
      await forgetSwitches(benchServer);
      return rate;
    },
  };
  const figures: Figure[] = [];
  for (const connections of CONNECTIONS) {
    for (const variant of Object.values(variants)) await variant(connections);
    const rates: Record<Variant, number[]> = {
      ...{ bare: [], floor: [], plain: [] },
      ...{ full: [], switched: [] },
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of variantNames) rates[name].push(await variants[name](connections));
    }
    const ratios = (of: Variant, to: Variant = "bare") =>
      median(rates[of].map((rate, round) => rate / (rates[to][round] ?? Number.NaN)));
    const part = `列表调用，${connections} 个连接`;
    figures.push(
      { part, name: "直接经驱动查询", value: median(rates.bare), unit: "次/秒" },
      { part, name: "Node 的 HTTP 服务，无框架", value: median(rates.floor), unit: "次/秒" },
      { part, name: "HTTP，不登录、无行级隔离", value: median(rates.plain), unit: "次/秒" },
      { part, name: "HTTP，登录并行级隔离", value: median(rates.full), unit: "次/秒" },
      { part, name: "有三项功能停用 ÷ 登录并隔离", value: ratios("switched", "full"), unit: "倍" },
      { part, name: "无框架 ÷ 直接查询", value: ratios("floor"), unit: "倍" },
      { part, name: "不登录 ÷ 无框架", value: ratios("plain", "floor"), unit: "倍" },
      { part, name: "登录并隔离 ÷ 无框架", value: ratios("full", "floor"), unit: "倍" },
      {
        part,
        name: "不登录 ÷ 直接查询",
        value: ratios("plain"),
        unit: "倍",
        goal: { atLeast: GOALS.plain },
      },
      {
        part,
        name: "登录并隔离 ÷ 直接查询",
        value: ratios("full"),
        unit: "倍",
        goal: { atLeast: GOALS.full },
      },
    );
  }
  bare.disconnect();
  await once(bare, "exit");
  return figures;
}

/** Optional features of the operator's tenant (0075): each call reads which ones are off. */
function switchFeaturesOff({ database, operator: { tenantId } }: BenchServer): Promise<unknown> {
  return database.transaction("platform", (db) =>
    db.run(sql`
      insert into tenant_feature (tenant_id, feature, is_on)
      select ${tenantId}, feature, false from unnest(array['webhook', 'screen', 'advert']) feature`),
  );
}

function forgetSwitches({ database, operator: { tenantId } }: BenchServer): Promise<unknown> {
  return database.transaction("platform", (db) =>
    db.run(sql`delete from tenant_feature where tenant_id = ${tenantId}`),
  );
}

async function queryBare(process: ChildProcess, run: BareRun): Promise<number> {
  process.send(run);
  const [rate] = await once(process, "message");
  return rate;
}

/** Runs autocannon in a child process; throws on any error or non-2xx reply. */
async function load(
  url: string,
  connections: number,
  headers: Record<string, string>,
): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    ...["--json", "--no-progress", "--connections", String(connections)],
    ...["--duration", String(SECONDS)],
    ...Object.entries(headers).flatMap(([name, value]) => ["--headers", `${name}=${value}`]),
    url,
  ]);
  const result = JSON.parse(stdout);
  if (result.errors > 0 || result.non2xx > 0 || result["2xx"] === 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refused`);
  }
  return result["2xx"] / result.duration;
}
