// Orders through the whole stack: cabinet reports move them on, in any order of arrival.
import { beforeAll, describe, expect, it } from "vitest";
import { forceComplete } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
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

/** Sends the reports of one opening, numbered chronologically but sent in the given order. */
async function sendReports(
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

describe("order from deposit to pickup", () => {
  it("door closes: stored, code sent; pickup door opens: paid", async () => {
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

  it("taken back by the rider, who pays for it", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    expect(await refusalOf(at.open(at.rider, orderId, "PICKUP"))).toBe("NOT_FOUND");
    await at.open(at.rider, orderId, "TAKE_BACK");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "TAKEN_BACK", paidFen: 100 });
  });

  it("double-sided cabinet: in through the back, out through the front", async () => {
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

  it("no item sensor: the closed door decides", async () => {
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

  it("door closed on an empty compartment: still a deposit until goods are seen", async () => {
    const at = await make();
    const { orderId } = await at.start();
    await at.opens(await at.take(), "EMPTY");
    await at.closes("EMPTY");
    expect((await at.facts(orderId)).state).toBe("DEPOSITING");
    await at.event("ITEM_PLACED", at.cell("CLOSED", "PRESENT"));
    expect((await at.facts(orderId)).state).toBe("STORED");
  });

  it("goods left in at pickup: stored again, the next pickup pays only the difference", async () => {
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

describe("order reports in any sequence", () => {
  it("sensor before ack: the sensor settles it, the ack changes nothing", async () => {
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

  it("CONFIRMED before DOOR_OPENED: the earlier CLOSED state does not end the order", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    // The ack overtakes the sensor: the last reported door state is still the earlier CLOSED.
    const opened = ++at.raw.n;
    await at.ack(command, "CONFIRMED");
    expect((await at.facts(orderId)).state).toBe("PICKING");
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), command.cmdId, opened);
    expect((await at.facts(orderId)).state).toBe("PICKING");
    await at.closes("EMPTY");
    expect((await at.facts(orderId)).state).toBe("COMPLETED");
  });

  it("duplicate or late reports: change nothing", async () => {
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

  it("every second permutation of one opening's reports: same final state", async () => {
    const orders = permutations(["ACKED", "OPENED", "CONFIRMED", "CLOSED"] as const);
    // Half of the permutations: each left out differs from its neighbour by one swap.
    for (const order of orders.filter((_, at) => at % 2 === 0)) {
      const at = await make();
      const { orderId } = await at.start();
      await sendReports(at, await at.take(), order, ["EMPTY", "PRESENT"]);
      expect(await at.facts(orderId), order.join()).toMatchObject({
        state: "STORED",
        hasCode: true,
      });
      await at.open(at.recipient, orderId, "PICKUP");
      await sendReports(at, await at.take(), order, ["PRESENT", "EMPTY"]);
      expect(await at.facts(orderId), order.join()).toMatchObject({
        ...{ state: "COMPLETED", paidFen: 100, heldFen: 0, occupancy: "FREE", isInDoubt: false },
      });
    }
  });

  it("closing shown only by the snapshot after a power loss: counts", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.opens(command, "PRESENT");
    await at.reboot({ lastSeq: command.seq, compartments: [at.cell("CLOSED", "EMPTY")] });
    await until("the end", async () => (await at.facts(orderId)).state === "COMPLETED");
  });
});

describe("concurrent orders", () => {
  it.each([
    ["unfinished deposits", "PENDING"],
    ["deposits that ran out behind an open door", "EXCEPTION"],
  ])("rider with five %s: a sixth is refused", async (_, state) => {
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
            recipient_id, pricing, state)
          select ${tenantId}, 'SINGLE', ${cabinetId}, no, 'L', ${at.riderId}, ${at.recipientId}, '{}',
            ${state}
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

  it("last compartment: granted to one of three requests", async () => {
    const at = await make();
    const outcomes = await Promise.all([at.start(), at.start(), at.start()].map(refusalOf));
    expect(outcomes.sort()).toEqual(["NO_FREE_COMPARTMENT", "NO_FREE_COMPARTMENT", "granted"]);
    const live = await at.within((db) =>
      db.many(sql`select order_id from live_order where cabinet_id = ${at.cabinet.id}`),
    );
    expect(live).toHaveLength(1);
  });

  it("six concurrent openings: one command, one hold", async () => {
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

  it("short balance: no opening, by account or code, until an operator opens the door", async () => {
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
          ...{ tenantId, orderId, reason: "当面交付", chargeFen: 0 },
        }),
      );
    expect(await refusalOf(complete())).toBe("COMPARTMENT_OCCUPIED");
    await at.open(operator, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", payStatus: "UNPAID" });
  });
});
