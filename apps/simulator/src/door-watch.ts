// Tracks how long doors stay open and reports each forgotten one once.
import { type CompartmentReport, doorOf, SIDES, type Side } from "@cabinet/link";

/** A door that was left open. */
export interface LeftOpen {
  readonly no: number;
  readonly side: Side;
  readonly openMs: number;
}

export class DoorWatch {
  private readonly openSince = new Map<string, { no: number; side: Side; since: number }>();

  /** The time of doors that are already open counts from `now`. */
  constructor(compartments: readonly CompartmentReport[], now: number) {
    for (const row of compartments) {
      for (const side of SIDES) this.see(row, side, now);
    }
  }

  /** Updates one door from its compartment's current report. */
  see(compartment: CompartmentReport, side: Side, now: number): void {
    const { no } = compartment;
    const key = `${no} ${side}`;
    if (doorOf(compartment, side) === "OPEN") this.openSince.set(key, { no, side, since: now });
    else this.openSince.delete(key);
  }

  /** Doors open for `limitMs` or longer, each returned once. */
  overdue(now: number, limitMs: number): LeftOpen[] {
    const found: LeftOpen[] = [];
    for (const [key, { no, side, since }] of this.openSince) {
      if (now - since < limitMs) continue;
      this.openSince.delete(key);
      found.push({ no, side, openMs: now - since });
    }
    return found;
  }
}
