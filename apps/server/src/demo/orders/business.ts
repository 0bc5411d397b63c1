// Ninety days of the demo's business: orders from visits, people, packages, wallets and daily figures.
import type { Db } from "../../platform/db/db.ts";
import { DAY } from "../fleet/cabinet.ts";
import { insertLatePayments } from "../money/late-payment.sql.ts";
import { type DemoJournal, DemoMoney } from "../money/money.ts";
import { type DemoPackage, inventPackages, packageRow } from "../money/package.ts";
import type { DemoActor } from "../organization/account.ts";
import { type DemoPerson, inventPeople } from "../organization/person.ts";
import { insertLocks, insertNotes, insertTags } from "../organization/person-notes.ts";
import { HISTORY_DAYS } from "../period.ts";
import { insertNumberedRows, insertRows } from "../rows.sql.ts";
import { occupancyRows } from "./occupancy.ts";
import { type DemoRule, ordersOf } from "./order.ts";
import { orderDayRows } from "./order-day.ts";
import {
  cardRow,
  type Errand,
  errandsOf,
  holdRow,
  journalRow,
  legRows,
  liveRows,
  type OrderWithTimeline,
  orderEventRows,
  orderRow,
  personRow,
  topUpRow,
  useRow,
  walletRows,
} from "./order-rows.ts";
import type { PlacedStory } from "./placed-story.ts";
import { timelineOf } from "./timeline.ts";

interface Company {
  tenantId: number;
  storeIds: readonly number[];
  actors: readonly DemoActor[];
}

export interface BusinessContext {
  companies: readonly Company[];
  stories: readonly PlacedStory[];
  rules: readonly DemoRule[];
  now: number;
  today: number;
}

/** Visits per recipient, and recipients per rider. */
const VISITS_A_RECIPIENT = 9;
const RECIPIENTS_A_RIDER = 14;

/** Returns the requester of each door by command id. */
export async function insertBusiness(
  db: Db,
  context: BusinessContext,
): Promise<Map<string, Errand>> {
  const { companies, stories, rules, now, today } = context;
  const peopleOf = new Map(
    companies.map((company) => [company.tenantId, peopleOfCompany(company, stories, today)]),
  );
  const orders = ordersOf(stories, peopleOf, rules, now);
  const people = [...peopleOf.values()].flat();
  await giveIds(db, "end_user", people, people.map(personRow));
  for (const { actors } of companies) {
    await insertTags(db, people, actors[1] as DemoActor, now);
    await insertNotes(db, people, actors[1] as DemoActor, now);
    await insertLocks(db, people, actors[1] as DemoActor, now);
  }
  const packages = await insertPackages(db, companies, today);
  const moneyOf = new Map<number, DemoMoney>();
  for (const { tenantId } of companies) {
    const money = new DemoMoney(
      packages.filter((sold) => sold.tenantId === tenantId),
      now,
    );
    money.settle(orders.filter((order) => order.tenantId === tenantId));
    moneyOf.set(tenantId, money);
  }
  for (const { tenantId, actors } of companies) {
    const money = moneyOf.get(tenantId) as DemoMoney;
    await insertMoney(db, money, actors[1] as DemoActor);
    await insertLatePayments(db, money, actors[1] as DemoActor, now);
  }
  const ordersWithTimeline: OrderWithTimeline[] = orders.map((order) => ({
    ...order,
    ...timelineOf(order, now),
  }));
  await insertRows(db, "storage_order", ordersWithTimeline.map(orderRow));
  await insertRows(db, "live_order", liveRows(ordersWithTimeline));
  await insertRows(db, "order_event", ordersWithTimeline.flatMap(orderEventRows));
  await insertRows(db, "order_day", orderDayRows(ordersWithTimeline));
  await insertRows(db, "occupancy_hour", occupancyRows(ordersWithTimeline, stories, now));
  return errandsOf(ordersWithTimeline);
}

function peopleOfCompany(
  { tenantId, storeIds }: Company,
  stories: readonly PlacedStory[],
  today: number,
): DemoPerson[] {
  const visits = stories
    .filter((story) => story.tenantId === tenantId)
    .reduce((sum, { chronicle }) => sum + (chronicle?.visits.length ?? 0), 0);
  const recipients = Math.max(10 * storeIds.length, Math.round(visits / VISITS_A_RECIPIENT));
  const riders = Math.max(6, Math.round(recipients / RECIPIENTS_A_RIDER));
  const counts = { riders, recipients, stores: storeIds.length };
  return inventPeople(tenantId, counts, today - HISTORY_DAYS * DAY);
}

/** Inserts rows and assigns their ids to the objects in memory. */
async function giveIds(
  db: Db,
  table: string,
  things: readonly { id: number }[],
  rows: readonly object[],
): Promise<void> {
  const ids = await insertNumberedRows(db, table, rows);
  for (const [nth, thing] of things.entries()) thing.id = ids[nth] as number;
}

async function insertPackages(
  db: Db,
  companies: readonly Company[],
  today: number,
): Promise<DemoPackage[]> {
  const sold = companies.map(({ tenantId, actors }) => ({
    packages: inventPackages(tenantId),
    keeper: actors[1] as DemoActor,
  }));
  const packages = sold.flatMap((of) => of.packages);
  const rows = sold.flatMap((of) => of.packages.map((one) => packageRow(one, of.keeper, today)));
  await giveIds(db, "package", packages, rows);
  return packages;
}

async function insertMoney(db: Db, money: DemoMoney, keeper: DemoActor): Promise<void> {
  await insertRows(db, "wallet", walletRows(money));
  // Orders refer to their card by its temporary id in memory.
  await giveIds(db, "user_package", money.cards, money.cards.map(cardRow));
  for (const { order, card } of money.uses) if (order.card) order.card.id = card.id;
  const topUpIds = await insertNumberedRows(
    db,
    "top_up",
    money.topUps.map((topUp) => topUpRow(topUp, keeper)),
  );
  const topUpId = new Map(money.topUps.map((topUp, nth) => [topUp, topUpIds[nth]]));
  const holdIds = await insertNumberedRows(db, "wallet_hold", money.holds.map(holdRow));
  const holdId = new Map(money.holds.map((hold, nth) => [hold, holdIds[nth]]));
  const bizOf = ({ business }: DemoJournal) => {
    if ("topUp" in business) return { type: "TOP_UP", id: String(topUpId.get(business.topUp)) };
    if ("card" in business) return { type: "PACKAGE_BUY", id: String(business.card.id) };
    if ("hold" in business) return { type: "ORDER_HOLD", id: String(holdId.get(business.hold)) };
    if ("refundOf" in business) return { type: "ORDER_REFUND", id: `demo-${business.refundOf.id}` };
    return { type: "WALLET_ADJUST", id: `demo-${business.nth}` };
  };
  const journals = money.journals.toSorted((one, other) => one.at - other.at);
  const ids = await insertNumberedRows(
    db,
    "ledger_journal",
    journals.map((journal) => journalRow(journal, bizOf(journal), keeper)),
  );
  const legs = journals.flatMap((journal, nth) => legRows(journal, ids[nth] as number));
  await insertRows(db, "ledger_leg", legs);
  await insertRows(db, "package_use", money.uses.map(useRow));
}
