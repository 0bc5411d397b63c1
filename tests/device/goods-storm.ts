// People and clients of a storm: who stands at a door that opens, whose goods lie behind it, and when they pressed.
import { PRESS_SECONDS, ServerClock } from "@cabinet/contract/kit/press.rules.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import { isOutage } from "../../apps/server/src/platform/db/postgres-client.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Pulse } from "../../apps/simulator/src/hardware.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import type { DeviceFleet, FleetCabinet } from "./device-fleet.ts";
import { Witness } from "./goods-witness.ts";

export const FAULTS = [
  ...["none", "silence", "offline browser", "wrong client clock", "jam", "power cut", "line cut"],
  ...["gateway killed", "gateway frozen", "forced door", "clone"],
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Box {
  cabinet: FleetCabinet;
  machine: Machine;
  hasItemSensors: boolean;
  /** By `performance.now()`: until when the fault may still show. */
  troubles: Map<Fault, number>;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats work that a lost connection ended, as the server does: a busy machine may hold this process up for seconds. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || attempt === 20) throw error;
      await sleep(500);
    }
  }
}

const wallOf = ({ at }: Pulse) => performance.timeOrigin + at;

/** People in front of the cabinets. They know what no program knows: whose goods really lie in a compartment. */
export class Bystanders {
  /** Order whose goods lie in a compartment, by cabinet and number. */
  readonly goods = new Map<string, number>();
  /** Openings on the goods of another order. */
  readonly wrongDoors: string[] = [];
  /** Orders that staff have settled at the cabinet. */
  readonly settled = new Set<number>();
  private readonly seen = new Map<Box, number>();
  private readonly errands = new Set<Promise<void>>();
  private readonly fleet: DeviceFleet;
  private readonly random: () => number;
  readonly witness: Witness;

  constructor(fleet: DeviceFleet, random: () => number) {
    this.fleet = fleet;
    this.witness = new Witness(fleet);
    this.random = random;
  }

  /** Sends people to the doors whose locks got a pulse since the last call. */
  watch(boxes: readonly Box[]): void {
    for (const box of boxes) {
      const { pulses } = box.machine.hardware;
      for (const pulse of pulses.slice(this.seen.get(box) ?? 0)) this.send(this.attend(box, pulse));
      this.seen.set(box, pulses.length);
    }
  }

  /** Resolves when nobody stands at a door. */
  async gone(): Promise<void> {
    while (this.errands.size > 0) await Promise.all(this.errands);
  }

  /** Somebody opens the door with a crowbar, and may take what lies there. */
  force(box: Box, no: number): void {
    this.send(
      (async () => {
        const { hardware } = box.machine;
        if (!hardware.forceDoor(no, "FRONT")) return;
        await sleep(300);
        const isTaken = this.random() < 0.5 && hardware.setContent(no, "EMPTY");
        if (isTaken) this.goods.delete(this.place(box, no));
        await sleep(500);
        hardware.closeDoor(no, "FRONT");
      })(),
    );
  }

  /** Staff with a key take the goods of an order out of its compartment, and send its people away. */
  async empty(box: Box, no: number, orderId: number): Promise<void> {
    const { hardware } = box.machine;
    this.settled.add(orderId);
    hardware.forceDoor(no, "FRONT");
    if (hardware.setContent(no, "EMPTY")) this.goods.delete(this.place(box, no));
    await sleep(200);
    hardware.closeDoor(no, "FRONT");
  }

  place = (box: Box, no: number) => `${box.cabinet.id}:${no}`;

  private send(errand: Promise<void>): void {
    this.errands.add(errand);
    void errand.finally(() => this.errands.delete(errand));
  }

