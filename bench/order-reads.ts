// Measures pages and figures of orders one request at a time, as the number of orders grows.
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { searchContract } from "@cabinet/contract/orders/search/search.contract.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { type Figure, percentile } from "./figures.ts";
import type { OrderServer } from "./order-server.ts";
import { familyCpuSeconds } from "./process-usage.ts";

/** PostgreSQL chooses a plan to keep with the sixth execution. */
const WARM_UP = 8;
const ROUNDS = 15;
/** Goal of the 95th percentile for a page that feels instant, on an otherwise idle machine. */
const GOAL_MS = 100;
/** Goal for the growth of a page's cost from the smallest size to the largest. */
const GOAL_RATIO = 1.2;

interface Read {
  name: string;
  path: string;
  isStaff?: true;
  form?: Record<string, string>;
}

async function readsOf({ database, operator }: OrderServer): Promise<Read[]> {
  const { tenantId } = operator;
  const some = await database.read("platform", (db) =>
    db.one<{
      orderId: number;
      phone: string;
      cabinetId: number;
      storeId: number;
      tpNo: string;
      sn: string;
      storeName: string;
    }>(sql`
      select ord.id as order_id, end_user.phone, ord.cabinet_id, ord.store_id,
        ord.third_party_no as tp_no, cabinet.sn, store.name as store_name
      from storage_order ord join end_user on end_user.tenant_id = ord.tenant_id
        and end_user.id = ord.recipient_id
      join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
      join store on store.tenant_id = ord.tenant_id and store.id = ord.store_id
      where ord.tenant_id = ${tenantId} and ord.side = 'SINGLE' and ord.third_party_no is not null
        and ord.state = 'COMPLETED'
      order by ord.id desc limit 1`),
  );
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString();
  const list = (name: string, query: Record<string, string | number> = {}): Read => ({
    name: `订单列表，${name}`,
    path: `${urlPath(orderContract.list)}?${new URLSearchParams({ side: "SINGLE", ...texts(query) })}`,
  });
  const search = (name: string, text: string): Read[] => {
    const path = `${urlPath(searchContract.find)}?${new URLSearchParams({ text })}`;
    return [
      { name: `搜索，${name}`, path },
      { name: `搜索，${name}，平台看全部租户`, path, isStaff: true },
    ];
  };
  const period = { from: day(299).slice(0, 10), to: day(0).slice(0, 10) };
  const of = (path: string) => path.replace("{id}", String(some.orderId));
  return [
    list("第 1 页"),
    list("第 1,000 页", { page: 1_000 }),
    { ...list("第 1 页，平台看全部租户"), isStaff: true },
    list("已完成", { state: "COMPLETED" }),
    list("已滞留", { state: "OVERDUE" }),
    list("已退款", { payStatus: "REFUNDED" }),
    list("一台设备", { cabinetId: some.cabinetId }),
    list("一个门店", { storeId: some.storeId }),
    list("整个手机号", { phone: some.phone }),
    list("手机号的一部分", { phone: some.phone.slice(-5) }),
    list("订单号", { orderNo: some.orderId }),
    list("第三方单号", { thirdPartyNo: some.tpNo }),
    list("设备名称", { keyword: "压测柜 17" }),
    list("200 天前的一天", { from: day(200), to: day(199) }),
    list("90 天内已取回", { from: day(90), to: day(0), state: "TAKEN_BACK" }),
    ...search("整个手机号", some.phone),
    ...search("手机号后四位", some.phone.slice(-4)),
    ...search("订单号", String(some.orderId)),
    ...search("第三方单号", some.tpNo),
    ...search("设备编号", some.sn),
    ...search("设备名称", "压测柜 17"),
    ...search("门店", some.storeName),
    ...search("账号", "bench"),
    { name: "订单详情", path: of(urlPath(orderContract.get)) },
    { name: "订单经过", path: of(urlPath(orderContract.timeline)) },
    { name: "交易记录，第 1 页", path: urlPath(ledgerContract.list) },
    { name: "交易记录，第 1,000 页", path: `${urlPath(ledgerContract.list)}?page=1000` },
    { name: "交易记录，合计", path: urlPath(ledgerContract.sums) },
    { name: "首页", path: urlPath(statisticsContract.home) },
    {
      name: "数据概览，300 天",
      path: `${urlPath(statisticsContract.singleIncome)}?${new URLSearchParams(period)}`,
    },
    { name: "趋势，300 天", path: urlPath(statisticsContract.singleTendency), form: period },
    {
      name: "门店排行，300 天",
      path: `${urlPath(statisticsContract.ranking)}?${new URLSearchParams({ ...period, by: "STORE" })}`,
    },
    { name: "数据大屏", path: urlPath(statisticsContract.screen) },
  ];
}

const texts = (query: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/**
 * Grows to `size` orders and measures; `firstMs` keeps the database's processor time at the first size for ratios, which
 * hold on a busy machine too.
 */
export async function measureReads(
  orderServer: OrderServer,
  size: number,
  firstMs: Map<string, number>,
): Promise<Figure[]> {
  const { seconds, megabytes } = await orderServer.rows.growTo(size);
  const part = `${size.toLocaleString("zh-CN")} 个订单`;
  const figures: Figure[] = [
    { part, name: "生成数据", value: seconds, unit: "秒" },
    { part, name: "数据库大小", value: megabytes, unit: "MB" },
  ];
  for (const read of await readsOf(orderServer)) {
    const { name } = read;
    const { took, cpuMs } = await timesOf(orderServer, read);
    const value = percentile(took, 0.95);
    figures.push(
      { part, name, value, unit: "毫秒", goal: { atMost: GOAL_MS } },
      { part, name: "  数据库处理器时间", value: cpuMs, unit: "毫秒" },
    );
    const first = firstMs.get(name);
    if (first === undefined) firstMs.set(name, cpuMs);
    else {
      const goal = { atMost: GOAL_RATIO };
      figures.push({ part, name: "  与最少时之比", value: cpuMs / first, unit: "倍", goal });
    }
  }
  return figures;
}

/** Milliseconds of each request, and the database's processor time of one. */
async function timesOf(
  orderServer: OrderServer,
  { path, isStaff, form }: Read,
): Promise<{ took: number[]; cpuMs: number }> {
  const took: number[] = [];
  let before = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    if (round === 0) before = await familyCpuSeconds(orderServer.postmasterPid);
    const startedAt = performance.now();
    const response = await fetch(`${orderServer.server.origin}${path}`, {
      headers: isStaff ? orderServer.platformHeaders : orderServer.headers,
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    if (!text.startsWith('{"code":0')) throw new Error(`${path}: ${text.slice(0, 300)}`);
    if (round >= 0) took.push(performance.now() - startedAt);
  }
  const seconds = (await familyCpuSeconds(orderServer.postmasterPid)) - before;
  return { took, cpuMs: (seconds * 1_000) / ROUNDS };
}
