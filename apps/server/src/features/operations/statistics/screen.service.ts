// The data screen: all of its parts, read at the same moment.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { sumFigures } from "./income.sql.ts";
import { findRecentHours, findRecentLook } from "./occupancy.sql.ts";
import {
  countLive,
  countScreenCabinets,
  countScreenCompartments,
  findAlarms,
  findNewestOrders,
  findScreenStores,
  findTopStores,
} from "./screen.sql.ts";

/** Row limit for a wall display; a smaller screen shows the first ones. */
const ROWS = 20;
const TOP_STORES = 12;
const TOP_DAYS = 7;
const HOURS = 24;

export async function readScreen({ db, session }: Ctx, tenantId?: number): Promise<Screen> {
  const today = shanghaiDay(Date.now());
  const yesterday = addDays(today, -1);
  const day = (of: string) => sumFigures(db, session, { tenantId }, { from: of, to: of });
  const week = { from: addDays(today, 1 - TOP_DAYS), to: today };
  const [cabinets, compartments, figures, before, live, stores, topStores, hours, occupancyAt] =
    await Promise.all([
      countScreenCabinets(db, session, tenantId),
      countScreenCompartments(db, session, tenantId),
      day(today),
      day(yesterday),
      countLive(db, session, tenantId),
      findScreenStores(db, session, tenantId),
      findTopStores(db, session, week, TOP_STORES, tenantId),
      findRecentHours(db, session, tenantId, HOURS),
      findRecentLook(db, session, tenantId, HOURS),
    ]);
  const [orders, alarms] = await Promise.all([
    findNewestOrders(db, session, ROWS, tenantId),
    findAlarms(db, session, ROWS, tenantId),
  ]);
  return {
    cabinets,
    compartments,
    today: figures,
    yesterday: before,
    live,
    stores,
    topStores,
    hours,
    occupancyAt,
    orders,
    ...alarms,
  };
}
