// Statistics for the console: validates spans, compares with the preceding span, applies
// visibility.

import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type {
  HomeFigures,
  IncomeStatistics,
  Period,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type DaySpan,
  daysOf,
  MAX_DAYS,
  OCCUPANCY_DAYS,
  spanBefore,
  spanOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { SIDES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { type Ctx, mayDo } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { countTodo, findHomeSides, findSetup } from "./home.sql.ts";
import { countCompartments, type Scoped, sumFigures } from "./income.sql.ts";

/** Refuses invalid and too long spans. */
export function daysMeant(query: { from?: string; to?: string }, most: number = MAX_DAYS): DaySpan {
  const span = spanOf(query, Date.now());
  if (!span || daysOf(span) > most) return refuse("DAYS_INVALID", { days: most });
  return span;
}

export const occupancyDays = (query: { from?: string; to?: string }) =>
  daysMeant(query, OCCUPANCY_DAYS);

/** Figures of one side, or of both. */
export async function readIncome(
  ctx: Ctx,
  side: Side | undefined,
  query: Period,
): Promise<IncomeStatistics> {
  const span = daysMeant(query);
  const scoped: Scoped = { ...query, side };
  const [compartments, now, before] = await Promise.all([
    countCompartments(ctx.db, ctx.session, scoped),
    sumFigures(ctx.db, ctx.session, scoped, span),
    sumFigures(ctx.db, ctx.session, scoped, spanBefore(span)),
  ]);
  return { ...span, compartments, now, before };
}

/** Amounts are shown only to accounts with `statistics:read`. */
export async function readHome({ db, session }: Ctx, tenantId?: number): Promise<HomeFigures> {
  const maySeeMoney = mayDo(session, "statistics:read");
  const [found, todo, setup] = await Promise.all([
    findHomeSides(db, session, shanghaiDay(Date.now()), tenantId),
    countTodo(db, session, tenantId),
    // Store-bound accounts do not set up the tenant.
    session.isStoreBound ? null : findSetup(db, session, tenantId ?? session.tenantId),
  ]);
  const sides = SIDES.map((side) => {
    const figures = found.find((row) => row.side === side);
    const {
      incomeFen = 0,
      incomeFenBefore = 0,
      refundFen = 0,
      refundFenBefore = 0,
      ...counts
    } = figures ?? {};
    const money = { incomeFen, incomeFenBefore, refundFen, refundFenBefore };
    const none = {
      incomeFen: null,
      incomeFenBefore: null,
      refundFen: null,
      refundFenBefore: null,
    };
    const zero = { started: 0, startedBefore: 0, stored: 0, overdue: 0, exception: 0 };
    return { ...zero, ...counts, ...(maySeeMoney ? money : none), side };
  });
  return { sides, ...todo, setup };
}
