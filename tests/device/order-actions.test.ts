// Order steps by time and by people: given up, overdue, refunded, settled, paid by card.
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  cancelOrder,
  extendOrder,
  forceComplete,
  payOrder,
  quoteOrder,
  refundOrder,
  resendCode,
} from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { insertSmsChannel } from "../support/messages.ts";
import { withClient } from "../support/postgres.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, refusalOf, runOrderTask, silence } from "./order-fleet.ts";

const fleet = useDeviceFleet();
const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;

beforeAll(() => fleet.startGateway());

const make = () => OrderCabinet.make(fleet);
const run = (task: string) => runOrderTask(fleet, task);
const key = (at: OrderCabinet, orderId: number) => ({ tenantId: at.cabinet.tenantId, orderId });

/** Moves the end of the deposit period into the past. */
const age = (at: OrderCabinet, orderId: number) =>
  at.within((db) =>
    db.run(sql`
      update live_order set deposit_until = now() - interval '1 second' where order_id = ${orderId}`),
  );

async function pickUp(at: OrderCabinet, orderId: number): Promise<void> {
  await at.open(at.recipient, orderId, "PICKUP");
  await at.opens(await at.take(), "PRESENT");
  await at.closes("EMPTY");
}

describe("unfinished deposit", () => {
  it("compartment empty: cancelled once the opening is settled, and the compartment is free", async () => {
    const at = await make();
    const { orderId } = await at.start();
    await age(at, orderId);
    await run("order.giveUp");
    // The opening is still in flight, so the door may be opening now.
    expect((await at.facts(orderId)).state).toBe("PENDING");
    await at.ack(await at.take(), "EXPIRED");
    await run("order.giveUp");
    expect(await at.facts(orderId)).toMatchObject({ state: "CANCELLED", occupancy: "FREE" });
    await at.start();
  });

  it.each([
    ["its door stands open", "EXCEPTION", "OPEN", "EMPTY"],
    ["nobody sees what lies in it", "STORED", "CLOSED", "UNKNOWN"],
    ["it is seen to be empty", "CANCELLED", "CLOSED", "EMPTY"],
  ] as const)("given up when %s: %s", async (_when, state, door, item) => {
    const at = await make();
    const { orderId } = await at.start();
    await at.opens(await at.take(), "EMPTY");
    await at.event(door === "OPEN" ? "ITEM_TAKEN" : "DOOR_CLOSED", at.cell(door, item));
    await age(at, orderId);
    await run("order.giveUp");
    expect((await at.facts(orderId)).state).toBe(state);
  });

  it("opening in doubt and no sensor: EXCEPTION until the rider takes the goods back", async () => {
    const at = await make();
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    const { orderId } = await at.start();
    const command = await at.take();
    await at.ack(command, "UNKNOWN");
    await age(at, orderId);
    await run("order.giveUp");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
    // The rider who may have put something in can open the door again.
    await at.open(at.rider, orderId, "TAKE_BACK", { afterDoubt: true });
    await at.opens(await at.take(), "UNKNOWN");
    await at.closes("UNKNOWN");
    expect(await at.facts(orderId)).toMatchObject({ state: "TAKEN_BACK", occupancy: "FREE" });
  });

  it("cancelled by its rider, and by nobody else", async () => {
    const at = await make();
    const { orderId } = await at.start();
    const command = await at.take();
    const cancel = (actor: typeof at.rider) =>
      at.within((db) => cancelOrder(db, actor, key(at, orderId)));
    expect(await refusalOf(cancel(at.recipient))).toBe("NOT_FOUND");
    expect(await refusalOf(cancel(at.rider))).toBe("COMMAND_IN_FLIGHT");
    await at.ack(command, "REJECTED");
    expect(await cancel(at.rider)).toBe("CANCELLED");
    expect(await refusalOf(cancel(at.rider))).toBe("STATE_NOT_ALLOWED");
  });
});

const fallDue = (at: OrderCabinet, orderId: number) =>
  at.within((db) =>
    db.run(sql`
      with ord as (update storage_order set overdue_at = now() - interval '1 minute'
        where id = ${orderId})
      update live_order set overdue_at = now() - interval '1 minute' where order_id = ${orderId}`),
  );
