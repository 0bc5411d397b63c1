// Goods are never given away: sensor values from before a doubtful opening prove nothing, late reports reopen an order.
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { openDoor } from "../../apps/server/src/features/fleet/command/index.ts";
import { malfunctionJobs } from "../../apps/server/src/features/operations/malfunction/index.ts";
import { cancelOrder, decideOpening } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, refusalOf, runOrderTask, silence } from "./order-fleet.ts";

const fleet = useDeviceFleet();
beforeAll(() => fleet.startGateway());

const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;

const cancel = (at: OrderCabinet, orderId: number) =>
  refusalOf(
    at.within((db) => cancelOrder(db, at.rider, { tenantId: at.cabinet.tenantId, orderId })),
  );

/** An order whose deposit has no answer: the cabinet's sensors last said closed and empty. */
async function doubtful({ doors = 1 } = {}) {
  const at = await OrderCabinet.make(fleet, { doors });
  const { orderId } = await at.start();
  const command = await at.take();
  await silence(at);
  await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
  return { at, orderId, command };
}

const faults = (at: OrderCabinet) =>
  at.within((db) =>
    db.many<{ kind: string; no: number }>(sql`
      select kind, compartment_no as no from malfunction where cabinet_id = ${at.cabinet.id}
      order by id`),
  );

/** Moves the deadline of the deposit `minutes` into the past and runs the job that ends it. */
async function timeOut(at: OrderCabinet, orderId: number, minutes: number): Promise<void> {
  await at.within((db) =>
    db.run(sql`
      update live_order set deposit_until = now() - make_interval(mins => ${minutes})
      where order_id = ${orderId} and deposit_until is not null`),
  );
  await runOrderTask(fleet, "order.giveUp");
}

it("door that stood open before the request: proves no opening", async () => {
  const at = await OrderCabinet.make(fleet);
  const orderId = await at.stored(30);
  await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"));
  await at.open(at.recipient, orderId, "PICKUP");
  await at.take();
  await silence(at);
  await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
  await at.answersResync(at.cell("OPEN", "PRESENT"));
  expect(await at.facts(orderId)).toMatchObject({ state: "STORED", isInDoubt: true, heldFen: 100 });
});

describe("deposit in doubt", () => {
  it("EMPTY from before the opening: not cancelled until a later snapshot says so too", async () => {
    const { at, orderId } = await doubtful();
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
    // A report that was under way before the opening proves nothing either.
    await at.event("DOOR_CLOSED", at.cell("CLOSED", "EMPTY"));
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    expect(await cancel(at, orderId)).toBe("granted");
    expect(await at.facts(orderId)).toMatchObject({ state: "CANCELLED", occupancy: "FREE" });
  });

  it("goods inside: the snapshot stores the order", async () => {
    const { at, orderId } = await doubtful();
    await at.answersResync(at.cell("CLOSED", "PRESENT"));
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", occupancy: "OCCUPIED" });
  });

  it("a birth is such a snapshot: its session no longer executes the opening", async () => {
    const { at, orderId } = await doubtful();
    await at.reboot({ compartments: [at.cell("CLOSED", "EMPTY")] });
    expect(await cancel(at, orderId)).toBe("granted");
  });

  it("timed out: waits for the snapshot, then holds the compartment for staff", async () => {
    const { at, orderId } = await doubtful();
    await timeOut(at, orderId, 1);
    expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", isInDoubt: true });
    await timeOut(at, orderId, 11);
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
  });

  it("opened, and silent before it closed: an EMPTY from before does not cancel", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.ack(command, "CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ state: "DEPOSITING" });
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  });
});

