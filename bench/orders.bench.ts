// Benchmarks orders and money at size: growing reads, posting, open-loop load, one large export.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { openBrowser } from "../e2e/support/browser.ts";
import { visitExport } from "./export-visit.ts";
import { type Figure, percentile } from "./figures.ts";
import { type LoadRequest, openLoad } from "./open-load.ts";
import { measureReads } from "./order-reads.ts";
import { type OrderServer, openOrderServer } from "./order-server.ts";
import { findUserIds, measurePosting } from "./posting.ts";

/** Numbers of orders to grow through; a smaller machine can set fewer. */
const SIZES = (process.env.BENCH_ORDERS ?? "100000,1000000,10000000").split(",").map(Number);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
/** Promise M4. */
const POSTS = { perSecond: 300, p99Ms: 150 };
/** Promise O1. */
const MIXED = { perSecond: 500, p99Ms: 300 };
/** 100,000 of this many orders belong to single-sided cabinets. */
const EXPORT_OF = 144_000;
const GOAL_BLOCKED_MS = 100;

export async function benchOrders(folder: string): Promise<Figure[]> {
  const orderServer = await openOrderServer(folder);
  try {
    const [first = 0, ...rest] = SIZES;
    const firstMs = new Map<string, number>();
    const reads = await measureReads(orderServer, first, firstMs);
    // The export runs at its own size; posting and load run later, at the largest size.
    await orderServer.rows.growTo(EXPORT_OF);
    const exported = await measureExport(orderServer);
    for (const size of rest) reads.push(...(await measureReads(orderServer, size, firstMs)));
    return [
      ...reads,
      ...(await measurePosting(orderServer)),
      ...(await measureLoad(orderServer, {
        part: `记账接口，每秒 ${POSTS.perSecond} 笔，${SECONDS} 秒`,
        requests: await postsOf(orderServer),
        ...POSTS,
      })),
      ...(await measureLoad(orderServer, {
        part: `混合请求，每秒 ${MIXED.perSecond} 次，${SECONDS} 秒`,
        requests: await mixOf(orderServer),
        ...MIXED,
      })),
      ...exported,
    ];
  } finally {
    await orderServer.close();
  }
}

async function postsOf(orderServer: OrderServer): Promise<LoadRequest[]> {
  return (await findUserIds(orderServer)).map((endUserId) => ({
    method: "POST",
    path: urlPath(walletContract.change),
    body: { endUserId, kind: "RECHARGE", principalFen: 100, bonusFen: 0, reason: "压测充值" },
  }));
}

/** Request mix of a tenant's staff: mostly reads, now and then a recharge. */
async function mixOf(orderServer: OrderServer): Promise<LoadRequest[]> {
  const { tenantId } = orderServer.operator;
  const [orders, cabinets] = await orderServer.database.read("platform", (db) =>
    Promise.all([
      db.many<{ id: number }>(sql`
        select id from storage_order where tenant_id = ${tenantId} order by id desc limit 200`),
      db.many<{ id: number }>(sql`select id from cabinet where tenant_id = ${tenantId} limit 200`),
    ]),
  );
  const get = (path: string): LoadRequest => ({ method: "GET", path });
  const lists = [
    `${urlPath(orderContract.list)}?side=SINGLE&pageSize=20`,
    `${urlPath(orderContract.list)}?side=DOUBLE&state=STORED`,
    `${urlPath(cabinetContract.list)}?pageSize=20`,
    `${urlPath(commandContract.list)}?pageSize=20`,
    urlPath(ledgerContract.list),
    urlPath(walletContract.list),
    urlPath(statisticsContract.home),
    urlPath(cabinetContract.statistics),
  ].map(get);
  const details = orders.flatMap(({ id }) => [
    get(urlPath(orderContract.get).replace("{id}", String(id))),
    get(urlPath(orderContract.timeline).replace("{id}", String(id))),
  ]);
  const boards = cabinets.map(({ id }) =>
    get(urlPath(compartmentContract.list).replace("{id}", String(id))),
  );
  const posts = (await postsOf(orderServer)).slice(0, 100);
  const many = Array.from({ length: 100 }, () => lists).flat();
  return [...many, ...details, ...boards, ...posts];
}

async function measureLoad(
  orderServer: OrderServer,
  load: { part: string; requests: LoadRequest[]; perSecond: number; p99Ms: number },
): Promise<Figure[]> {
  const { part, requests, perSecond, p99Ms } = load;
  const { origin } = orderServer.server;
  const run = { origin, headers: orderServer.headers, perSecond, requests };
  await openLoad({ ...run, seconds: 5 });
  const { took, failures } = await openLoad({ ...run, seconds: SECONDS });
  for (const [what, count] of Object.entries(failures)) console.log(`  ${count} 次失败：${what}`);
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
  ];
}

async function measureExport(orderServer: OrderServer): Promise<Figure[]> {
  const { tenantId, userType } = orderServer.operator;
  const token = orderServer.headers["auth-token"] ?? "";
  const session = { token, username: "bench", userType, tenantId, mustChangePassword: false };
  const browser = await openBrowser();
  try {
    const visit = { origin: orderServer.server.origin, path: "/cupboardRun/rider/order", session };
    const exported = await visitExport(browser, visit);
    const part = `导出 ${exported.rows.toLocaleString("zh-CN")} 行`;
    return [
      { part, name: "从确定到完成", value: exported.seconds, unit: "秒" },
      {
        part,
        name: "页面最长无响应",
        value: exported.blockedMs,
        unit: "毫秒",
        goal: { atMost: GOAL_BLOCKED_MS },
      },
      { part, name: "标签页内存，导出前", value: exported.idleMb, unit: "MB" },
      { part, name: "标签页内存，最高", value: exported.peakMb, unit: "MB" },
      { part, name: "文件", value: exported.fileMb, unit: "MB" },
    ];
  } finally {
    await browser.close();
  }
}
