// Simulated hardware: locks, doors, sensors, goods and users; survives reboots of the program.
import type { CompartmentReport, ItemState, Side, SimulatedCabinet } from "@cabinet/link";
import { between, type World } from "./world.ts";

/** One pulse delivered to a lock, with its time by the world's clock. */
export interface Pulse {
  readonly cmdId: string;
  readonly no: number;
  readonly side: Side;
  readonly at: number;
}

export interface HardwareOptions {
  /** Approximate time until an open door is closed by a user, in milliseconds. */
  readonly autoCloseMs: number;
  /** True if the lock jams on this pulse. */
  isJammed(): boolean;
}

/** Sensor event for the program. */
export interface SensorChange {
  readonly kind: "DOOR" | "ITEM";
  readonly side: Side;
  readonly compartment: CompartmentReport;
}

interface Compartment {
  readonly no: number;
  readonly open: Map<Side, boolean>;
  item: ItemState;
}

export class Hardware {
  /** Every pulse delivered, for tests that check how often and when doors opened. */
  readonly pulses: Pulse[] = [];
  /** Set by the running program. */
  onChange: (change: SensorChange) => void = () => {};
  private readonly world: World;
  private readonly options: HardwareOptions;
  private readonly compartments = new Map<number, Compartment>();

  constructor(cabinet: SimulatedCabinet, world: World, options: HardwareOptions) {
    this.world = world;
    this.options = options;
    for (const { no, sides, item } of cabinet.compartments) {
      const open = new Map(sides.map((side) => [side, false] as const));
      this.compartments.set(no, { no, open, item: item ?? "EMPTY" });
    }
  }

  /** Restores the goods of the last run of the simulator. */
  restore(items: ReadonlyMap<number, ItemState>): void {
    for (const [no, item] of items) {
      const compartment = this.compartments.get(no);
      if (compartment) compartment.item = item;
    }
  }

  report(): CompartmentReport[] {
    return [...this.compartments.values()].map(reportOf);
  }

  openDoors(): number {
    let count = 0;
    for (const { open } of this.compartments.values()) {
      for (const isOpen of open.values()) if (isOpen) count++;
    }
    return count;
  }

  /** Energises one lock. The door springs open shortly after, unless it is stuck. */
  pulse(cmdId: string, no: number, side: Side): void {
    const compartment = this.compartments.get(no);
    if (!compartment) return;
    this.pulses.push({ cmdId, no, side, at: this.world.mono() });
    if (this.options.isJammed()) return;
    this.world.after(between(this.world, 30, 300), () => this.move(compartment, side, true));
    const stay = this.options.autoCloseMs * (0.5 + this.world.random());
    this.world.after(300 + stay / 2, () => this.useCompartment(compartment, side));
    this.world.after(300 + stay, () => this.move(compartment, side, false));
  }

  /** Simulates a user: deposits, takes out, or (15 %) only looks. */
  private useCompartment(compartment: Compartment, side: Side): void {
    if (!compartment.open.get(side) || this.world.random() < 0.15) return;
    compartment.item = compartment.item === "PRESENT" ? "EMPTY" : "PRESENT";
    this.onChange({ kind: "ITEM", side, compartment: reportOf(compartment) });
  }

  private move(compartment: Compartment, side: Side, isOpen: boolean): void {
    if (compartment.open.get(side) === isOpen) return;
    compartment.open.set(side, isOpen);
    this.onChange({ kind: "DOOR", side, compartment: reportOf(compartment) });
  }
}

function reportOf({ no, open, item }: Compartment): CompartmentReport {
  const doorOf = (isOpen: boolean) => (isOpen ? "OPEN" : "CLOSED");
  const back = open.get("BACK");
  const front = doorOf(open.get("FRONT") === true);
  return { no, front, ...(back !== undefined && { back: doorOf(back) }), item };
}