describe("compartment that staff open while a result is in doubt", () => {
  const opensForStaff = async (at: OrderCabinet, item: "PRESENT" | "EMPTY" | "UNKNOWN") => {
    const { tenantId, id: cabinetId } = at.cabinet;
    await at.within((db) =>
      openDoor(
        db,
        { tenantId },
        {
          ...{ cabinetId, no: 1, side: "FRONT", reason: "现场核实" },
          ...{ actor: operator, requestId: "test" },
        },
      ),
    );
    await at.opens(await at.take(), item);
    await at.closes(item);
  };

  it("pickup without item sensor: the goods stay the order's until a person decides", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    const { orderId } = await at.start();
    await at.opens(await at.take(), "UNKNOWN");
    await at.closes("UNKNOWN");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED" });
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await opensForStaff(at, "UNKNOWN");
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "STORED", occupancy: "OCCUPIED", isInDoubt: true },
    });
    expect(await faults(at)).toEqual([]);
  });

  it("deposit: staff's own door does not say that goods came in", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    const { orderId } = await at.start();
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await opensForStaff(at, "UNKNOWN");
    expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", isInDoubt: true });
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  });
});

describe("second opening", () => {
  it.each(["DEPOSIT", "PICKUP"] as const)(
    "%s in doubt: only when a person decided",
    async (purpose: OpenPurpose) => {
      const { at, orderId, actor } = await (async () => {
        if (purpose === "DEPOSIT") {
          const { at, orderId } = await doubtful();
          return { at, orderId, actor: at.rider };
        }
        const at = await OrderCabinet.make(fleet);
        const orderId = await at.stored();
        await at.open(at.recipient, orderId, "PICKUP");
        await at.take();
        await silence(at);
        await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
        return { at, orderId, actor: at.recipient };
      })();
      expect(await refusalOf(at.open(actor, orderId, purpose))).toBe("ORDER_IN_DOUBT");
      await at.open(actor, orderId, purpose, { afterDoubt: true });
      const again = await at.take();
      await at.opens(again, purpose === "DEPOSIT" ? "EMPTY" : "PRESENT");
      await at.closes(purpose === "DEPOSIT" ? "PRESENT" : "EMPTY");
      expect(await at.facts(orderId)).toMatchObject({
        state: purpose === "DEPOSIT" ? "STORED" : "COMPLETED",
      });
    },
  );

  it("proven empty and shut since: needs nobody's decision", async () => {
    const { at, orderId } = await doubtful();
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    expect(await refusalOf(at.open(at.rider, orderId, "DEPOSIT"))).toBe("granted");
  });
});

describe("expected item", () => {
  it("deposit: EMPTY; pickup: none, so that a broken sensor locks nothing in", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    expect(command.expect).toEqual({ door: "NOT_OPEN", item: "EMPTY" });
    await at.opens(command, "EMPTY");
    await at.closes("PRESENT");
    await at.open(at.recipient, orderId, "PICKUP");
    expect((await at.take()).expect).toEqual({ door: "NOT_OPEN" });
  });

  it("cabinet whose sensors say nothing: none", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    await at.start();
    expect((await at.take()).expect).toEqual({ door: "NOT_OPEN" });
  });

  it("ITEM_MISMATCH: another compartment, a malfunction, and a look at the first", async () => {
    const at = await OrderCabinet.make(fleet, { doors: 2 });
    const { orderId, no } = await at.start();
    expect(no).toBe(1);
    await at.ack(await at.take(), "REJECTED", undefined, "ITEM_MISMATCH");
    const moved = await at.facts(orderId);
    expect(moved).toMatchObject({ state: "PENDING", no: 2, occupancy: "RESERVED" });
    expect(moved.kinds).toMatch(/DOOR_NOT_OPENED MOVED$/);
    expect(await faults(at)).toEqual([{ kind: "OCCUPANCY_ABNORMAL", no: 1 }]);
    await at.answersResync(at.cell("CLOSED", "PRESENT"));
    // The first compartment is given to nobody.
    await at.open(at.rider, orderId, "DEPOSIT");
    expect((await at.take()).no).toBe(2);
    expect(await refusalOf(at.start())).toBe("NO_FREE_COMPARTMENT");
  });

  it("ITEM_MISMATCH without another compartment: cancelled", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.ack(await at.take(), "REJECTED", undefined, "ITEM_MISMATCH");
    expect(await at.facts(orderId)).toMatchObject({ state: "CANCELLED", occupancy: "FREE" });
  });

  it("ITEM_MISMATCH without another, after a door opened: an exception when its time is up", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.ack(await at.take(), "FAILED");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await at.event("ITEM_PLACED", at.cell("OPEN", "PRESENT"));
    await at.closes("PRESENT");
    await at.open(at.rider, orderId, "DEPOSIT");
    await at.ack(await at.take(), "REJECTED", undefined, "ITEM_MISMATCH");
    expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", occupancy: "RESERVED" });
    await timeOut(at, orderId, 1);
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION" });
  });

  it("ITEM_MISMATCH after a doubt: the goods may be the order's own, which keeps its compartment", async () => {
    const { at, orderId } = await doubtful({ doors: 2 });
    await at.open(at.rider, orderId, "DEPOSIT", { afterDoubt: true });
    await at.ack(await at.take(), "REJECTED", undefined, "ITEM_MISMATCH");
    expect(await at.facts(orderId)).toMatchObject({ state: "PENDING", no: 1 });
    await at.answersResync(at.cell("CLOSED", "PRESENT"));
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", no: 1 });
  });
});

