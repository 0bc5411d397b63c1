// SQL for the wallet journals of one app user.

import type { Page, PageRequest } from "@cabinet/contract/kit/pagination.ts";
import type { AppJournal } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import type { EndUser } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { sql } from "../../../platform/db/sql.ts";

/** Newest first. */
export function findMyJournals(
  db: Db,
  user: EndUser,
  page: PageRequest,
): Promise<Page<AppJournal>> {
  const matched = sql`
    from ledger_journal journal
    where journal.tenant_id = ${user.tenantId} and journal.end_user_id = ${user.endUserId}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select journal.id, journal.at, journal.kind, journal.principal_fen, journal.bonus_fen,
        journal.principal_after_fen, journal.bonus_after_fen, journal.order_id
      ${matched} order by journal.id desc ${pageLimits(page)}`,
  });
}