const reminders = (at: OrderCabinet, orderId: number) =>
  at.within((db) =>
    db.many(sql`select from sms_message where order_id = ${orderId} and scene = 'OVERDUE'`),
  );

const countedOverdue = async (at: OrderCabinet) => {
  const { n } = await at.within((db) =>
    db.one<{ n: number }>(sql`
      select coalesce(sum(overdue), 0)::int as n from order_delta where cabinet_id = ${at.cabinet.id}`),
  );
  return n;
};

describe("overdue order", () => {
  it("becomes overdue once with one reminder, and may be extended", async () => {
    const at = await make();
    const orderId = await at.stored();
    await fallDue(at, orderId);
    await run("order.becomeOverdue");
    await run("order.becomeOverdue");
    const facts = await at.facts(orderId);
    expect(facts).toMatchObject({ state: "OVERDUE", hasCode: true });
    expect(facts.kinds.match(/OVERDUE/g)).toHaveLength(1);
    const messages = await reminders(at, orderId);
    expect(messages).toHaveLength(1);
    const request = { ...key(at, orderId), hours: 24, reason: "用户来电" };
    await at.within((db) => extendOrder(db, operator, request));
    expect((await at.facts(orderId)).state).toBe("STORED");
    await run("order.becomeOverdue");
    expect((await at.facts(orderId)).state).toBe("STORED");
    await fallDue(at, orderId);
    await run("order.becomeOverdue");
    expect(await reminders(at, orderId)).toHaveLength(2);
    expect(await countedOverdue(at)).toBe(1);
  });

  it("falls due while its door is open: counted and reminded when the door closes on the goods", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await fallDue(at, orderId);
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "OVERDUE" });
    expect(await reminders(at, orderId)).toHaveLength(1);
    expect(await countedOverdue(at)).toBe(1);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("PRESENT");
    expect(await reminders(at, orderId)).toHaveLength(1);
    expect(await countedOverdue(at)).toBe(1);
  });

  it("tenant without reminders: no text message, also not after they are switched on", async () => {
    const at = await make();
    const orderId = await at.stored();
    const setReminders = (isEnabled: boolean) =>
      at.within((db) =>
        db.run(sql`
          insert into tenant_setting (tenant_id, tells_overdue, edited_by)
          values (${at.cabinet.tenantId}, ${isEnabled}, '王芳')
          on conflict (tenant_id) do update set tells_overdue = excluded.tells_overdue`),
      );
    await setReminders(false);
    await fallDue(at, orderId);
    await run("order.becomeOverdue");
    await setReminders(true);
    expect(await at.facts(orderId)).toMatchObject({ state: "OVERDUE" });
    const messages = await reminders(at, orderId);
    expect(messages).toEqual([]);
  });

  it("due before a backup was restored: overdue without a reminder", async () => {
    const at = await make();
    const orderId = await at.stored();
    await fallDue(at, orderId);
    const restored = (statement: string) =>
      withClient(fleet.testServer.url, (client) => client.query(statement));
    await restored("insert into restoration default values");
    onTestFinished(async () => {
      await restored("delete from restoration");
    });
    await run("order.becomeOverdue");
    expect(await at.facts(orderId)).toMatchObject({ state: "OVERDUE" });
    const messages = await reminders(at, orderId);
    expect(messages).toEqual([]);
  });

  it("pickup code resent: the new one opens, the old one does not", async () => {
    const at = await make();
    const orderId = await at.stored();
    const old = await at.code(orderId);
    await fleet.testServer.database.transaction("platform", (db) => insertSmsChannel(db, "平台"));
    await at.within((db) => resendCode(db, operator, key(at, orderId)));
    const fresh = await at.code(orderId);
    expect(await at.openByCode(at.recipient, old === fresh ? "" : old)).toBeNull();
    expect(await at.openByCode(at.recipient, fresh)).toMatchObject({ orderId });
  });
});

