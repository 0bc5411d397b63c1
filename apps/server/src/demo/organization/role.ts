// Additional roles of the demo's companies besides the default ones.
import type { Db } from "../../platform/db/db.ts";
import { findEntryIds } from "../demo.sql.ts";
import { insertRows, insertRowsReturningIds } from "../rows.sql.ts";

interface DemoRole {
  name: string;
  remark: string;
  storeScope: "ALL" | "OWN" | "LISTED";
  /** Indexes of the company's stores that it lists. */
  stores: readonly number[];
  /** Grants everything below these paths. */
  paths: readonly string[];
}

const money = ["/cupboardRun/pay", "/userApplet/pay", "/smsManage", "/idConfig/pay"];
const orders = ["/cupboardRun/rider/order", "/userApplet/rider/order"];

const demoRoles: readonly DemoRole[] = [
  {
    ...{ name: "财务", remark: "对账、充值退款、短信余量", storeScope: "ALL", stores: [] },
    paths: ["/dashboard", "/cupboardRun/index", "/userApplet/index", ...money],
  },
  {
    ...{ name: "客服", remark: "查订单、开门、联系用户", storeScope: "ALL", stores: [] },
    paths: ["/dashboard", ...orders, "/user/normalUser", "/smsManage/send", "/malfunction"],
  },
  {
    ...{ name: "片区主管", remark: "只管所列门店", storeScope: "LISTED", stores: [0, 1] },
    paths: ["/dashboard", "/largeScreen", "/cupboard", "/point", ...orders, "/malfunction"],
  },
];

/** Returns role ids by name. */
export async function insertRoles(
  db: Db,
  { tenantId, storeIds }: { tenantId: number; storeIds: readonly number[] },
): Promise<ReadonlyMap<string, number>> {
  const ids = await insertRowsReturningIds(
    db,
    "role",
    "name",
    demoRoles.map(({ name, remark, storeScope }) => ({
      ...{ tenant_id: tenantId, name, remark, store_scope: storeScope, edit_version: 1 },
    })),
  );
  for (const [at, { paths, stores }] of demoRoles.entries()) {
    const of = { tenant_id: tenantId, role_id: ids[at] };
    const entries = await findEntryIds(db, paths);
    await insertRows(
      db,
      "role_menu_entry",
      entries.map((entryId) => ({ ...of, menu_entry_id: entryId })),
    );
    const listed = stores.flatMap((store) => storeIds[store] ?? []);
    await insertRows(
      db,
      "role_store",
      listed.map((storeId) => ({ ...of, store_id: storeId })),
    );
  }
  return new Map(demoRoles.map(({ name }, at) => [name, ids[at] ?? 0]));
}
