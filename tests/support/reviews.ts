// A request of four eyes that waits, by an account of its own.
import { randomUUID } from "node:crypto";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";

/** Inserts a top-up of 600 yuan that waits for a second person; returns its id. */
export async function insertReview(
  db: Db,
  { tenantId, endUserId, mark }: { tenantId: number; endUserId: number; mark: string },
): Promise<number> {
  const { method, path, access } = walletContract.change;
  const money = { kind: "RECHARGE", endUserId, principalFen: 60_000, bonusFen: 0 };
  const { operatorId } = await db.one<{ operatorId: number }>(sql`
    insert into operator (tenant_id, username, display_name, password_hash, user_type)
    values (${tenantId}, ${`cashier-${randomUUID()}`}, '出纳', 'none', 0) returning id as operator_id`);
  const { id } = await db.one<{ id: number }>(sql`
    insert into money_review (tenant_id, call, permission, input, postings, kind, end_user_id,
      principal_fen, bonus_fen, reason, requester_tenant_id, requester_id, requester_name, expires_at)
    values (${tenantId}, ${`${method} ${path}`}, ${access},
      ${JSON.stringify({ body: { ...money, reason: mark, confirmFen: 60_000 } })},
      ${JSON.stringify([{ ...money, orderId: null, basis: null }])}, 'RECHARGE', ${endUserId},
      60000, 0, ${mark}, ${tenantId}, ${operatorId}, ${`出纳 ${mark}`}, now() + interval '1 day')
    returning id`);
  return id;
}
