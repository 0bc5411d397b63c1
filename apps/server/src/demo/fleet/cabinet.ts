// Cabinets of the demo: store, lifecycle and past of each, and which ones are simulated.
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { demoTenants } from "../organization/place.ts";
import { Random } from "../random.ts";
import { type DemoModel, demoModels } from "./model.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Time range, in ms since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** Index in the people of the cabinet's tenant, which is their userType. */
export type Actor = 0 | 1 | 2;

export interface DemoCabinet {
  sn: string;
  name: string;
  model: DemoModel;
  /** Index in `demoTenants`; index of the store there, or null while in stock. */
  tenant: number;
  store: number | null;
  lifecycle: Lifecycle;
  isSimulated: boolean;
  /** From its first connection to its last message; null if it never connected. */
  life: Span | null;
  /** Relative use, around 1. */
  demand: number;
  /** Growth of its use in 30 days, as a share. */
  trend: number;
  /** Among the first of its tenant's list: online, ACTIVE, with a running service. */
  isShowcase: boolean;
}

/** Number of showcase cabinets at the top of each tenant's list. */
const SHOWCASES = 5;

type Fate = "SIMULATED" | "OFFLINE" | "NEVER" | "RETIRED";

/** Fates of the 57 cabinets in stores; 17 of them are offline, never connected or retired. */
const fates: readonly Fate[] = [
  ...Array<Fate>(40).fill("SIMULATED"),
  ...Array<Fate>(12).fill("OFFLINE"),
  ...Array<Fate>(2).fill("NEVER"),
  ...Array<Fate>(3).fill("RETIRED"),
];

/** Simulated ones were last heard moments ago: their simulators are about to connect. */
const JUST_NOW_MS = 3 * MINUTE;

/** Most are older than a month's report and the month that it compares with; a few are new. */
function drawAgeDays(random: Random): number {
  return random.chance(0.9) ? random.int(130, 210) : random.int(9, 26);
}

/** A few are used far more than others: they fill up at busy hours. */
function drawDemand(random: Random): number {
  return random.chance(0.18) ? 3 + 2 * random.next() : 0.6 + 0.8 * random.next();
}

/** Mostly between -15 and +20 %, with a few outliers. */
function drawTrend(random: Random): number {
  const usual = -0.15 + 0.35 * random.next();
  return random.chance(0.1) ? random.pick([-0.5, 0.6]) : usual;
}

/** `today` is the last midnight in Shanghai: stories of past days depend on it alone, so they are reproducible. */
export function planCabinets(now: number, today: number): DemoCabinet[] {
  const random = new Random(2026);
  const shuffled = [...fates];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.int(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Fate, shuffled[last] as Fate];
  }
  const cabinets: DemoCabinet[] = [];

  function add(tenant: number, store: number | null, name: string, fate: Fate): void {
    const model = random.pick(demoModels);
    const from = today - drawAgeDays(random) * DAY + random.int(9 * HOUR, 17 * HOUR);
    const ends = {
      SIMULATED: now - JUST_NOW_MS,
      OFFLINE: now - Math.round(Math.min(random.skewed(14), 200) * HOUR) - 20 * MINUTE,
      RETIRED: today - random.int(2, 6) * DAY + 15 * HOUR,
      NEVER: 0,
    };
    const isPaused = (fate === "SIMULATED" && random.chance(0.06)) || random.chance(0.02);
    const lifecycles = {
      SIMULATED: isPaused ? "PAUSED" : "ACTIVE",
      OFFLINE: random.chance(0.2) ? "PAUSED" : "ACTIVE",
      RETIRED: "RETIRED",
      NEVER: "INACTIVE",
    } as const;
    cabinets.push({
      sn: "",
      name,
      model,
      tenant,
      store,
      lifecycle: lifecycles[fate],
      isSimulated: fate === "SIMULATED",
      life: fate === "NEVER" ? null : { from, to: ends[fate] },
      demand: drawDemand(random),
      trend: drawTrend(random),
      isShowcase: false,
    });
  }

  for (const [tenant, { stores }] of demoTenants.entries()) {
    for (const [store, place] of stores.entries()) {
      for (let nth = 1; nth <= place.cabinets; nth++) {
        add(tenant, store, `${place.name} ${nth} 号柜`, shuffled.pop() ?? "SIMULATED");
      }
    }
    add(tenant, null, "库存待投放柜", "NEVER");
  }
  numberCabinets(cabinets);
  return cabinets;
}

/** Lists sort by SN: each tenant's first serial numbers go to cabinets that are online and in operation. */
function numberCabinets(cabinets: readonly DemoCabinet[]): void {
  let serial = 0;
  for (const tenant of demoTenants.keys()) {
    const own = cabinets.filter((cabinet) => cabinet.tenant === tenant);
    const showcases = own
      .filter(({ isSimulated, lifecycle }) => isSimulated && lifecycle === "ACTIVE")
      .slice(0, SHOWCASES);
    for (const cabinet of new Set([...showcases, ...own])) {
      cabinet.isShowcase = showcases.includes(cabinet);
      cabinet.sn = `ZC26A${String(++serial).padStart(4, "0")}${cabinet.model.code}`;
    }
  }
}
