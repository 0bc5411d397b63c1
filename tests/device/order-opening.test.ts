// Order openings that failed, changed nothing, or have an unknown result.
import { beforeAll, describe, expect, it } from "vitest";
import { openDoor } from "../../apps/server/src/features/fleet/command/index.ts";
import {
  cancelOrder,
  decideOpening,
  openOrder,
} from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, refusalOf, runOrderTask, silence } from "./order-fleet.ts";

const fleet = useDeviceFleet();

beforeAll(() => fleet.startGateway());

const make = () => OrderCabinet.make(fleet);

describe("failed or unknown opening", () => {
  it.each(["REJECTED", "EXPIRED", "FAILED"] as const)(
    "%s: the held money is returned, and a second opening works",
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

  it("NOT_CONFIRMED: the payer opens again on the same hold", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.ack(await at.take(), "NOT_CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", heldFen: 100, paidFen: 0 });
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100, heldFen: 0 });
  });

  it("NOT_CONFIRMED, but the door opened late: charged", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.ack(command, "NOT_CONFIRMED");
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100 });
  });

  it("result unknown: the hold stays and only its payer may open, until the cabinet answers", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", heldFen: 100 });
    expect(await refusalOf(at.open(at.rider, orderId, "TAKE_BACK"))).toBe("ORDER_IN_DOUBT");
    // The payer may try again; both openings then share one hold.
    await at.open(at.recipient, orderId, "PICKUP", { afterDoubt: true });
    const again = await at.take();
    await at.ack(command, "EXPIRED");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 100, isInDoubt: false });
    await at.ack(again, "REJECTED");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 0, paidFen: 0, balanceFen: 24_000 });
  });

  it("settled by the sensors: goods that are gone were taken through that door", async () => {
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

  it("settled by an operator's decision; a later report of the cabinet overrides it", async () => {
    const at = await make();
    const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;
    const { tenantId } = at.cabinet;
    const decide = (orderId: number, isOpened: boolean) =>
      at.within((db) =>
        decideOpening(db, operator, {
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
    // The cabinet's late report overrides the operator's decision.
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", paidFen: 100 });
  });

  it("deposit in doubt: stored as soon as the sensor sees goods", async () => {
    const at = await make();
    const { orderId } = await at.start();
    const command = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await at.event("DOOR_CLOSED", at.cell("CLOSED", "PRESENT"), command.cmdId);
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", hasCode: true });
  });
});

describe("opening that is proven after a later request at a higher price", () => {
  const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;
  const inDoubt = async (at: OrderCabinet, orderId: number) => {
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
  };
  const decideNotOpened = (at: OrderCabinet, orderId: number) =>
    at.within((db) =>
      decideOpening(db, operator, {
        ...{ tenantId: at.cabinet.tenantId, orderId },
        ...{ isOpened: false, reason: "现场核实" },
      }),
    );
  const passes = (at: OrderCabinet, orderId: number, minutes: number) =>
    at.within((db) =>
      db.run(sql`
        update storage_order set stored_at = stored_at - make_interval(mins => ${minutes})
        where id = ${orderId}`),
    );
  const paidAsAgreed = {
    ...{ state: "COMPLETED", priceFen: 100, paidFen: 100, heldFen: 0, balanceFen: 23_900 },
  };

  it.each(["in doubt", "recorded as not opened"])(
    "%s, then proven and the later one rejected: costs what its own request agreed to",
    async (state) => {
      const at = await make();
      const orderId = await at.stored(30);
      await at.open(at.recipient, orderId, "PICKUP");
      const command = await at.take();
      await inDoubt(at, orderId);
      if (state !== "in doubt") await decideNotOpened(at, orderId);
      await passes(at, orderId, 120);
      const more = { afterDoubt: true };
      const again = await at.open(at.recipient, orderId, "PICKUP", more);
      expect(again.chargedFen).toBe(300);
      const later = await at.take();
      await at.opens(command, "PRESENT");
      await at.ack(later, "REJECTED");
      await at.closes("EMPTY");
      expect(await at.facts(orderId)).toMatchObject(paidAsAgreed);
    },
  );

  it("the later one rejected first: the doubt costs what its request agreed to", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await inDoubt(at, orderId);
    await passes(at, orderId, 120);
    await at.open(at.recipient, orderId, "PICKUP", { afterDoubt: true });
    await at.ack(await at.take(), "REJECTED");
    expect(await at.facts(orderId)).toMatchObject({ isInDoubt: true, priceFen: 100, heldFen: 100 });
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject(paidAsAgreed);
  });

  it("the later one is somebody else's: it does not pay for the first", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    const walletOf = (endUserId: number) =>
      at.within((db) =>
        db.one<{ fen: number }>(sql`
          select principal_fen + bonus_fen as fen from wallet where end_user_id = ${endUserId}`),
      );
    const before = await walletOf(at.riderId);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await inDoubt(at, orderId);
    await decideNotOpened(at, orderId);
    await passes(at, orderId, 120);
    await at.open(at.rider, orderId, "TAKE_BACK");
    const later = await at.take();
    await at.opens(command, "PRESENT");
    await at.ack(later, "REJECTED");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject(paidAsAgreed);
    expect(await walletOf(at.riderId)).toEqual(before);
  });

  it("its card was used up meanwhile: owed, and not taken from the wallet", async () => {
    const at = await make();
    const { tenantId } = at.cabinet;
    await at.within((db) =>
      db.run(sql`
        with bought as (
          insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, edited_by)
          values (${tenantId}, '次卡', 'USES', '{SINGLE}', 300, 1, 30, 'test')
          returning id
        )
        insert into user_package (tenant_id, end_user_id, package_id, name, kind, sides, price_fen,
          uses, uses_left, expires_at)
        select ${tenantId}, ${at.recipientId}, id, '次卡', 'USES', '{SINGLE}', 300, 1, 1,
          now() + interval '30 days' from bought`),
    );
    const orderId = await at.stored(30);
    expect((await at.open(at.recipient, orderId, "PICKUP")).chargedFen).toBe(0);
    const command = await at.take();
    await inDoubt(at, orderId);
    await decideNotOpened(at, orderId);
    await at.within((db) =>
      db.run(sql`update user_package set uses_left = 0 where end_user_id = ${at.recipientId}`),
    );
    await at.opens(command, "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", payStatus: "UNPAID", priceFen: 100, paidFen: 0, balanceFen: 24_000 },
    });
  });
});

