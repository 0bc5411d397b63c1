// Account status of app users who may start nothing new: picking up their goods and paying stay
// allowed.

import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { shanghaiMinute } from "@cabinet/contract/kit/shanghai.rules.ts";
import {
  closedText,
  TOP_UP_MOST_FEN,
  topUpForDebtFen,
} from "@cabinet/contract/orders/app/app.rules.ts";
import type { EndUser } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { refuseNew } from "../../../platform/http/http-access.ts";
import { walletOf } from "../../money/ledger/index.ts";
import { quoteOrder } from "../order/index.ts";
import { findDebts } from "./app-order.sql.ts";

type AccountStatus = Pick<EndUser, "closed" | "lockedUntil">;

/** A user's lock takes precedence over a closed tenant, because it may have an end. */
export function accountStatusOf(row: {
  isLocked: boolean;
  lockedUntil: string | null;
  isTenantOpen: boolean;
}): AccountStatus {
  if (row.isLocked) return { closed: "LOCKED", lockedUntil: row.lockedUntil };
  return { closed: row.isTenantOpen ? null : "TENANT", lockedUntil: null };
}

export function noticeOf({ closed, lockedUntil }: AccountStatus): string | null {
  return closed && closedText(closed, lockedUntil && shanghaiMinute(lockedUntil));
}

/** The highest top-up allowed; for a closed user, the missing amount for their debts. */
export async function topUpMostFen(db: Db, user: EndUser): Promise<number> {
  if (!user.closed) return TOP_UP_MOST_FEN;
  const { tenantId, endUserId } = user;
  let owedFen = 0;
  for (const orderId of await findDebts(db, user)) {
    const quote = await quoteOrder(db, { tenantId, orderId }, endUserId);
    owedFen += quote.owedFen;
  }
  // Held money counts as available, because it is held for these very orders.
  const { principalFen, bonusFen } = await walletOf(db, { tenantId, endUserId });
  return topUpForDebtFen(owedFen - principalFen - bonusFen);
}

/** Refuses a closed user a top-up beyond their debts, and bonus packages. */
export async function requireTopUpAllowed(
  db: Db,
  user: EndUser,
  { amountFen, packageId }: { amountFen?: number; packageId?: number },
): Promise<void> {
  if (!user.closed) return;
  if (packageId !== undefined) refuseNew(user.closed);
  const most = await topUpMostFen(db, user);
  const why = { LOCKED: "您的账号已被锁定", TENANT: "本运营商已暂停服务" }[user.closed];
  if (most === 0) refuse("TOP_UP_NEEDLESS", { why });
  if ((amountFen ?? 0) > most) refuse("TOP_UP_CLOSED", { why, max: yuanOfFen(most) });
}