describe("door that opens after its pulse", () => {
  it("NOT_CONFIRMED, pulled open within a minute: stored, though no report names the command", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.ack(command, "ACKED");
    await at.ack(command, "NOT_CONFIRMED");
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await at.event("ITEM_PLACED", at.cell("OPEN", "PRESENT"));
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", hasCode: true });
    expect(await faults(at)).toEqual([]);
  });

  it("later than a minute: nobody requested it", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.ack(command, "NOT_CONFIRMED");
    at.waitedMs = 70_000;
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    expect(await at.facts(orderId)).toMatchObject({ state: "DEPOSITING" });
    await until("the malfunction", async () => (await faults(at)).length > 0);
    expect(await faults(at)).toEqual([{ kind: "UNCOMMANDED_OPENING", no: 1 }]);
  });

  it("shut a minute later by a snapshot: settled as not opened, the hold is released", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored(30);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.ack(command, "NOT_CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ isInDoubt: true, heldFen: 100 });
    await at.within((db) =>
      db.run(sql`
        update command set acked_at = acked_at - interval '2 minutes',
          expires_at = expires_at - interval '2 minutes' where id = ${command.cmdId}`),
    );
    await at.within((db) =>
      db.run(sql`update cabinet set resync_due_at = now() where id = ${at.cabinet.id}`),
    );
    await at.answersResync(at.cell("CLOSED", "PRESENT"));
    expect(await at.facts(orderId)).toMatchObject({ isInDoubt: false, heldFen: 0, paidFen: 0 });
  });
});

describe("deposit that was never opened", () => {
  it.each([
    ["goods inside", "CLOSED", "PRESENT"],
    ["door open", "OPEN", "EMPTY"],
  ] as const)("%s: never cancelled", async (_, door, item) => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.ack(await at.take(), "EXPIRED");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await at.event("DOOR_CLOSED", at.cell(door, item));
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
    await timeOut(at, orderId, 1);
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
  });
});

