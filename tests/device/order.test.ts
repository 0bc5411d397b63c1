// Orders through the whole house: what a cabinet reports moves them on, in whatever order it arrives.
import { beforeAll, describe, expect, it } from "vitest";
import { openDoor } from "../../apps/server/src/features/command/index.ts";
import {
  cancelOrder,
  decideOpening,
  forceComplete,
  openOrder,
  orderJobs,
} from "../../apps/server/src/features/order/index.ts";
import { sql } from "../../apps/server/src/platform/db.ts";
import { Refusal } from "../../apps/server/src/platform/errors.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { OrderCabinet } from "./order-street.ts";
import { until, useStreet } from "./street.ts";

const street = useStreet();

beforeAll(() => street.startGateway());

const make = (options?: Parameters<typeof OrderCabinet.make>[1]) =>
  OrderCabinet.make(street, options);

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "granted",
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

const runOrderTask = (task: string) =>
  orderJobs(street.vault).tasks[task]?.(
    {},
    { database: street.house.database, log: createLog("silent") },
  );

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

/** As if the command had been given so much earlier, and the sweep had come. */
async function silence(at: OrderCabinet): Promise<void> {
  await at.within((db) =>
    db.run(sql`
      update command set expires_at = expires_at - interval '60 seconds'
      where cabinet_id = ${at.cabinet.id} and state in ('SENT', 'ACKED')`),
  );
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
  it("may tell the closing before the opening is confirmed", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), command.cmdId);
    await at.closes("EMPTY");
    expect((await at.facts(orderId)).state).toBe("STORED");
    await at.ack(command, "CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100, heldFen: 0 });
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

describe("an opening that did not happen, or of which nobody knows", () => {
  it.each(["REJECTED", "EXPIRED", "FAILED", "NOT_CONFIRMED"] as const)(
    "gives the money back when it is %s",
    async (stage) => {
      const at = await make();
      const orderId = await at.stored(30);
      await at.open(at.recipient, orderId, "PICKUP");
      const command = await at.take();
      expect((await at.facts(orderId)).heldFen).toBe(100);
      await at.ack(command, stage);
      expect(await at.facts(orderId)).toMatchObject({
        ...{ state: "STORED", heldFen: 0, paidFen: 0, isInDoubt: false, balanceFen: 24_000 },
      });
      await at.open(at.recipient, orderId, "PICKUP");
      await at.opens(await at.take(), "PRESENT");
      await at.closes("EMPTY");
      expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100 });
    },
  );

  it("pays for a door that was told shut and opened late after all", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.ack(command, "NOT_CONFIRMED");
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100 });
  });

  it("keeps what is held while nobody knows, for its payer alone, until the cabinet says no", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", heldFen: 100 });
    expect(await refusalOf(at.open(at.rider, orderId, "TAKE_BACK"))).toBe("ORDER_IN_DOUBT");
    // Whoever pays already may try again; then it is two openings that stand on one hold.
    await at.open(at.recipient, orderId, "PICKUP");
    const again = await at.take();
    await at.ack(command, "EXPIRED");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 100, isInDoubt: false });
    await at.ack(again, "REJECTED");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 0, paidFen: 0, balanceFen: 24_000 });
  });

  it("is settled by the sensors: goods that are gone went out by that door", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.reboot({
      ...{ lastSeq: command.seq, compartments: [at.cell("CLOSED", "EMPTY")] },
      journal: [{ cmdId: command.cmdId, seq: command.seq, stage: "UNKNOWN" }],
    });
    await until("the end", async () => (await at.facts(orderId)).state === "COMPLETED");
    expect(await at.facts(orderId)).toMatchObject({ paidFen: 100, heldFen: 0 });
  });

  it("is settled by a person who has seen it", async () => {
    const at = await make();
    const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;
    const { tenantId } = at.cabinet;
    const decide = (orderId: number, isOpened: boolean) =>
      at.within((db) =>
        decideOpening(db, street.vault, operator, {
          tenantId,
          orderId,
          isOpened,
          reason: "现场核实",
        }),
      );
    const orderId = await at.stored(30);
    expect(await refusalOf(decide(orderId, true))).toBe("ORDER_NOT_IN_DOUBT");
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await decide(orderId, false);
    expect(await at.facts(orderId)).toMatchObject({
      heldFen: 0,
      isInDoubt: false,
      state: "STORED",
    });
    // The cabinet's late word outranks the person's.
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100 });
  });

  it("takes a deposit in doubt for one that may hold goods", async () => {
    const at = await make();
    const { orderId } = await at.start();
    const command = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await at.event("DOOR_CLOSED", at.cell("CLOSED", "PRESENT"), command.cmdId);
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", hasCode: true });
  });
});

