// SMS credit purchases of the demo's tenants: one in good time, one by mistake, one nearly too late.
import type { Db } from "../../platform/db/db.ts";
import { DAY } from "../fleet/cabinet.ts";
import { insertNumberedRows } from "../rows.sql.ts";

interface Purchase {
  tenant: number;
  daysAgo: number;
  segments: number;
  amountFen: number;
  reason: string;
  /** For a reversal: index of the reversed purchase. */
  reverses?: number;
}

/** In chronological order; `tenant` is the index in the demo. */
const purchases: Purchase[] = [
  { tenant: 0, daysAgo: 200, segments: 20_000, amountFen: 0, reason: "平台自用" },
  { tenant: 1, daysAgo: 182, segments: 10_000, amountFen: 50_000, reason: "合同 XY-2026-05" },
  { tenant: 2, daysAgo: 150, segments: 4_500, amountFen: 22_500, reason: "合同 JL-2026-06" },
  { tenant: 1, daysAgo: 61, segments: 20_000, amountFen: 90_000, reason: "合同 XY-2026-09" },
  { tenant: 2, daysAgo: 33, segments: 20_000, amountFen: 90_000, reason: "合同 XY-2026-10" },
  {
    tenant: 2,
    daysAgo: 32.99,
    segments: -20_000,
    amountFen: -90_000,
    reason: "充错租户",
    reverses: 4,
  },
  { tenant: 1, daysAgo: 32.98, segments: 20_000, amountFen: 90_000, reason: "合同 XY-2026-10" },
  { tenant: 2, daysAgo: 9, segments: 1_000, amountFen: 5_000, reason: "合同 JL-2026-11" },
];

export async function insertSmsCredit(
  db: Db,
  tenantIds: readonly number[],
  actor: { operatorId: number; signature: string },
  now: number,
): Promise<void> {
  const at = ({ daysAgo }: Purchase) => new Date(now - daysAgo * DAY).toISOString();
  const tenantOf = ({ tenant }: Purchase) => tenantIds[tenant] ?? 0;
  const ids: number[] = [];
  for (const purchase of purchases) {
    const row = {
      tenant_id: tenantOf(purchase),
      at: at(purchase),
      segments: purchase.segments,
      amount_fen: purchase.amountFen,
      reverses_id: purchase.reverses === undefined ? null : ids[purchase.reverses],
      reason: purchase.reason,
      actor_id: actor.operatorId,
      actor_name: actor.signature,
    };
    ids.push(...(await insertNumberedRows(db, "sms_recharge", [row])));
  }
}