describe("opening without effect", () => {
  const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;
  const openAs = (at: OrderCabinet, orderId: number, waives: boolean) =>
    at.within((db) =>
      openOrder(db, operator, {
        ...{ tenantId: at.cabinet.tenantId, orderId, purpose: "PICKUP", requestId: "test" },
        ...{ reason: "用户来电", waives, afterDoubt: true },
      }),
    );
  const later = (at: OrderCabinet, orderId: number) =>
    at.within((db) =>
      db.run(sql`
        update storage_order set stored_at = stored_at - interval '60 minutes'
        where id = ${orderId}`),
    );

  it("waived opening that was rejected: waives nothing", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await openAs(at, orderId, true);
    await at.ack(await at.take(), "REJECTED");
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ paidFen: 100, payStatus: "PAID" });
  });

  it("pickup door open over a price step: a second opening and completing charge nothing more", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await later(at, orderId);
    expect(await at.open(at.recipient, orderId, "PICKUP")).toMatchObject({ chargedFen: 0 });
    await at.ack(await at.take(), "REJECTED");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", priceFen: 100, paidFen: 100, heldFen: 0, payStatus: "PAID" },
    });
  });

  it("proven late, after staff requested another opening: charges what its person agreed to", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const first = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    const { tenantId } = at.cabinet;
    const decision = { tenantId, orderId, isOpened: false, reason: "现场核实" };
    await at.within((db) => decideOpening(db, operator, decision));
    await later(at, orderId);
    await openAs(at, orderId, false);
    await at.take();
    await at.opens(first, "PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "PICKING", paidFen: 100, heldFen: 0 });
  });

  it("waived and recorded as not opened, proven after a person's request: that one costs the rest", async () => {
    const at = await make();
    const { tenantId } = at.cabinet;
    const orderId = await at.stored(30);
    await openAs(at, orderId, true);
    const waived = await at.take();
    await at.ack(waived, "NOT_CONFIRMED");
    await at.within((db) =>
      decideOpening(db, operator, { tenantId, orderId, isOpened: false, reason: "电话核实" }),
    );
    await later(at, orderId);
    expect(await at.open(at.recipient, orderId, "PICKUP")).toMatchObject({ chargedFen: 200 });
    const paid = await at.take();
    await at.ack(waived, "CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 200, paidFen: 0 });
    await at.ack(paid, "CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 0, paidFen: 100, payStatus: "PAID" });
  });

  it("order ended while an opening is in doubt: releases its hold", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    // The operator's opening leaves the price unpaid, so that the recipient's one holds it.
    await openAs(at, orderId, false);
    await at.opens(await at.take(), "PRESENT");
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", heldFen: 100 });
    await silence(at);
    await until("the end", async () => (await at.facts(orderId)).heldFen === 0);
    expect(await at.facts(orderId)).toMatchObject({
      ...{ priceFen: 100, paidFen: 0, payStatus: "UNPAID", balanceFen: 24_000 },
    });
  });

  it("price waived while an opening is in doubt: not charged", async () => {
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

  it("operator opens the door outside the order: the opening stays in doubt", async () => {
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
    await runOrderTask(fleet, "order.followDoors");
    expect(await at.facts(orderId)).toMatchObject({ isInDoubt: true, heldFen: 100 });
    await at.ack(command, "EXPIRED");
  });
});

/** State after a sweep that settled the commands but died before it updated their orders. */
const settleUnheard = (at: OrderCabinet) =>
  at.within((db) =>
    db.run(sql`
      update command set state = 'UNKNOWN', settled_at = now()
      where cabinet_id = ${at.cabinet.id} and state in ('SENT', 'ACKED')`),
  );

it("order whose opening result is not applied yet: neither cancelled nor opened again", async () => {
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
  await runOrderTask(fleet, "order.giveUp");
  expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", occupancy: "RESERVED" });
  await runOrderTask(fleet, "order.followDoors");
  await runOrderTask(fleet, "order.giveUp");
  expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", isInDoubt: true });
});
