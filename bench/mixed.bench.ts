// Benchmarks the calls of a tenant's staff: processor time of each kind, postings and a mix at a fixed rate.
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { type Figure, percentile } from "./figures.ts";
import { type LoadRequest, type LoadResult, openLoad } from "./open-load.ts";
import { type OrderServer, openOrderServer } from "./order-server.ts";
import { findUserIds } from "./posting.ts";
import { familyCpuSeconds, usageOf } from "./process-usage.ts";

const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
/** API processes that share the load, all at one PostgreSQL. */
const API_PROCESSES = Number(process.env.BENCH_API_PROCESSES ?? 1);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
/** Until each connection has planned its statements, which takes 0.16 s of processor time. */
const WARM_UP_SECONDS = 30;
/** Promise M4. */
const POSTS = { perSecond: 300, p99Ms: 150 };
/** Promise O1. */
const MIXED = { perSecond: 500, p99Ms: 300 };
/** Rate and durations for the processor time of one kind of call. */
const SINGLE = { perSecond: 100, seconds: 8, warmUpSeconds: 5 };

/** Calls of one kind; in the mix they weigh as much as they are many. */
interface Kind {
  name: string;
  requests: LoadRequest[];
}

export async function benchMixed(folder: string): Promise<Figure[]> {
  const orderServer = await openOrderServer(folder, { apiProcesses: API_PROCESSES });
  try {
    await orderServer.rows.growTo(ORDERS);
    const kinds = await kindsOf(orderServer);
    const figures: Figure[] = [];
    for (const kind of kinds) figures.push(...(await measureKind(orderServer, kind)));
    const users = await findUserIds(orderServer);
    const loads = [
      { name: "记账接口", requests: users.map(postTo), ...POSTS },
      { name: "混合请求", requests: kinds.flatMap(({ requests }) => requests), ...MIXED },
    ];
    for (const load of loads) figures.push(...(await measureLoad(orderServer, load)));
    return figures;
  } finally {
    await orderServer.close();
  }
}

const get = (path: string): LoadRequest => ({ method: "GET", path });

const postTo = (endUserId: number): LoadRequest => ({
  method: "POST",
  path: urlPath(walletContract.change),
  body: { endUserId, kind: "RECHARGE", principalFen: 100, bonusFen: 0, reason: "压测充值" },
});

/** Mostly reads, now and then a recharge. */
async function kindsOf(orderServer: OrderServer): Promise<Kind[]> {
  const { tenantId } = orderServer.operator;
  const [orders, cabinets] = await orderServer.database.read("platform", (db) =>
    Promise.all([
      db.many<{ id: number }>(sql`
        select id from storage_order where tenant_id = ${tenantId} order by id desc limit 200`),
      db.many<{ id: number }>(sql`select id from cabinet where tenant_id = ${tenantId} limit 200`),
    ]),
  );
  const list = (name: string, path: string): Kind => ({
    name,
    requests: Array.from({ length: 100 }, () => get(path)),
  });
  const each = (name: string, spec: EndpointSpec, rows: { id: number }[]) => ({
    name,
    requests: rows.map(({ id }) => get(urlPath(spec).replace("{id}", String(id)))),
  });
  const users = await findUserIds(orderServer);
  return [
    list("订单列表", `${urlPath(orderContract.list)}?side=SINGLE&pageSize=20`),
    list("订单列表，存放中", `${urlPath(orderContract.list)}?side=DOUBLE&state=STORED`),
    list("设备列表", `${urlPath(cabinetContract.list)}?pageSize=20`),
    list("操作日志", `${urlPath(commandContract.list)}?pageSize=20`),
    list("交易记录", urlPath(ledgerContract.list)),
    list("钱包", urlPath(walletContract.list)),
    list("首页", urlPath(statisticsContract.home)),
    list("设备统计", urlPath(cabinetContract.statistics)),
    each("订单详情", orderContract.get, orders),
    each("订单经过", orderContract.timeline, orders),
    each("格口", compartmentContract.list, cabinets),
    { name: "充值", requests: users.slice(0, 100).map(postTo) },
  ];
}

/** Processor time in seconds of the API processes and of PostgreSQL since their start. */
async function cpuSecondsOf({ servers, postmasterPid }: OrderServer) {
  const api = await Promise.all(servers.map(({ process }) => usageOf(process.pid ?? 0)));
  return {
    api: api.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    database: await familyCpuSeconds(postmasterPid),
  };
}

/** Loads the servers after a warm-up; `cpuMs` is the processor time of one request. */
async function runLoad(
  orderServer: OrderServer,
  load: { requests: LoadRequest[]; perSecond: number; seconds: number; warmUpSeconds: number },
): Promise<LoadResult & { cpuMs: { api: number; database: number; generator: number } }> {
  const { servers, headers } = orderServer;
  const { warmUpSeconds, ...measured } = load;
  const run = { ...measured, headers, origins: servers.map(({ origin }) => origin) };
  await openLoad({ ...run, seconds: warmUpSeconds });
  const before = await cpuSecondsOf(orderServer);
  const result = await openLoad(run);
  const after = await cpuSecondsOf(orderServer);
  const perRequest = (seconds: number) => (seconds * 1_000) / result.took.length;
  for (const [text, count] of Object.entries(result.failures)) {
    console.log(`  ${count} 次失败：${text}`);
  }
  return {
    ...result,
    cpuMs: {
      api: perRequest(after.api - before.api),
      database: perRequest(after.database - before.database),
      generator: perRequest(result.cpuSeconds),
    },
  };
}

async function measureKind(orderServer: OrderServer, { name, requests }: Kind): Promise<Figure[]> {
  const { cpuMs } = await runLoad(orderServer, { requests, ...SINGLE });
  const part = "一次调用的处理器时间";
  return [
    { part, name: `${name}，接口进程`, value: cpuMs.api, unit: "毫秒" },
    { part, name: `${name}，数据库`, value: cpuMs.database, unit: "毫秒" },
  ];
}

async function measureLoad(
  orderServer: OrderServer,
  load: { name: string; requests: LoadRequest[]; perSecond: number; p99Ms: number },
): Promise<Figure[]> {
  const { name, p99Ms, ...rest } = load;
  const { took, failures, cpuMs } = await runLoad(orderServer, {
    ...rest,
    seconds: SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
  });
  const part = `${name}，每秒 ${load.perSecond} 次，${SECONDS} 秒，${API_PROCESSES} 个接口进程`;
  const whole = cpuMs.api + cpuMs.database + cpuMs.generator;
  return [
    { part, name: "中位数", value: percentile(took, 0.5), unit: "毫秒" },
    { part, name: "p99", value: percentile(took, 0.99), unit: "毫秒", goal: { atMost: p99Ms } },
    { part, name: "最长", value: percentile(took, 1), unit: "毫秒" },
    {
      part,
      name: "失败",
      value: Object.values(failures).reduce((sum, count) => sum + count, 0),
      unit: "次",
      goal: { atMost: 0 },
    },
    { part, name: "一次的处理器时间，接口进程", value: cpuMs.api, unit: "毫秒" },
    { part, name: "一次的处理器时间，数据库", value: cpuMs.database, unit: "毫秒" },
    { part, name: "一次的处理器时间，负载发生器", value: cpuMs.generator, unit: "毫秒" },
    { part, name: "需要的核", value: (whole * load.perSecond) / 1_000, unit: "个" },
  ];
}