describe("order money", () => {
  it("refunded in parts to its payer, bonus first, at most the amount paid", async () => {
    const at = await make();
    const orderId = await at.stored(110 * 60 - 1);
    await pickUp(at, orderId);
    expect(await at.facts(orderId)).toMatchObject({ paidFen: 11_000, payStatus: "PAID" });
    const refund = (fen: number) =>
      at.within((db) =>
        refundOrder(db, operator, { ...key(at, orderId), fen, reason: "格口损坏" }),
      );
    expect(await refund(1_500)).toEqual({ principalFen: 500, bonusFen: 1_000 });
    expect(await at.facts(orderId)).toMatchObject({ payStatus: "PARTIAL_REFUND" });
    expect(await refusalOf(refund(9_501))).toBe("REFUND_TOO_MUCH");
    expect(await refund(9_500)).toEqual({ principalFen: 9_500, bonusFen: 0 });
    expect(await at.facts(orderId)).toMatchObject({ payStatus: "REFUNDED", balanceFen: 24_000 });
  });

  it("left unpaid by an operator's opening: paid once by the recipient afterwards", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(operator, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    const pay = () => at.within((db) => payOrder(db, at.recipient, key(at, orderId)));
    expect(await refusalOf(pay())).toBe("STATE_NOT_ALLOWED");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", payStatus: "UNPAID" });
    expect(await Promise.all([pay(), pay()])).toContainEqual({ paidFen: 100 });
    expect(await at.facts(orderId)).toMatchObject({ payStatus: "PAID", paidFen: 100 });
  });

  it("completed by an operator: what they type is charged to the recipient, the rest waived", async () => {
    for (const [chargeFen, paidFen] of [
      [0, 0],
      [40, 40],
      [100, 100],
    ] as const) {
      const at = await make();
      const orderId = await at.stored(30);
      await at.event("ITEM_TAKEN", at.cell("CLOSED", "EMPTY"));
      const request = { ...key(at, orderId), reason: "当面交付", chargeFen };
      const money = await at.within((db) => forceComplete(db, operator, request));
      expect(money).toEqual({ paidFen, owedFen: 0 });
      expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", occupancy: "FREE" });
    }
  });

  it("completed days after an opening in doubt: charged at most what its request agreed to", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    // Three days pass at a cabinet without item sensors.
    await at.within(async (db) => {
      await db.run(sql`
        update storage_order set stored_at = stored_at - interval '3 days' where id = ${orderId}`);
      await db.run(sql`
        update compartment set item = 'UNKNOWN' where cabinet_id = ${at.cabinet.id}`);
    });
    const completed = (chargeFen: number) =>
      at.within((db) =>
        forceComplete(db, operator, { ...key(at, orderId), reason: "当面交付", chargeFen }),
      );
    expect(await refusalOf(completed(101))).toBe("CHARGE_TOO_MUCH");
    expect(await completed(100)).toEqual({ paidFen: 100, owedFen: 0 });
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", priceFen: 100, paidFen: 100, heldFen: 0, balanceFen: 23_900 },
    });
  });

  it("time in which nobody could reach the cabinet is not charged", async () => {
    const at = await make();
    const orderId = await at.stored(170);
    const priceFen = async () =>
      (await at.within((db) => quoteOrder(db, key(at, orderId), at.recipientId))).priceFen;
    expect(await priceFen()).toBe(300);
    await at.within((db) =>
      db.run(sql`
        update cabinet set last_seen_at = now() - interval '100 minutes',
          offline_at = now() - interval '98 minutes' where id = ${at.cabinet.id}`),
    );
    expect(await priceFen()).toBe(200);
    await at.event("ITEM_PLACED", at.cell("CLOSED", "PRESENT"));
    expect(await priceFen()).toBe(200);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({
      state: "COMPLETED",
      priceFen: 200,
      paidFen: 200,
    });
  });

  it("covered by a card: the use is spent at opening and returned when the door stays shut", async () => {
    const at = await make();
    const { tenantId } = at.cabinet;
    await at.within((db) =>
      db.run(sql`
        with bought as (
          insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, edited_by)
          values (${tenantId}, '三次卡', 'USES', '{SINGLE}', 300, 3, 30, 'test')
          returning id
        )
        insert into user_package (tenant_id, end_user_id, package_id, name, kind, sides, price_fen,
          uses, uses_left, expires_at)
        select ${tenantId}, ${at.recipientId}, id, '三次卡', 'USES', '{SINGLE}', 300, 3, 3,
          now() + interval '30 days' from bought`),
    );
    const usesLeft = async () => {
      const row = await at.within((db) =>
        db.one<{ n: number }>(sql`
          select uses_left as n from user_package where end_user_id = ${at.recipientId}`),
      );
      return row.n;
    };
    const orderId = await at.stored(30);
    expect(await at.open(at.recipient, orderId, "PICKUP")).toMatchObject({
      ...{ coveredFen: 100, chargedFen: 0 },
    });
    expect(await usesLeft()).toBe(2);
    await at.ack(await at.take(), "REJECTED");
    expect(await usesLeft()).toBe(3);
    expect(await at.facts(orderId)).toMatchObject({ coveredFen: 0 });
    await pickUp(at, orderId);
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "COMPLETED", coveredFen: 100, paidFen: 0, payStatus: "NONE" },
    });
    expect(await usesLeft()).toBe(2);
  });
});