describe("an opening that came to nothing", () => {
  const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;
  const openAs = (at: OrderCabinet, orderId: number, waives: boolean) =>
    at.within((db) =>
      openOrder(db, operator, {
        ...{ tenantId: at.cabinet.tenantId, orderId, purpose: "PICKUP", requestId: "test" },
        ...{ reason: "用户来电", waives },
      }),
    );
  const later = (at: OrderCabinet, orderId: number) =>
    at.within((db) =>
      db.run(sql`
        update storage_order set stored_at = stored_at - interval '60 minutes'
        where id = ${orderId}`),
    );

  it("has waived nothing", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await openAs(at, orderId, true);
    await at.ack(await at.take(), "REJECTED");
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ paidFen: 100, payStatus: "PAID" });
  });

  it("asks for nothing more when the goods went out by the one before it", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await later(at, orderId);
    expect(await at.open(at.recipient, orderId, "PICKUP")).toMatchObject({ chargedFen: 100 });
    await at.ack(await at.take(), "REJECTED");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", priceFen: 100, paidFen: 100, heldFen: 0, payStatus: "PAID" },
    });
  });

  it("leaves nothing held for an order that ended meanwhile, though nobody knows", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await later(at, orderId);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", heldFen: 100 });
    await silence(at);
    await until("the end", async () => (await at.facts(orderId)).heldFen === 0);
    expect(await at.facts(orderId)).toMatchObject({
      ...{ priceFen: 100, paidFen: 100, payStatus: "PAID", balanceFen: 23_900 },
    });
  });

  it("does not charge what was waived while it was in doubt", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await openAs(at, orderId, true);
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 0 });
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", paidFen: 0, heldFen: 0, balanceFen: 24_000 },
    });
  });

  it("stays in doubt when an operator opens the door past the order", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await settleUnheard(at);
    await at.within((db) =>
      openDoor(
        db,
        { tenantId: at.cabinet.tenantId },
        {
          ...{ cabinetId: at.cabinet.id, no: 1, side: "FRONT", actor: operator },
          ...{ requestId: "test", reason: "检修" },
        },
      ),
    );
    await at.take();
    await runOrderTask("order.followDoors");
    expect(await at.facts(orderId)).toMatchObject({ isInDoubt: true, heldFen: 100 });
    await at.ack(command, "EXPIRED");
  });
});

/** The sweep has settled the commands of this cabinet, and died before it told their orders. */
const settleUnheard = (at: OrderCabinet) =>
  at.within((db) =>
    db.run(sql`
      update command set state = 'UNKNOWN', settled_at = now()
      where cabinet_id = ${at.cabinet.id} and state in ('SENT', 'ACKED')`),
  );

it("is neither cancelled nor opened again before it has heard what came of its door", async () => {
  const at = await make();
  const { orderId } = await at.start();
  await at.take();
  await settleUnheard(at);
  const { tenantId } = at.cabinet;
  const cancel = () => at.within((db) => cancelOrder(db, at.rider, { tenantId, orderId }));
  expect(await refusalOf(cancel())).toBe("COMMAND_IN_FLIGHT");
  expect(await refusalOf(at.open(at.rider, orderId, "DEPOSIT"))).toBe("COMMAND_IN_FLIGHT");
  await at.within((db) =>
    db.run(sql`update live_order set deposit_until = now() where order_id = ${orderId}`),
  );
  await runOrderTask("order.giveUp");
  expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", occupancy: "RESERVED" });
  await runOrderTask("order.followDoors");
  await runOrderTask("order.giveUp");
  expect((await at.facts(orderId)).state).not.toBe("PENDING");
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
    expect(await street.findCommands(at.cabinet)).toHaveLength(1);
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
