// Orders through the whole house: what a cabinet reports moves them on, in whatever order it arrives.
import { beforeAll, describe, expect, it } from "vitest";
import { forceComplete } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/db.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, refusalOf } from "./order-fleet.ts";

const fleet = useDeviceFleet();

beforeAll(() => fleet.startGateway());

const make = (options?: Parameters<typeof OrderCabinet.make>[1]) =>
  OrderCabinet.make(fleet, options);

function permutations<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, at) =>
    permutations(things.toSpliced(at, 1)).map((rest) => [thing, ...rest]),
  );
}

/** The reports of one opening, numbered as they were made and sent as `order` says. */
async function tell(
  at: OrderCabinet,
  command: { cmdId: string; seq: number },
  order: readonly ("ACKED" | "OPENED" | "CONFIRMED" | "CLOSED")[],
  [before, after]: readonly ["EMPTY" | "PRESENT", "EMPTY" | "PRESENT"],
): Promise<void> {
  const n = at.raw.n;
  at.raw.n += 4;
  for (const each of order) {
    if (each === "ACKED") await at.ack(command, "ACKED", n + 1);
    if (each === "OPENED") {
      await at.event("DOOR_OPENED", at.cell("OPEN", before), command.cmdId, n + 2);
    }
    if (each === "CONFIRMED") await at.ack(command, "CONFIRMED", n + 3);
    if (each === "CLOSED") {
      await at.event("DOOR_CLOSED", at.cell("CLOSED", after), undefined, n + 4);
    }
  }
}

describe("an order, from the deposit to the pickup", () => {
  it("is stored when the door has closed, told by a code, and paid when the door has opened", async () => {
    const at = await make();
    const { orderId } = await at.start();
    expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", occupancy: "RESERVED" });
    await at.opens(await at.take(), "EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "DEPOSITING", hasCode: false });
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "STORED", occupancy: "OCCUPIED", hasCode: true, payStatus: "NONE" },
    });
    await at.within((db) =>
      db.run(sql`
        update storage_order set stored_at = stored_at - interval '90 minutes' where id = ${orderId}`),
    );
    const opening = await at.openByCode(at.recipient, await at.code(orderId));
    expect(opening).toMatchObject({ orderId, side: "FRONT", chargedFen: 200 });
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 200, paidFen: 0, balanceFen: 24_000 });
    await at.opens(await at.take(), "PRESENT");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "PICKING", heldFen: 0, paidFen: 200, balanceFen: 23_800, payStatus: "PAID" },
    });
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", occupancy: "FREE", priceFen: 200 },
      kinds:
        "CREATED OPEN_REQUESTED DOOR_OPENED DOOR_CLOSED STORED CODE_SENT OPEN_REQUESTED PAID DOOR_OPENED DOOR_CLOSED COMPLETED",
    });
    expect(await at.openByCode(at.recipient, await at.code(orderId))).toBeNull();
  });

  it("is taken back by the rider, who pays for it", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    expect(await refusalOf(at.open(at.rider, orderId, "PICKUP"))).toBe("NOT_FOUND");
    await at.open(at.rider, orderId, "TAKE_BACK");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "TAKEN_BACK", paidFen: 100 });
  });

  it("goes in at the back and out at the front of a double-sided cabinet", async () => {
    const at = await make({ side: "DOUBLE" });
    const { orderId } = await at.start();
    const command = await at.take();
    expect(command).toMatchObject({ side: "BACK", orderId: String(orderId) });
    await at.ack(command, "ACKED");
    await at.event(
      "DOOR_OPENED",
      { no: 1, front: "CLOSED", back: "OPEN", item: "EMPTY" },
      command.cmdId,
    );
    await at.ack(command, "CONFIRMED");
    expect(await refusalOf(at.open(at.recipient, orderId, "PICKUP"))).toBe("STATE_NOT_ALLOWED");
    await at.event("DOOR_CLOSED", { no: 1, front: "CLOSED", back: "CLOSED", item: "PRESENT" });
    expect((await at.facts(orderId)).state).toBe("STORED");
    expect(await at.open(at.recipient, orderId, "PICKUP")).toMatchObject({ side: "FRONT" });
  });

  it("lets the door's closing count where no sensor sees the goods", async () => {
    const at = await make();
    const { orderId } = await at.start();
    await at.opens(await at.take(), "UNKNOWN");
    await at.closes("UNKNOWN");
    expect((await at.facts(orderId)).state).toBe("STORED");
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "UNKNOWN");
    await at.closes("UNKNOWN");
    expect((await at.facts(orderId)).state).toBe("COMPLETED");
  });

  it("stays a deposit when the door closes on nothing, until the goods are seen", async () => {
    const at = await make();
    const { orderId } = await at.start();
    await at.opens(await at.take(), "EMPTY");
    await at.closes("EMPTY");
    expect((await at.facts(orderId)).state).toBe("DEPOSITING");
    await at.event("ITEM_PLACED", at.cell("CLOSED", "PRESENT"));
    expect((await at.facts(orderId)).state).toBe("STORED");
  });

  it("is stored again when the goods were left in, and pays only what comes on top", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", paidFen: 100, hasCode: true });
    await at.within((db) =>
      db.run(sql`
        update storage_order set stored_at = stored_at - interval '1 hour' where id = ${orderId}`),
    );
    expect(await at.open(at.recipient, orderId, "PICKUP")).toMatchObject({ chargedFen: 100 });
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 200 });
  });
});