describe("order edge cases", () => {
  it("retired cabinet: gives goods out, takes no new order", async () => {
    const at = await make();
    const orderId = await at.stored();
    await at.within((db) =>
      db.run(sql`update cabinet set lifecycle = 'RETIRED' where id = ${at.cabinet.id}`),
    );
    expect(await refusalOf(at.start())).toBe("CABINET_TAKES_NO_ORDERS");
    await pickUp(at, orderId);
    expect((await at.facts(orderId)).state).toBe("COMPLETED");
  });

  it("gateway killed before it updated the order: order.followDoors does it later", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await at.within((db) =>
      db.run(sql`
        update command set state = 'EXPIRED', settled_at = now()
        where order_id = ${orderId} and purpose = 'PICKUP'`),
    );
    expect((await at.facts(orderId)).heldFen).toBe(100);
    await run("order.followDoors");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 0, state: "STORED" });
  });

  it("order.ensureMonths creates the partitions of the coming months", async () => {
    await run("order.ensureMonths");
    const { n } = await fleet.testServer.database.read("platform", (db) =>
      db.one<{ n: number }>(sql`
        select count(*)::int as n from pg_inherits
        where inhparent = 'storage_order'::regclass`),
    );
    expect(n).toBeGreaterThanOrEqual(9);
  });

  it("orders in the default partition: moved when their month's partition is created", async () => {
    const at = await make();
    const orderId = await at.stored();
    const { tenantId } = at.cabinet;
    const early = await at.within((db) =>
      db.one<{ id: number }>(sql`
        insert into storage_order (id, tenant_id, side, cabinet_id, compartment_no, size,
          recipient_id, pricing)
        select new_order_id('2031-05-15'), tenant_id, side, cabinet_id, compartment_no, size,
          recipient_id, pricing
        from storage_order where id = ${orderId}
        returning id`),
    );
    await at.within((db) =>
      db.run(sql`
        insert into order_event (tenant_id, order_id, kind, actor_kind, actor_name)
        values (${tenantId}, ${early.id}, 'CREATED', 'SYSTEM', '测试')`),
    );
    await fleet.testServer.database.transaction("platform", async (db) => {
      await db.run(sql`select ensure_order_month('2031-05-01')`);
    });
    const where = await at.within((db) =>
      db.one(sql`
        select (select ord.tableoid::regclass::text from storage_order ord
          where ord.id = ${early.id})
            as "order",
          (select order_event.tableoid::regclass::text from order_event
            where order_event.order_id = ${early.id})
            as event,
          (select bool_and(relrowsecurity and relforcerowsecurity) from pg_class
            where relname ~ '^(storage_order|order_event)_(default|2031_05)$') as is_protected`),
    );
    expect(where).toEqual({
      ...{ order: "storage_order_2031_05", event: "order_event_2031_05", isProtected: true },
    });
    // New events still get their ids in the new partition.
    await at.within((db) =>
      db.run(sql`
        insert into order_event (tenant_id, order_id, kind, actor_kind, actor_name)
        values (${tenantId}, ${early.id}, 'CANCELLED', 'SYSTEM', '测试')`),
    );
  });

  it("offline cabinet: refused at once, nothing is held or reserved", async () => {
    const at = await make();
    const orderId = await at.stored(30);
    at.raw.cut();
    await until("the end of the connection", async () => {
      const { gone } = await fleet.findCabinet<{ gone: boolean }>(
        at.cabinet,
        "connection_nonce is null as gone",
      );
      return gone;
    });
    expect(await refusalOf(at.open(at.recipient, orderId, "PICKUP"))).toBe("CABINET_OFFLINE");
    expect(await at.facts(orderId)).toMatchObject({ heldFen: 0, state: "STORED" });
  });
});
