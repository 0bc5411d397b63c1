// Text for compartments that block a change.
import type { ItemState, Occupancy } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { occupancyText } from "@cabinet/contract/vocabulary/hardware.rules.ts";

/**
 * A compartment that cannot be removed: it holds goods or a reservation, or its door is being
 * opened.
 */
export interface Obstacle {
  cabinetId: number;
  sn: string;
  name: string;
  no: number;
  occupancy: Occupancy;
  item: ItemState;
  isOpening: boolean;
}

const MOST_CABINETS = 5;
const MOST_COMPARTMENTS = 6;

function why({ occupancy, isOpening }: Obstacle): string {
  if (isOpening) return "正在开门";
  return occupancy === "FREE" ? "检测到物品" : occupancyText[occupancy];
}

/** Format: `学林路店 1 号柜（ZC26…）5 号占用、6 号检测到物品；…；等 9 台设备` */
export function obstaclesText(obstacles: readonly Obstacle[]): string {
  const byCabinet = [...Map.groupBy(obstacles, (obstacle) => obstacle.cabinetId).values()];
  const parts = byCabinet.slice(0, MOST_CABINETS).map((cells) => {
    const [{ name, sn }] = cells as [Obstacle];
    const named = cells.slice(0, MOST_COMPARTMENTS).map((cell) => `${cell.no} 号${why(cell)}`);
    const rest = cells.length > MOST_COMPARTMENTS ? `等 ${cells.length} 个` : "";
    return `${name}（${sn}）${named.join("、")}${rest}`;
  });
  if (byCabinet.length > MOST_CABINETS) parts.push(`等 ${byCabinet.length} 台设备`);
  return parts.join("；");
}