  private async attend(box: Box, { cmdId, no, side }: Pulse): Promise<void> {
    const { hardware } = box.machine;
    const isOpen = () => {
      const found = hardware.truth().find((cell) => cell.no === no);
      return (side === "FRONT" ? found?.front : found?.back) === "OPEN";
    };
    for (let wait = 0; wait < 10 && !isOpen(); wait++) await sleep(50);
    // The lock stuck: some people pull until the door gives way.
    if (!isOpen()) {
      if (this.random() < 0.5) return;
      await sleep(1_000 + 6_000 * this.random());
      hardware.forceDoor(no, side);
    }
    const opening = await patiently(() =>
      this.fleet.testServer.database.read("platform", (db) =>
        db.one<{ orderId: number; purpose: OpenPurpose }>(sql`
          select order_id, purpose from command where id = ${cmdId}`),
      ),
    );
    const { orderId, purpose } = opening;
    if (this.settled.has(orderId)) {
      hardware.closeDoor(no, side);
      return;
    }
    const place = this.place(box, no);
    const owner = this.goods.get(place);
    if (owner !== undefined && owner !== orderId) {
      const sensors = box.hasItemSensors ? "with" : "without";
      const wrong = `${purpose} of order ${orderId} on goods of ${owner} at ${place} (${sensors} sensors)`;
      this.wrongDoors.push(wrong);
      process.stdout.write(`${wrong}\n${await patiently(() => this.witness.show(box, no))}\n`);
    }
    await sleep(200 + 400 * this.random());
    // Without sensors nobody can tell that a person only looked.
    const onlyLooks = this.settled.has(orderId) || (box.hasItemSensors && this.random() < 0.15);
    if (!onlyLooks && purpose === "DEPOSIT" && owner === undefined) {
      if (hardware.setContent(no, "PRESENT")) this.goods.set(place, orderId);
    } else if (!onlyLooks && purpose !== "DEPOSIT" && owner !== undefined) {
      if (hardware.setContent(no, "EMPTY")) this.goods.delete(place);
    }
    await sleep(200 + 600 * this.random());
    hardware.closeDoor(no, side);
  }
}

/** A browser or an app, whose own clock may be wrong. */
export class Client {
  private readonly clock = new ServerClock();
  private readonly skewMs: number;

  constructor(skewMs: number) {
    this.skewMs = skewMs;
  }

  private now = () => Date.now() + this.skewMs;

  async learn({ testServer }: DeviceFleet): Promise<void> {
    const sentAt = this.now();
    const { headers } = await testServer.app.inject({ url: "/api/openapi/partner.json" });
    const header = (name: string) => String(headers[name] ?? "");
    this.clock.learn({ sentAt, receivedAt: this.now() }, header);
  }

  /** Header of a press that happens now. */
  press = () => ({ "x-pressed-at": String(this.clock.at(this.now())) });
}

export interface Tally {
  intents: number;
  granted: number;
  refused: number;
}

/** When people pressed, what the server said, and how late the doors opened. */
export class Presses {
  readonly byFault = new Map<Fault, Tally>();
  readonly refusals = new Map<string, number>();
  private readonly pressedAt = new Map<string, number>();
  intents = 0;

  note(faults: readonly Fault[], pressedAt: number, answer: { commandId?: string; code?: string }) {
    this.intents++;
    for (const fault of faults) {
      const tally = this.byFault.get(fault) ?? { intents: 0, granted: 0, refused: 0 };
      tally.intents++;
      if (answer.code) tally.refused++;
      else tally.granted++;
      this.byFault.set(fault, tally);
    }
    const { commandId, code } = answer;
    if (commandId) this.pressedAt.set(commandId, pressedAt);
    if (code) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  /** Doors that opened without a press, or later after it than a press counts. */
  lateDoors(pulses: readonly Pulse[]): string[] {
    return pulses.flatMap((pulse) => {
      const pressedAt = this.pressedAt.get(pulse.cmdId);
      if (pressedAt === undefined) return [`${pulse.cmdId}: nobody pressed`];
      const seconds = (wallOf(pulse) - pressedAt) / 1_000;
      return seconds > PRESS_SECONDS ? [`${pulse.cmdId}: ${seconds.toFixed(1)} s`] : [];
    });
  }

  latestSeconds(pulses: readonly Pulse[]): number {
    return Math.max(
      0,
      ...pulses.map(
        (pulse) => (wallOf(pulse) - (this.pressedAt.get(pulse.cmdId) ?? Infinity)) / 1_000,
      ),
    );
  }
}
