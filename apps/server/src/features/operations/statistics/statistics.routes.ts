// HTTP routes of statistics.
import {
  type Period,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Ctx } from "../../../platform/context.ts";
import { mount } from "../../../platform/http/mount.ts";
import { findCabinetRanking } from "./cabinet-ranking.sql.ts";
import { findRanking, findTendency } from "./income.sql.ts";
import { findHourUse, findLastLook, findSizeUse } from "./occupancy.sql.ts";
import { readScreen } from "./screen.service.ts";
import { daysMeant, occupancyDays, readHome, readIncome } from "./statistics.service.ts";

const tendency = (side: Side | undefined, { db, session }: Ctx, body: Period) =>
  findTendency(db, session, { ...body, side }, daysMeant(body));

export const statisticsRoutes = mount(statisticsContract, {
  singleIncome: (ctx, { query }) => readIncome(ctx, "SINGLE", query),
  singleTendency: (ctx, { body }) => tendency("SINGLE", ctx, body),
  doubleIncome: (ctx, { query }) => readIncome(ctx, "DOUBLE", query),
  doubleTendency: (ctx, { body }) => tendency("DOUBLE", ctx, body),
  income: (ctx, { query }) => readIncome(ctx, undefined, query),
  tendency: (ctx, { body }) => tendency(undefined, ctx, body),
  ranking: ({ db, session }, { query }) => findRanking(db, session, query, daysMeant(query)),
  cabinets: ({ db, session }, { query }) =>
    findCabinetRanking(db, session, query, occupancyDays(query)),
  home: { keepsPlan: () => true, handle: (ctx, { query }) => readHome(ctx, query.tenantId) },
  screen: (ctx, { query }) => readScreen(ctx, query.tenantId),
  occupancy: async ({ db, session }, { query }) => {
    const span = occupancyDays(query);
    const [hours, lastAt] = await Promise.all([
      findHourUse(db, session, query, span),
      findLastLook(db, session, query, span),
    ]);
    return { ...span, lastAt, hours };
  },
  sizes: ({ db, session }, { query }) => findSizeUse(db, session, query, occupancyDays(query)),
});