describe("reports in any order", () => {
  it("settle by the sensor before the ack, which then changes nothing", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), command.cmdId);
    expect(await at.facts(orderId)).toMatchObject({ state: "PICKING", paidFen: 100, heldFen: 0 });
    await at.closes("EMPTY");
    const settled = await at.facts(orderId);
    expect(settled.state).toBe("COMPLETED");
    await at.ack(command, "CONFIRMED");
    expect(await at.facts(orderId)).toEqual(settled);
  });

  it("do not take an old snapshot for a closing", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    // The result overtakes the sensor: the door's last word is still CLOSED, from before.
    const opened = ++at.raw.n;
    await at.ack(command, "CONFIRMED");
    expect((await at.facts(orderId)).state).toBe("PICKING");
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), command.cmdId, opened);
    expect((await at.facts(orderId)).state).toBe("PICKING");
    await at.closes("EMPTY");
    expect((await at.facts(orderId)).state).toBe("COMPLETED");
  });

  it("change nothing when they come twice or late", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    const n = at.raw.n;
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    const before = await at.facts(orderId);
    expect(before.state).toBe("COMPLETED");
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), command.cmdId, n + 2);
    await at.ack(command, "CONFIRMED", n + 3);
    await at.event("DOOR_CLOSED", at.cell("CLOSED", "EMPTY"), undefined, n + 4);
    expect(await at.facts(orderId)).toEqual(before);
  });

  it("end the same, in whatever order those of one opening arrive", async () => {
    const orders = permutations(["ACKED", "OPENED", "CONFIRMED", "CLOSED"] as const);
    // Every second one: those left out differ from their neighbours by one exchange.
    for (const order of orders.filter((_, at) => at % 2 === 0)) {
      const at = await make();
      const { orderId } = await at.start();
      await tell(at, await at.take(), order, ["EMPTY", "PRESENT"]);
      expect(await at.facts(orderId), order.join()).toMatchObject({
        state: "STORED",
        hasCode: true,
      });
      await at.open(at.recipient, orderId, "PICKUP");
      await tell(at, await at.take(), order, ["PRESENT", "EMPTY"]);
      expect(await at.facts(orderId), order.join()).toMatchObject({
        ...{ state: "COMPLETED", paidFen: 100, heldFen: 0, occupancy: "FREE", isInDoubt: false },
      });
    }
  });

  it("count a closing that only the snapshot after a loss of power shows", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.opens(command, "PRESENT");
    await at.reboot({ lastSeq: command.seq, compartments: [at.cell("CLOSED", "EMPTY")] });
    await until("the end", async () => (await at.facts(orderId)).state === "COMPLETED");
  });
});

describe("many at once", () => {
  it("lets nobody keep compartments by beginning ever more deposits", async () => {
    const at = await make();
    const { tenantId, id: cabinetId } = at.cabinet;
    const unfinished = sql`cabinet_id = ${cabinetId} and compartment_no`;
    await at.within(async (db) => {
      await db.run(sql`
        insert into compartment (tenant_id, cabinet_id, no, size, board_address, layout_column,
          layout_row)
        select ${tenantId}, ${cabinetId}, no, 'L', '00-0' || no, 2, no from generate_series(2, 6) no`);
      await db.run(sql`
        with begun as (
          insert into storage_order (tenant_id, side, cabinet_id, compartment_no, size, rider_id,
            recipient_id, pricing)
          select ${tenantId}, 'SINGLE', ${cabinetId}, no, 'L', ${at.riderId}, ${at.recipientId}, '{}'
          from generate_series(2, 6) no
          returning *
        )
        insert into live_order (tenant_id, cabinet_id, compartment_no, order_id)
        select tenant_id, cabinet_id, compartment_no, id from begun`);
    });
    expect(await refusalOf(at.start())).toBe("DEPOSITS_UNFINISHED");
    await at.within((db) => db.run(sql`delete from live_order where ${unfinished} = 2`));
    expect(await refusalOf(at.start())).toBe("granted");
  });

  it("gives the last compartment to one of two riders", async () => {
    const at = await make();
    const outcomes = await Promise.all([at.start(), at.start(), at.start()].map(refusalOf));
    expect(outcomes.sort()).toEqual(["NO_FREE_COMPARTMENT", "NO_FREE_COMPARTMENT", "granted"]);
    const live = await at.within((db) =>
      db.many(sql`select order_id from live_order where cabinet_id = ${at.cabinet.id}`),
    );
    expect(live).toHaveLength(1);
  });

  it("opens once for one intent, however often it is asked, and holds the money once", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => refusalOf(at.open(at.recipient, orderId, "PICKUP"))),
    );
    expect(outcomes.sort()).toEqual([...Array(5).fill("COMMAND_IN_FLIGHT"), "granted"]);
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 100 });
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100 });
  });

  it("leaves no way out for whoever cannot pay, and no money is lost", async () => {
    const at = await make();
    const orderId = await at.stored(60 * 200);
    expect(await refusalOf(at.open(at.recipient, orderId, "PICKUP"))).toBe("BALANCE_SHORT");
    const anybody = { kind: "END_USER", id: null, name: "凭取件码" } as const;
    expect(await refusalOf(at.openByCode(anybody, await at.code(orderId)))).toBe("ORDER_OWES");
    expect(await fleet.findCommands(at.cabinet)).toHaveLength(1);
    const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;
    const { tenantId } = at.cabinet;
    const complete = () =>
      at.within((db) =>
        forceComplete(db, operator, {
          ...{ tenantId, orderId, reason: "当面交付", waives: true },
        }),
      );
    expect(await refusalOf(complete())).toBe("COMPARTMENT_OCCUPIED");
    await at.open(operator, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", payStatus: "UNPAID" });
  });
});