describe("late report against an order that has ended", () => {
  it("cancelled on a person's word, then CONFIRMED: an exception holds the compartment", async () => {
    const { at, orderId, command } = await doubtful();
    const { tenantId } = at.cabinet;
    await at.within((db) =>
      decideOpening(db, operator, { tenantId, orderId, isOpened: false, reason: "现场核实" }),
    );
    expect(await cancel(at, orderId)).toBe("granted");
    await at.ack(command, "CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
    expect(await faults(at)).toEqual([{ kind: "OCCUPANCY_ABNORMAL", no: 1 }]);
    expect(await refusalOf(at.start())).toBe("NO_FREE_COMPARTMENT");
  });

  it("the next order waits in that compartment: it moves on", async () => {
    const { at, orderId, command } = await doubtful({ doors: 2 });
    const { tenantId, id: cabinetId } = at.cabinet;
    await at.within((db) =>
      decideOpening(db, operator, { tenantId, orderId, isOpened: false, reason: "现场核实" }),
    );
    await cancel(at, orderId);
    const next = await at.start();
    await at.ack(await at.take(), "EXPIRED");
    expect(next.no).toBe(1);
    await at.ack(command, "CONFIRMED");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", no: 1 });
    expect(await at.facts(next.orderId)).toMatchObject({ state: "PENDING", no: 2 });
    const held = await at.within((db) =>
      db.many(sql`
        select no, occupancy from compartment where cabinet_id = ${cabinetId} order by no`),
    );
    expect(held).toEqual([
      { no: 1, occupancy: "OCCUPIED" },
      { no: 2, occupancy: "RESERVED" },
    ]);
  });

  it("completed although the door stayed shut: an exception", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    const { tenantId } = at.cabinet;
    await at.event("ITEM_PLACED", at.cell("CLOSED", "UNKNOWN"));
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await at.within((db) =>
      decideOpening(db, operator, { tenantId, orderId, isOpened: true, reason: "电话确认" }),
    );
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", occupancy: "FREE" });
    await at.ack(command, "EXPIRED");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
  });

  it("completed, but the sensor sees goods again: an exception, unless somebody opened the door", async () => {
    const orders = await Promise.all(
      [false, true].map(async (isOpened) => {
        const at = await OrderCabinet.make(fleet);
        const orderId = await at.stored();
        await at.open(at.recipient, orderId, "PICKUP");
        await at.opens(await at.take(), "PRESENT");
        await at.closes("EMPTY");
        if (isOpened) await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
        await at.closes("PRESENT");
        return { at, orderId };
      }),
    );
    await runOrderTask(fleet, "order.followDoors");
    const states = await Promise.all(
      orders.map(async ({ at, orderId }) => (await at.facts(orderId)).state),
    );
    expect(states).toEqual(["EXCEPTION", "COMPLETED"]);
  });
});

describe("opening without a command", () => {
  it("stored goods: an urgent malfunction at once; gone: the order stands still as an exception", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored(90);
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"));
    await until("the malfunction", async () => (await faults(at)).length > 0);
    expect(await faults(at)).toEqual([{ kind: "UNCOMMANDED_OPENING", no: 1 }]);
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED" });
    await at.event("ITEM_TAKEN", at.cell("OPEN", "EMPTY"));
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", priceFen: 200 });
  });

  it.each(["FREE", "RESERVED"])("%s compartment: a malfunction", async (occupancy) => {
    const at = await OrderCabinet.make(fleet);
    if (occupancy === "RESERVED") {
      await at.start();
      await at.ack(await at.take(), "EXPIRED");
    }
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await until("the malfunction", async () => (await faults(at)).length > 0);
    expect(await faults(at)).toEqual([{ kind: "UNCOMMANDED_OPENING", no: 1 }]);
  });

  it("shown by a birth alone: a malfunction, unless an opening without answer explains it", async () => {
    const made = await Promise.all(
      [false, true].map(async (isRequested) => {
        const at = await OrderCabinet.make(fleet);
        const compartments = [at.cell("OPEN", "EMPTY")];
        if (!isRequested) {
          await at.reboot({ compartments });
          return at;
        }
        await at.start();
        const { cmdId, seq } = await at.take();
        const journal = [{ cmdId, seq, stage: "UNKNOWN" as const }];
        await at.reboot({ compartments, lastSeq: seq, journal });
        return at;
      }),
    );
    const [forced, requested] = made as [OrderCabinet, OrderCabinet];
    await until("the malfunction", async () => (await faults(forced)).length > 0);
    expect(await faults(forced)).toEqual([{ kind: "UNCOMMANDED_OPENING", no: 1 }]);
    expect(await faults(requested)).toEqual([]);
  });

  it("firmware that names no command: CONFIRMED before the event is no opening of its own", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.ack(command, "ACKED");
    await at.ack(command, "CONFIRMED");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED" });
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"));
    await until("the malfunction", async () => (await faults(at)).length > 0);
    expect(await faults(at)).toEqual([{ kind: "UNCOMMANDED_OPENING", no: 1 }]);
  });
});

