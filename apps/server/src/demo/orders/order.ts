// Turns the demo's visits into orders: people, pricing rule, price; payments follow later.
import {
  nearestRule,
  type PricingRate,
  type PricingRule,
  type PricingScope,
  priceOf,
  type RatedRule,
  ruleFor,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { OrderMoney } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { DAY, HOUR, MINUTE } from "../fleet/cabinet.ts";
import { type DemoPerson, pickPerson } from "../organization/person.ts";
import { Random } from "../random.ts";
import type { PlacedStory } from "./placed-story.ts";
import type { DemoVisit } from "./visit.ts";

export interface DemoOrder {
  story: PlacedStory;
  visit: DemoVisit;
  tenantId: number;
  id: number;
  side: Side;
  rider: DemoPerson | null;
  recipient: DemoPerson;
  pricing: { scope: PricingScope; rule: PricingRule };
  thirdPartyNo: string | null;
  itemNote: string;
  storedAt: number | null;
  /** When it was extended, and until when. */
  extended: { at: number; until: number } | null;
  overdueAt: number | null;
  endedAt: number | null;
  money: OrderMoney;
  /** Time of its payment, if paid. */
  paidAt: number | null;
  refund: { at: number; principalFen: number; bonusFen: number; reason: string } | null;
  card: { id: number; name: string } | null;
  /** Calculated from its timeline. */
  state: OrderState;
  lot: Random;
}

/** Columns of `pricing_rule`. */
export interface DemoRule {
  tenant_id: number;
  store_id: number | null;
  cabinet_id: number | null;
  free_minutes: number;
  per_use_fen: number;
  step_minutes: number;
  step_fen: number;
  cap_fen: number | null;
  overdue_after_minutes: number;
  rates: PricingRate[];
}

const itemNotes = ["外卖", "文件", "生鲜", "衣物", "药品", "蛋糕", "日用品"] as const;

/** Order id from its time, in the format of `new_order_id`. */
function orderId(at: number, nth: number): number {
  const low = Number((BigInt(nth) * 2_654_435_761n) & 4_194_303n);
  return (Math.floor(at / 1_000) - 1_704_067_200) * 4_194_304 + low;
}

function pricingOf(rules: readonly DemoRule[], { tenantId, storeId, cabinetId }: PlacedStory) {
  const own = rules.filter((rule) => rule.tenant_id === tenantId);
  const found = {
    CABINET: own.find((rule) => rule.cabinet_id === cabinetId),
    STORE: own.find((rule) => rule.store_id !== null && rule.store_id === storeId),
    TENANT: own.find((rule) => rule.cabinet_id === null && rule.store_id === null),
  };
  return nearestRule<RatedRule>({
    CABINET: ruleOf(found.CABINET),
    STORE: ruleOf(found.STORE),
    TENANT: ruleOf(found.TENANT),
  });
}

function ruleOf(row: DemoRule | undefined): RatedRule | null {
  return row
    ? {
        freeMinutes: row.free_minutes,
        perUseFen: row.per_use_fen,
        stepMinutes: row.step_minutes,
        stepFen: row.step_fen,
        capFen: row.cap_fen,
        overdueAfterMinutes: row.overdue_after_minutes,
        rates: row.rates,
      }
    : null;
}

interface PeopleByRole {
  riders: readonly DemoPerson[];
  recipients: readonly DemoPerson[];
  /** Recipients by their store. */
  locals: ReadonlyMap<number, readonly DemoPerson[]>;
}

function byRole(people: readonly DemoPerson[]): PeopleByRole {
  const recipients = people.filter(({ isRider }) => !isRider);
  const riders = people.filter(({ isRider }) => isRider);
  return { riders, recipients, locals: Map.groupBy(recipients, ({ home }) => home) };
}

/** All orders of all cabinets in the order of their start. */
export function ordersOf(
  stories: readonly PlacedStory[],
  peopleOf: ReadonlyMap<number, readonly DemoPerson[]>,
  rules: readonly DemoRule[],
  now: number,
): DemoOrder[] {
  const begun = stories.flatMap((story) => {
    const { scope, rule } = pricingOf(rules, story);
    return (story.chronicle?.visits ?? []).map((visit) => {
      const pricing = { scope, rule: ruleFor(rule, visit.size, visit.createdAt) };
      return { story, visit, pricing };
    });
  });
  begun.sort((one, other) => one.visit.createdAt - other.visit.createdAt);
  const roles = new Map([...peopleOf].map(([tenantId, people]) => [tenantId, byRole(people)]));
  return begun.map(({ story, visit, pricing }, nth) => {
    const lot = new Random(visit.seed);
    const { riders, recipients, locals } = roles.get(story.tenantId) as PeopleByRole;
    const rider = lot.chance(0.88) ? pickPerson(lot, riders) : null;
    const neighbours = locals.get(story.cabinet.store ?? -1) ?? recipients;
    const recipient = pickPerson(lot, lot.chance(0.12) ? recipients : neighbours);
    for (const person of [rider, recipient]) {
      if (person) person.seenAt = Math.max(person.seenAt ?? 0, visit.createdAt);
    }
    const { deposit, cancelled } = visit;
    const storedAt = cancelled ? null : (deposit?.closedAt ?? null);
    const isThirdPartys = rider !== null && lot.chance(0.12);
    return {
      story,
      visit,
      tenantId: story.tenantId,
      id: orderId(visit.createdAt, nth + 1),
      side: story.cabinet.model.side,
      rider,
      recipient,
      pricing,
      thirdPartyNo: isThirdPartys
        ? `WM${visit.createdAt}${String(nth % 100).padStart(2, "0")}`
        : null,
      itemNote: lot.chance(0.2) ? lot.pick(itemNotes) : "",
      storedAt,
      ...lifecycleOf(visit, pricing.rule, storedAt, lot, now),
      money: moneyOf(visit, pricing.rule, storedAt),
      paidAt: null,
      refund: null,
      card: null,
      state: "PENDING",
      lot,
    };
  });
}

/** Extension, overdue time and end of an order. */
function lifecycleOf(
  { taking, cancelled, cleared }: DemoVisit,
  rule: PricingRule,
  storedAt: number | null,
  lot: Random,
  now: number,
): Pick<DemoOrder, "extended" | "overdueAt" | "endedAt"> {
  const endedAt = taking?.closedAt ?? cancelled?.at ?? cleared?.at ?? null;
  if (storedAt === null) return { extended: null, overdueAt: null, endedAt };
  const overdueAt = storedAt + rule.overdueAfterMinutes * MINUTE;
  const at = overdueAt + lot.int(15, 400) * MINUTE;
  const isPutOff = lot.chance(0.08) && at < (taking?.askedAt ?? endedAt ?? now) - HOUR;
  const extended = isPutOff ? { at, until: at + DAY } : null;
  return { extended, overdueAt: extended?.until ?? overdueAt, endedAt };
}

/** Price for the person who takes the goods out; 0 before that, or when given up. */
function moneyOf(visit: DemoVisit, rule: PricingRule, storedAt: number | null): OrderMoney {
  const until = visit.taking?.askedAt ?? visit.cleared?.at ?? null;
  const isFree = storedAt === null || until === null;
  const priceFen = isFree ? 0 : priceOf(rule, (until - storedAt) / MINUTE);
  return {
    priceFen,
    coveredFen: 0,
    // A cleared order is waived.
    waivedFen: visit.cleared ? priceFen : 0,
    paidPrincipalFen: 0,
    paidBonusFen: 0,
    refundedPrincipalFen: 0,
    refundedBonusFen: 0,
  };
}
