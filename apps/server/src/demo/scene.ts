// What every part of a cabinet's story knows: the cabinet, its life, its line, its chronicle.
import { type DemoCabinet, MINUTE, type Span } from "./cabinet.ts";
import type { Chronicle } from "./chronicle.ts";

export interface Scene {
  cabinet: DemoCabinet;
  life: Span;
  outages: Span[];
  today: number;
  chronicle: Chronicle;
  /** When each cell can be used next; Infinity while goods are in it or it is blocked. */
  freeFrom: Map<number, number>;
}

/** Nothing is heard within a minute of an outage. */
export function isConnected({ outages }: Scene, from: number, to: number): boolean {
  return outages.every((outage) => from > outage.to + MINUTE || to < outage.from - MINUTE);
}
