// Benchmarks orders and money at size: growing reads, posting, one large export.

import { openBrowser } from "../e2e/support/browser.ts";
import { visitExport } from "./export-visit.ts";
import type { Figure } from "./figures.ts";
import { measureReads } from "./order-reads.ts";
import { type OrderServer, openOrderServer } from "./order-server.ts";
import { measurePosting } from "./posting.ts";

/** Numbers of orders to grow through; a smaller machine can set fewer. */
const SIZES = (process.env.BENCH_ORDERS ?? "100000,1000000,10000000").split(",").map(Number);
/** Other tenants, with half of the orders. */
const NEIGHBOURS = 299;
/** 100,000 of this many orders belong to single-sided cabinets of the tenant. */
const EXPORT_OF = 288_000;
const GOAL_BLOCKED_MS = 100;

export async function benchOrders(folder: string): Promise<Figure[]> {
  const orderServer = await openOrderServer(folder, { neighbours: NEIGHBOURS });
  try {
    const [first = 0, ...rest] = SIZES;
    const firstMs = new Map<string, number>();
    const reads = await measureReads(orderServer, first, firstMs);
    // The export runs at its own size; posting runs later, at the largest size.
    await orderServer.rows.growTo(EXPORT_OF);
    const exported = await measureExport(orderServer);
    for (const size of rest) reads.push(...(await measureReads(orderServer, size, firstMs)));
    return [...reads, ...(await measurePosting(orderServer)), ...exported];
  } finally {
    await orderServer.close();
  }
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
