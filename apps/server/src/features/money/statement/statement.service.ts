// Builds the month's statement: opening balance, movements by line and day, closing balance.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { FenSplit } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { statementContract } from "@cabinet/contract/money/statement/statement.contract.ts";
import {
  daysOfMonth,
  type LineSum,
  STATEMENT_LINES,
  sumOfLines,
  totalFen,
} from "@cabinet/contract/money/statement/statement.rules.ts";
import { type Ctx, mayDo } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { findStore } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as repo from "./statement.sql.ts";

type Query = Input<typeof statementContract.month>["query"];

export async function readStatement(
  ctx: Ctx,
  { month, side, storeId, tenantId: asked }: Query,
): Promise<Reply<typeof statementContract.month>> {
  const { db, session } = ctx;
  const now = Date.now();
  const today = shanghaiDay(now);
  const { from, to: last } = daysOfMonth(month);
  if (from > today) refuse("MONTH_NOT_BEGUN", { month });
  const isUnfinished = last >= today;
  const to = isUnfinished ? today : last;
  const tenant = await requireTenant(ctx, asked);
  const tenantId = tenant.id;
  const scope: repo.StatementScope = { from, to, side, storeId, tenantId };
  // A wallet pays at every store and side: none of them has a balance. An account of some stores sees no other orders.
  const isCompany = !side && !storeId && !session.isStoreBound;
  const [store, opening, movements, differences] = await Promise.all([
    storeId ? findStore(db, session, storeId) : null,
    isCompany ? repo.findBalanceBefore(db, from, tenantId) : null,
    repo.findMovements(db, session, scope),
    isCompany && mayDo(session, "reconciliation:read") ? repo.countSettled(db, scope) : null,
  ]);
  if (storeId && store?.tenantId !== tenantId) refuse("NOT_FOUND", { what: "门店" });
  const lines = STATEMENT_LINES.map((line) => {
    const ofLine = movements.filter((each) => each.line === line);
    const count = ofLine.reduce((all, each) => all + each.count, 0);
    return { line, count, ...sumOfLines(ofLine) };
  });
  return {
    ...{ month, from, to, isUnfinished },
    at: new Date(now).toISOString(),
    tenantName: tenant.name,
    storeName: store?.name ?? null,
    side: side ?? null,
    opening,
    lines,
    closing: opening && plus(opening, sumOfLines(lines)),
    days: daysOf({ from, to }, movements, opening && totalFen(opening)),
    differences,
  };
}

const plus = (one: FenSplit, other: FenSplit): FenSplit => ({
  principalFen: one.principalFen + other.principalFen,
  bonusFen: one.bonusFen + other.bonusFen,
});

/** Every day, also without movements; each begins with the balance that the one before ended with. */
function daysOf(
  { from, to }: { from: string; to: string },
  movements: readonly repo.DayLine[],
  openingFen: number | null,
) {
  const days = [];
  let balance = openingFen;
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const lines: LineSum[] = movements
      .filter((each) => each.day === day)
      .map(({ day: _, ...line }) => line);
    const closingFen = balance === null ? null : balance + totalFen(sumOfLines(lines));
    days.push({ day, openingFen: balance, lines, closingFen });
    balance = closingFen;
  }
  return days;
}
