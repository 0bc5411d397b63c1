// Occupancy of the demo's cabinets in the last weeks, as sampled every five minutes.
import { SAMPLE_MINUTES } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { DAY, HOUR, MINUTE } from "../fleet/cabinet.ts";
import { compartmentRows } from "../rows.ts";
import type { OrderWithTimeline } from "./order-rows.ts";
import type { PlacedStory } from "./placed-story.ts";

const WATCHED_DAYS = 14;
const STEP = SAMPLE_MINUTES * MINUTE;
const LOOKS_AN_HOUR = HOUR / STEP;

const time = (ms: number) => new Date(ms).toISOString();

export function occupancyRows(
  orders: readonly OrderWithTimeline[],
  stories: readonly PlacedStory[],
  now: number,
) {
  const ordersOf = Map.groupBy(orders, ({ story }) => story.cabinetId);
  return stories
    .filter(({ cabinet }) => cabinet.lifecycle === "ACTIVE" && cabinet.life !== null)
    .flatMap((story) => {
      const usable = compartmentRows(story).filter((row) => row.admin_state === "ENABLED");
      const numbers = Map.groupBy(usable, (row) => row.size);
      return [...numbers].flatMap(([size, cells]) =>
        sizeRows(story, size, new Set(cells.map(({ no }) => no)), {
          orders: ordersOf.get(story.cabinetId) ?? [],
          now,
        }),
      );
    });
}

function sizeRows(
  { tenantId, cabinetId, storeId, cabinet }: PlacedStory,
  size: Size,
  numbers: ReadonlySet<number>,
  { orders, now }: { orders: readonly OrderWithTimeline[]; now: number },
) {
  const from = Math.max(now - WATCHED_DAYS * DAY, cabinet.life?.from ?? now);
  const start = Math.ceil(from / HOUR) * HOUR;
  const looks = Math.max(0, Math.floor((now - start) / STEP));
  const inUse = useOverTime(orders, numbers, start, looks);
  const rows = [];
  for (let first = 0; first < looks; first += LOOKS_AN_HOUR) {
    const hour = inUse.subarray(first, Math.min(looks, first + LOOKS_AN_HOUR));
    rows.push({
      tenant_id: tenantId,
      hour: time(start + first * STEP),
      cabinet_id: cabinetId,
      size,
      store_id: storeId,
      samples: hour.length,
      occupied: hour.reduce((sum, count) => sum + count, 0),
      total: hour.length * numbers.size,
      full_samples: hour.filter((count) => count >= numbers.size).length,
      peak: Math.max(...hour),
      last_at: time(start + (first + hour.length - 1) * STEP),
    });
  }
  return rows;
}

/** Number of compartments held by orders at each sample. */
function useOverTime(
  orders: readonly OrderWithTimeline[],
  numbers: ReadonlySet<number>,
  start: number,
  looks: number,
): Int16Array {
  const inUse = new Int16Array(looks);
  for (const { visit, endedAt } of orders) {
    if (!numbers.has(visit.no)) continue;
    const first = Math.max(0, Math.ceil((visit.createdAt - start) / STEP));
    const past = endedAt === null ? looks : Math.ceil((endedAt - start) / STEP);
    for (let look = first; look < Math.min(past, looks); look++)
      inUse[look] = (inUse[look] ?? 0) + 1;
  }
  return inUse;
}
