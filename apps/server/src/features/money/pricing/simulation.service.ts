// Replays past orders under another rule: totals, by store, by cabinet, and the largest
// differences.
import {
  MAX_REPLAYED,
  MAX_REPLAYED_DAYS,
  type PricingSimulation,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  type PricingRule,
  type RatedRule,
  ratesOfText,
  ratesProblem,
  ruleFor,
  wholeRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  addTo,
  COMPARED_LINES,
  type Comparison,
  newSimulation,
  noOrders,
  replay,
  STAY_LENGTHS,
} from "@cabinet/contract/money/pricing/simulation.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import {
  findCabinetNames,
  findPastStays,
  findStoreNames,
  type SimulationQuery,
  type StayRow,
} from "./simulation.sql.ts";

const SHOWN_PLACES = 100;
const SHOWN_ORDERS = 100;
const DAY_MS = 86_400_000;

export async function simulatePricing(
  { db, session }: Ctx,
  query: SimulationQuery,
): Promise<PricingSimulation> {
  requireDays(query);
  const rated = ruleOf(query);
  const { stays, rules } = await findPastStays(db, session, query, MAX_REPLAYED + 1);
  if (stays.length > MAX_REPLAYED) refuse("REPLAY_TOO_LARGE", { max: MAX_REPLAYED });

  const all = newSimulation();
  const stores = new Map<number, Comparison>();
  const cabinets = new Map<number, Comparison>();
  const changed: { stay: StayRow; newFen: number }[] = [];
  for (const stay of stays) {
    const { minutes, priceFen } = stay;
    const past = { minutes, priceFen, rule: rules[stay.rule] as PricingRule };
    const newFen = replay(all, past, ruleFor(rated, stay.size, Date.parse(stay.createdAt)));
    addAt(cabinets, stay.cabinetId, priceFen, newFen);
    if (stay.storeId !== null) addAt(stores, stay.storeId, priceFen, newFen);
    if (newFen !== priceFen) changed.push({ stay, newFen });
  }
  changed.sort((one, other) => differenceOf(other) - differenceOf(one));
  const shown = changed.slice(0, SHOWN_ORDERS);
  const topCabinets = largest(cabinets);
  const topStores = largest(stores);
  const cabinetIds = [
    ...new Set([...topCabinets.map(({ id }) => id), ...shown.map(({ stay }) => stay.cabinetId)]),
  ];
  const [cabinetNames, storeNames] = await Promise.all([
    findCabinetNames(db, session, cabinetIds),
    findStoreNames(
      db,
      session,
      topStores.map(({ id }) => id),
    ),
  ]);
  const nameOf = new Map(cabinetNames.map(({ id, name }) => [id, name]));
  const storeNameOf = new Map(storeNames.map(({ id, name }) => [id, name]));
  const { lines, lengths, ...sums } = all;
  if (sums.orders === 0) return { ...sums, ...noParts };
  return {
    ...sums,
    lines: COMPARED_LINES.map((kind, nth) => ({ kind, oldFen: 0, newFen: 0, ...lines[nth] })),
    lengths: STAY_LENGTHS.map((upToMinutes, nth) => ({
      ...noOrders,
      ...lengths[nth],
      upToMinutes,
    })),
    stores: topStores.map((row) => ({ ...row, name: storeNameOf.get(row.id) ?? "已删除的门店" })),
    cabinets: topCabinets.map((row) => ({ ...row, name: nameOf.get(row.id) ?? "" })),
    samples: shown.map(({ stay, newFen }) => ({
      orderId: stay.orderId,
      cabinetName: nameOf.get(stay.cabinetId) ?? "",
      compartmentNo: stay.compartmentNo,
      size: stay.size,
      createdAt: stay.createdAt,
      minutes: stay.minutes,
      rule: rules[stay.rule] as PricingRule,
      oldFen: stay.priceFen,
      newFen,
    })),
  };
}

const noParts = { lines: [], lengths: [], stores: [], cabinets: [], samples: [] };

function ruleOf(query: SimulationQuery): RatedRule {
  const rule = wholeRule(query);
  if (!rule) throw new Error("the query's schema lets only whole rules through");
  const rates = ratesOfText(query.rates ?? "");
  if (!rates) refuse("PRICING_RATES_INVALID", { problem: "无法识别" });
  const problem = ratesProblem(rates);
  if (problem) refuse("PRICING_RATES_INVALID", { problem });
  return { ...rule, rates };
}

function requireDays({ from, to }: SimulationQuery): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MAX_REPLAYED_DAYS) refuse("DAYS_INVALID", { days: MAX_REPLAYED_DAYS });
}

function addAt(sums: Map<number, Comparison>, id: number, oldFen: number, newFen: number): void {
  let sum = sums.get(id);
  if (!sum) {
    sum = { ...noOrders };
    sums.set(id, sum);
  }
  addTo(sum, oldFen, newFen);
}

const differenceOf = ({ stay, newFen }: { stay: StayRow; newFen: number }) =>
  Math.abs(newFen - stay.priceFen);

/** The entries with the largest absolute difference. */
function largest(sums: Map<number, Comparison>): (Comparison & { id: number })[] {
  return [...sums]
    .map(([id, sum]) => ({ id, ...sum }))
    .sort((one, other) => Math.abs(other.newFen - other.oldFen) - Math.abs(one.newFen - one.oldFen))
    .slice(0, SHOWN_PLACES);
}
