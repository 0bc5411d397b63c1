// SQL for the wallet journals of one app user.

import type { Page, PageRequest } from "@cabinet/contract/kit/pagination.ts";
import type { AppJournal } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import type { EndUser } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";

/** Newest first. */
export function findMyJournals(
  db: Db,
  user: EndUser,
  page: PageRequest,
): Promise<Page<AppJournal>> {
  const matched = sql`
    from ledger_journal j
    where j.tenant_id = ${user.tenantId} and j.end_user_id = ${user.endUserId}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select j.id, j.at, j.kind, j.principal_fen as "principalFen", j.bonus_fen as "bonusFen",
        j.principal_after_fen as "principalAfterFen", j.bonus_after_fen as "bonusAfterFen",
        j.order_id as "orderId"
      ${matched} order by j.id desc ${pageLimits(page)}`,
  });
}
