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
  /** False: a cabinet without item sensors. */
  readonly hasItemSensors?: boolean;
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
  /** The real content, whatever the sensor reads. */
  item: ItemState;
  isJammed: boolean;
  /** The item sensor reads the opposite of what is inside. */
  isSensorWrong: boolean;
}

/** A compartment as a person in front of it sees it, beside what its sensor reads. */
export interface CompartmentTruth extends CompartmentReport {
  readonly content: ItemState;
  readonly isJammed: boolean;
  readonly isSensorWrong: boolean;
}

export class Hardware {
  /** Every pulse delivered, for tests that check how often and when doors opened. */
  readonly pulses: Pulse[] = [];
  /** Set by the running program. */
  onChange: (change: SensorChange) => void = () => {};
  /** Simulated people put items in, take them out and close doors. */
  private isAttended = true;
  private readonly world: World;
  private readonly options: HardwareOptions;
  private readonly compartments = new Map<number, Compartment>();

  constructor(cabinet: SimulatedCabinet, world: World, options: HardwareOptions) {
    this.world = world;
    this.options = options;
    for (const { no, sides, item } of cabinet.compartments) {
      const open = new Map(sides.map((side) => [side, false] as const));
      const isSound = { isJammed: false, isSensorWrong: false };
      this.compartments.set(no, { no, open, item: item ?? "EMPTY", ...isSound });
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
    return [...this.compartments.values()].map((compartment) => this.reportOf(compartment));
  }

  hasItemSensors(): boolean {
    return this.options.hasItemSensors ?? true;
  }

  truth(): CompartmentTruth[] {
    return [...this.compartments.values()].map((compartment) => {
      const { item: content, isJammed, isSensorWrong } = compartment;
      return { ...this.reportOf(compartment), content, isJammed, isSensorWrong };
    });
  }

  hasPeople(): boolean {
    return this.isAttended;
  }

  /** With people, open doors are used and closed after a while; without them they stay as they are. */
  setPeople(isAttended: boolean): void {
    if (isAttended === this.isAttended) return;
    this.isAttended = isAttended;
    if (!isAttended) return;
    for (const compartment of this.compartments.values()) {
      for (const [side, isOpen] of compartment.open) if (isOpen) this.attend(compartment, side);
    }
  }

  /** Closes a door by hand. False: there is no such door. */
  closeDoor(no: number, side: Side): boolean {
    const compartment = this.compartments.get(no);
    if (compartment?.open.get(side) === undefined) return false;
    this.move(compartment, side, false);
    return true;
  }

  /** Pulls a door open without a pulse: a key, a crowbar, or a lock that stuck. False: there is no such door. */
  forceDoor(no: number, side: Side): boolean {
    const compartment = this.compartments.get(no);
    if (compartment?.open.get(side) === undefined) return false;
    this.move(compartment, side, true);
    return true;
  }

  /** Puts an item in or takes it out by hand. False: no door of this compartment is open. */
  setContent(no: number, content: ItemState): boolean {
    const compartment = this.compartments.get(no);
    const side = compartment && openSideOf(compartment);
    if (!compartment || !side) return false;
    this.changeReading(compartment, side, () => {
      compartment.item = content;
    });
    return true;
  }

  /** Breaks or mends the lock and the item sensor. False: there is no such compartment. */
  setFaults(no: number, faults: { isJammed?: boolean; isSensorWrong?: boolean }): boolean {
    const compartment = this.compartments.get(no);
    if (!compartment) return false;
    this.changeReading(compartment, openSideOf(compartment) ?? "FRONT", () => {
      compartment.isJammed = faults.isJammed ?? compartment.isJammed;
      compartment.isSensorWrong = faults.isSensorWrong ?? compartment.isSensorWrong;
    });
    return true;
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
    if (compartment.isJammed || this.options.isJammed()) return;
    this.world.after(between(this.world, 30, 300), () => this.move(compartment, side, true));
    this.attend(compartment, side);
  }

  /** A user comes to the open door and closes it, unless there are no people. */
  private attend(compartment: Compartment, side: Side): void {
    const stay = this.options.autoCloseMs * (0.5 + this.world.random());
    this.world.after(300 + stay / 2, () => this.useCompartment(compartment, side));
    this.world.after(300 + stay, () => {
      if (this.isAttended) this.move(compartment, side, false);
    });
  }

  /** Simulates a user: deposits, takes out, or (15 %) only looks. */
  private useCompartment(compartment: Compartment, side: Side): void {
    if (!this.isAttended || !compartment.open.get(side) || this.world.random() < 0.15) return;
    this.changeReading(compartment, side, () => {
      compartment.item = oppositeOf(compartment.item);
    });
  }

  /** Applies a change; the sensor reports only a reading that differs from the last one. */
  private changeReading(compartment: Compartment, side: Side, change: () => void): void {
    const before = this.reportOf(compartment).item;
    change();
    const report = this.reportOf(compartment);
    if (report.item !== before) this.onChange({ kind: "ITEM", side, compartment: report });
  }

  private move(compartment: Compartment, side: Side, isOpen: boolean): void {
    if (compartment.open.get(side) === isOpen) return;
    compartment.open.set(side, isOpen);
    this.onChange({ kind: "DOOR", side, compartment: this.reportOf(compartment) });
  }

  private reportOf({ no, open, item, isSensorWrong }: Compartment): CompartmentReport {
    const stateOf = (isOpen: boolean) => (isOpen ? "OPEN" : "CLOSED");
    const back = open.get("BACK");
    const read = isSensorWrong ? oppositeOf(item) : item;
    return {
      no,
      front: stateOf(open.get("FRONT") === true),
      ...(back !== undefined && { back: stateOf(back) }),
      item: this.hasItemSensors() ? read : "UNKNOWN",
    };
  }
}

function oppositeOf(item: ItemState): ItemState {
  return ({ PRESENT: "EMPTY", EMPTY: "PRESENT", UNKNOWN: "PRESENT" } as const)[item];
}

function openSideOf({ open }: Compartment): Side | undefined {
  return [...open.keys()].find((side) => open.get(side));
}
