// Commands with contradicting or missing acks: which reports decide, and which are only stored.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { AckStage, OpenCommand } from "@cabinet/link";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet } from "./order-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

/** A cabinet in session that has received one command to open compartment 1. */
class Trial {
  readonly cabinet: FleetCabinet;
  raw: RawCabinet;
  readonly id: string;
  readonly command: OpenCommand;
  #bootNo = 1;

  static async begin(): Promise<Trial> {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet({ compartments: [{ no: 1, front: "CLOSED", item: "EMPTY" }] });
    const { data } = await fleet.testServer.call(commandContract.open, person, {
      params: { id: cabinet.id },
      body: { no: 1, reason: "客户来电" },
    });
    const { command } = await until("the command", () => raw.heard("cmd")[0]);
    if (!command.ok || command.message.type !== "OPEN") throw new Error("no command to open");
    return new Trial(cabinet, raw, data.id, command.message);
  }

  private constructor(cabinet: FleetCabinet, raw: RawCabinet, id: string, command: OpenCommand) {
    this.cabinet = cabinet;
    this.raw = raw;
    this.id = id;
    this.command = command;
  }

  private head() {
    const n = ++this.raw.n;
    return { bootNo: this.#bootNo, n, mono: n * 1_000 };
  }

  async ack(stage: AckStage, { seq = this.command.seq, reason = "" } = {}): Promise<void> {
    const ack = { cmdId: this.id, seq, stage, ...(reason && { reason }) };
    await this.raw.send(this.raw.seal("ack", { ...this.head(), ...ack }));
  }

  async doorOpened(no = 1): Promise<void> {
    const compartment = { no, front: "OPEN", item: "EMPTY" } as const;
    const event = { type: "DOOR_OPENED", cmdId: this.id, side: "FRONT", compartment } as const;
    await this.raw.send(this.raw.seal("evt", { ...this.head(), ...event }));
  }

  async itemPlaced(): Promise<void> {
    const compartment = { no: 1, front: "OPEN", item: "PRESENT" } as const;
    await this.raw.send(this.raw.seal("evt", { ...this.head(), type: "ITEM_PLACED", compartment }));
  }

  async reboot(stage: AckStage, seq: number): Promise<void> {
    this.raw.cut();
    this.raw = await RawCabinet.connect(fleet, this.cabinet);
    const journal = [{ cmdId: this.id, seq, stage }];
    await this.raw.greet({ bootNo: ++this.#bootNo, lastSeq: seq, journal });
  }

  /**
   * Moves the deadline into the past and waits until the sweep has settled the command as UNKNOWN.
   */
  async expire(): Promise<void> {
    await fleet.testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update command set expires_at = now() - interval '1 minute',
          created_at = created_at - interval '1 minute'
        where id = ${this.id}`),
    );
    await until("UNKNOWN", async () => (await this.get()).state === "UNKNOWN");
  }

  async get(id = this.id) {
    const { data } = await fleet.testServer.call(commandContract.get, person, {
      params: { id },
    });
    return data;
  }

  /** The reports stored beside the command, each with its mark of contradiction. */
  async reports(): Promise<string[]> {
    const { data } = await fleet.testServer.call(commandContract.frames, person, {
      params: { id: this.id },
    });
    return data
      .filter(({ direction }) => direction === "UP")
      .map(({ topic, message, conflict }) => {
        const { stage, type } = JSON.parse(message);
        return [topic, stage ?? type, conflict ?? ""].join(" ").trim();
      });
  }
}

describe("command without acks", () => {
  it("is CONFIRMED by the event of its door", async () => {
    const trial = await Trial.begin();
    await trial.doorOpened();
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", detail: null, conflict: null });
    expect(await trial.reports()).toEqual(["up/evt DOOR_OPENED"]);
    await trial.ack("ACKED");
    await trial.ack("CONFIRMED");
    await trial.ack("CONFIRMED");
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", conflict: null });
    expect(await trial.reports()).toEqual([
      ...["up/evt DOOR_OPENED", "up/ack ACKED", "up/ack CONFIRMED"],
    ]);
  });

  it("is corrected from UNKNOWN to CONFIRMED by a late event of its door", async () => {
    const trial = await Trial.begin();
    await trial.expire();
    await trial.doorOpened();
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", detail: null });
  });

  it("is not CONFIRMED by the event of another door", async () => {
    const trial = await Trial.begin();
    await trial.doorOpened(2);
    expect(await trial.get()).toMatchObject({ state: "SENT", conflict: null });
  });

  it("is not CONFIRMED by a late report of the door that an earlier command opened", async () => {
    const trial = await Trial.begin();
    const { n } = trial.raw;
    await trial.ack("ACKED");
    // The event of the door is under way longer than what follows it.
    trial.raw.n = n + 2;
    await trial.ack("CONFIRMED");
    const { data: later } = await fleet.testServer.call(commandContract.open, person, {
      params: { id: trial.cabinet.id },
      body: { no: 1, reason: "再试" },
    });
    await until("the second command", () => trial.raw.heard("cmd")[1]);
    await trial.itemPlaced();
    expect(await trial.get(later.id)).toMatchObject({ state: "SENT" });
    trial.raw.n = n + 1;
    await trial.doorOpened();
    expect(await trial.get(later.id)).toMatchObject({ state: "SENT" });
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", conflict: null });
  });

  it("opens for an order: the door event settles its money", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const { cmdId } = await at.take();
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), cmdId);
    expect(await at.facts(orderId)).toMatchObject({ state: "PICKING", paidFen: 100, heldFen: 0 });
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", isInDoubt: false });
  });
});

describe("contradicting reports", () => {
  it("seq: an ack with a wrong seq is kept, marked and not applied", async () => {
    const trial = await Trial.begin();
    await trial.ack("CONFIRMED", { seq: trial.command.seq + 5 });
    expect(await trial.get()).toMatchObject({ state: "SENT", conflict: "SEQ" });
    await trial.ack("CONFIRMED", { seq: trial.command.seq + 5 });
    expect(await trial.reports()).toEqual(["up/ack CONFIRMED SEQ"]);
    await trial.ack("ACKED");
    await trial.ack("CONFIRMED");
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", conflict: "SEQ" });
    expect(await trial.reports()).toEqual([
      ...["up/ack CONFIRMED SEQ", "up/ack ACKED", "up/ack CONFIRMED"],
    ]);
  });

  it("seq: an ack with an unissued seq is not taken for lost storage at the next birth", async () => {
    const trial = await Trial.begin();
    await trial.ack("CONFIRMED", { seq: trial.command.seq + 5 });
    await trial.reboot("CONFIRMED", trial.command.seq);
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", conflict: "SEQ" });
    const { data } = await fleet.testServer.call(commandContract.open, person, {
      params: { id: trial.cabinet.id },
      body: { no: 2, reason: "客户来电" },
    });
    await until("the second command", () => trial.raw.heard("cmd")[0]);
    await trial.raw.greet({ bootNo: 2, lastSeq: trial.command.seq });
    const second = await fleet.testServer.call(commandContract.get, person, {
      params: { id: data.id },
    });
    expect(second.data.state).toBe("EXPIRED");
  });

  it("seq: a birth's journal with a wrong seq is kept, marked and not applied", async () => {
    const trial = await Trial.begin();
    await trial.reboot("CONFIRMED", trial.command.seq + 5);
    expect(await trial.get()).toMatchObject({ state: "SENT", conflict: "SEQ" });
    expect(await trial.reports()).toEqual(["up/birth CONFIRMED SEQ"]);
  });

  it("stage: CONFIRMED after REJECTED stays REJECTED, kept and marked", async () => {
    const trial = await Trial.begin();
    await trial.ack("REJECTED", { reason: "BUSY" });
    await trial.ack("CONFIRMED");
    expect(await trial.get()).toMatchObject({ state: "REJECTED", conflict: "STAGE" });
    expect(await trial.reports()).toEqual(["up/ack REJECTED", "up/ack CONFIRMED STAGE"]);
  });

  it("stage: an opened door after REJECTED is marked", async () => {
    const trial = await Trial.begin();
    await trial.ack("REJECTED", { reason: "BUSY" });
    await trial.doorOpened();
    expect(await trial.get()).toMatchObject({ state: "REJECTED", conflict: "STAGE" });
    expect(await trial.reports()).toEqual(["up/ack REJECTED", "up/evt DOOR_OPENED STAGE"]);
  });

  it.each(["ACKED", "CONFIRMED"] as const)(
    "stage: FAILED after %s is not applied",
    async (stage) => {
      const trial = await Trial.begin();
      await trial.ack(stage);
      await trial.ack("FAILED", { reason: "BOARD" });
      expect(await trial.get()).toMatchObject({ state: stage, conflict: "STAGE" });
      expect(await trial.reports()).toEqual([`up/ack ${stage}`, "up/ack FAILED STAGE"]);
    },
  );

  it("stage: REJECTED after ACKED and silence does not prove a shut door", async () => {
    const trial = await Trial.begin();
    await trial.ack("ACKED");
    await fleet.testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update command set acked_at = acked_at - interval '1 minute' where id = ${trial.id}`),
    );
    await trial.expire();
    await trial.ack("REJECTED", { reason: "BUSY" });
    expect(await trial.get()).toMatchObject({ state: "UNKNOWN", conflict: "STAGE" });
  });

  it("stage: a late NOT_CONFIRMED after the sensor's report is no contradiction", async () => {
    const trial = await Trial.begin();
    await trial.doorOpened();
    await trial.ack("NOT_CONFIRMED");
    expect(await trial.get()).toMatchObject({ state: "CONFIRMED", conflict: null });
  });
});
