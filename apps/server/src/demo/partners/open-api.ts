// Third parties of the demo: a delivery company that orders, a read-only shop, and an expired one.
import { errorText } from "@cabinet/contract/kit/errors.ts";
import { sealOpenKey } from "../../features/partners/open-api/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { MESSAGE_DAYS } from "../period.ts";
import { insertNumberedRows, insertRows } from "../rows.sql.ts";
import {
  claimOrders,
  type FailedCall,
  insertFailedCall,
  insertOrderCalls,
} from "./open-api.sql.ts";
import { findPublishingTenants } from "./webhook.sql.ts";

const DAY_MS = 86_400_000;

const apps = [
  {
    name: "顺路快递",
    scopes: ["order:read", "order:write", "order:open", "cabinet:read"],
    remark: "合同 SL-2026-03，对接人王工",
    networks: ["203.0.113.0/24"],
  },
  { name: "会员商城", scopes: ["order:read", "cabinet:read"], remark: "", networks: [] },
  { name: "旧版对接", scopes: ["order:read"], remark: "", networks: [], reason: "第三方已换新版" },
];

const unproven = errorText("PARTNER_UNPROVEN");
const failed: FailedCall[] = [
  {
    ...{ hoursAgo: 2.2, method: "POST", path: "/open/v1/order", status: 422 },
    ...{ result: "NO_FREE_COMPARTMENT", refusal: null, address: "203.0.113.24" },
    text: errorText("NO_FREE_COMPARTMENT", { size: "大" }),
  },
  {
    ...{ hoursAgo: 5.1, method: "GET", path: "/open/v1/cabinet", status: 401, text: unproven },
    ...{ result: "PARTNER_UNPROVEN", refusal: "NETWORK", address: "198.51.100.7" },
  },
  {
    ...{ hoursAgo: 26.4, method: "POST", path: "/open/v1/order", status: 401, text: unproven },
    ...{ result: "PARTNER_UNPROVEN", refusal: "SIGNATURE", address: "203.0.113.25" },
  },
  {
    ...{ hoursAgo: 30, method: "GET", path: "/open/v1/order", status: 401, text: unproven },
    ...{ result: "PARTNER_UNPROVEN", refusal: "TIME", address: "203.0.113.24" },
  },
];

/** Codes and keys are random per demo: nobody can know them in advance. */
export async function insertOpenApps(db: Db): Promise<void> {
  for (const tenant of await findPublishingTenants(db)) await insertFor(db, tenant);
}

async function insertFor(
  db: Db,
  { tenantId, name: editor }: { tenantId: number; name: string },
): Promise<void> {
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const ids = await insertNumberedRows(
    db,
    "open_app",
    apps.map(({ name, scopes, remark, reason }) => ({
      ...{ tenant_id: tenantId, code: `app_${crypto.randomUUID().replaceAll("-", "").slice(16)}` },
      ...{ name, scopes, remark, rate_per_minute: 600, is_settling: false },
      ...{ created_at: at(160), edited_at: at(90), edited_by: editor },
      ...{ disabled_at: reason ? at(40) : null, disabled_reason: reason ?? null },
    })),
  );
  await insertRows(
    db,
    "open_app_network",
    apps.flatMap(({ networks }, nth) =>
      networks.map((network) => ({ tenant_id: tenantId, app_id: ids[nth], network })),
    ),
  );
  const kid = "k260815-r4mwd";
  const keys = [
    { app: 0, kid, ageDays: 99, endsInDays: null, usedDaysAgo: 0.05 },
    { app: 1, kid: "k261108-t7hpc", ageDays: 14, endsInDays: null, usedDaysAgo: 0.3 },
    { app: 1, kid: "k260615-q2xnb", ageDays: 160, endsInDays: 1, usedDaysAgo: 1.2 },
  ];
  await insertRows(
    db,
    "open_app_key",
    keys.map((key) => {
      const owner = { tenantId, appId: ids[key.app] ?? 0, kid: key.kid };
      const secret = `cabsk_${crypto.randomUUID()}`;
      return {
        ...{ tenant_id: tenantId, app_id: owner.appId, kid: key.kid, issued_by: editor },
        sealed_secret: `\\x${sealOpenKey(db.vault, owner, secret).toString("hex")}`,
        ...{ created_at: at(key.ageDays), last_used_at: at(key.usedDaysAgo) },
        expires_at: key.endsInDays === null ? null : at(-key.endsInDays),
      };
    }),
  );
  const caller = { tenantId, appId: ids[0] ?? 0, kid };
  await claimOrders(db, caller);
  // Ids ascend in chronological order, so calls are inserted in that order.
  let since = MESSAGE_DAYS * 24;
  for (const call of failed.toSorted((one, other) => other.hoursAgo - one.hoursAgo)) {
    await insertOrderCalls(db, caller, [since, call.hoursAgo]);
    await insertFailedCall(db, caller, call);
    since = call.hoursAgo;
  }
  await insertOrderCalls(db, caller, [since, 0]);
}
