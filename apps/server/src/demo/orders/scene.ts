// Shared context of a cabinet's story: cabinet, life, outages, chronicle.
import { type DemoCabinet, MINUTE, type Span } from "../fleet/cabinet.ts";
import type { Chronicle } from "./chronicle.ts";

export interface StoryContext {
  cabinet: DemoCabinet;
  life: Span;
  outages: Span[];
  today: number;
  chronicle: Chronicle;
  /** Time when each cell is next usable; Infinity while it holds goods or is blocked. */
  freeFrom: Map<number, number>;
}

/** True when the span is at least a minute away from any outage. */
export function isConnected({ outages }: StoryContext, from: number, to: number): boolean {
  return outages.every((outage) => from > outage.to + MINUTE || to < outage.from - MINUTE);
}