describe("opening that names a command which is not its cause", () => {
  const waitForFault = async (at: OrderCabinet) => {
    await until("the malfunction", async () => (await faults(at)).length > 0);
    expect(await faults(at)).toEqual([{ kind: "UNCOMMANDED_OPENING", no: 1 }]);
  };

  it("command of long ago, which opened the door already: an urgent malfunction", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.opens(command, "EMPTY");
    await at.closes("PRESENT");
    at.waitedMs = 61_000;
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), command.cmdId);
    await waitForFault(at);
    await at.event("ITEM_TAKEN", at.cell("OPEN", "EMPTY"));
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION" });
  });

  it("command that bounced the door, or whose event comes again: none", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.opens(command, "EMPTY");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"), command.cmdId, at.raw.n - 1);
    await at.closes("EMPTY");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"), command.cmdId);
    await at.closes("PRESENT");
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED" });
    expect(await faults(at)).toEqual([]);
  });

  it("command that nobody gave: an urgent malfunction", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.stored();
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), crypto.randomUUID());
    await waitForFault(at);
  });

  it("command for another door: an urgent malfunction", async () => {
    const at = await OrderCabinet.make(fleet, { doors: 2 });
    await at.stored();
    await at.start();
    const other = await at.take();
    expect(other.no).toBe(2);
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"), other.cmdId);
    await waitForFault(at);
  });

  it("opening that only the next event shows: an urgent malfunction", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await at.event("ITEM_TAKEN", at.cell("OPEN", "EMPTY"));
    await until("the malfunction", async () => (await faults(at)).length > 1);
    expect(await faults(at)).toContainEqual({ kind: "UNCOMMANDED_OPENING", no: 1 });
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION" });
  });
});

describe("facts that the cabinet keeps to itself", () => {
  const compare = () =>
    malfunctionJobs.tasks["malfunction.compare"]?.(
      {},
      { database: fleet.testServer.database, log: createLog("silent") },
    );

  it("door open for longer than its limit: a malfunction, which ends when it is shut", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.start();
    await at.opens(await at.take(), "EMPTY");
    await at.within((db) =>
      db.run(sql`
        update cabinet set desired_config = '{"doorOpenAlarmSeconds": 10}'
        where id = ${at.cabinet.id}`),
    );
    const open = (seconds: number) =>
      at.within((db) =>
        db.run(sql`
          update compartment set door_open_since = now() - make_interval(secs => ${seconds})
          where cabinet_id = ${at.cabinet.id}`),
      );
    await open(35);
    await compare();
    expect(await faults(at)).toEqual([]);
    await open(45);
    await compare();
    await until("the malfunction", async () => (await faults(at)).length > 0);
    expect(await faults(at)).toEqual([{ kind: "DOOR_LEFT_OPEN", no: 1 }]);
    await at.closes("PRESENT");
    const since = await at.within((db) =>
      db.one(sql`select door_open_since from compartment where cabinet_id = ${at.cabinet.id}`),
    );
    expect(since).toEqual({ doorOpenSince: null });
  });

  it("goods gone behind a shut door: a malfunction after a minute, none while the door is open", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "EMPTY");
    await compare();
    const signals = () =>
      at.within((db) =>
        db.many(sql`
          select kind from malfunction_signal where cabinet_id = ${at.cabinet.id} and is_active`),
      );
    expect(await signals()).toEqual([]);
    const other = await OrderCabinet.make(fleet);
    await other.stored();
    await other.event("ITEM_TAKEN", other.cell("CLOSED", "EMPTY"));
    await compare();
    await other.within((db) =>
      db.run(sql`
        update malfunction_signal set began_at = now() - interval '61 seconds', due_at = now()
        where cabinet_id = ${other.cabinet.id}`),
    );
    await until("the malfunction", async () => (await faults(other)).length > 0);
    expect(await faults(other)).toEqual([{ kind: "OCCUPANCY_ABNORMAL", no: 1 }]);
  });
});
