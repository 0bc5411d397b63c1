// Doubts beside restarts, forced doors, copies of a card, removed compartments and a clock that was ahead.
import { beforeAll, describe, expect, it } from "vitest";
import { commandJobs } from "../../apps/server/src/features/fleet/command/index.ts";
import { presenceJobs } from "../../apps/server/src/features/link/device/index.ts";
import { cancelOrder, clearOrder } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { mendWaitingTimes } from "../../apps/server/src/platform/jobs/set-back-clock.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, refusalOf, runOrderTask, silence } from "./order-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
beforeAll(() => fleet.startGateway());

const MINUTE_MS = 60_000;
const operator = { kind: "OPERATOR", id: 1, name: "客服" } as const;

const cancel = (at: OrderCabinet, orderId: number) =>
  refusalOf(
    at.within((db) => cancelOrder(db, at.rider, { tenantId: at.cabinet.tenantId, orderId })),
  );
const inDoubt = (at: OrderCabinet, orderId: number) =>
  until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
const resynced = (at: OrderCabinet) => until("a RESYNC", () => at.heard("RESYNC").length > 0);

async function reconnect(
  at: OrderCabinet,
  hello: Parameters<RawCabinet["greet"]>[0],
): Promise<void> {
  const { n } = at.raw;
  at.raw.cut();
  at.raw = await RawCabinet.connect(fleet, at.cabinet);
  at.raw.n = n;
  await at.raw.greet(hello);
}

/** Moves commands and requests of this cabinet into the past. */
async function pass(at: OrderCabinet, seconds: number): Promise<void> {
  await at.within(async (db) => {
    await db.run(sql`
      update command set acked_at = acked_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds})
      where cabinet_id = ${at.cabinet.id}`);
    await db.run(sql`
      update cabinet set resync_due_at = resync_due_at - make_interval(secs => ${seconds}),
        resync_at = resync_at - make_interval(secs => ${seconds}),
        snapshot_asked_at = snapshot_asked_at - make_interval(secs => ${seconds})
      where id = ${at.cabinet.id}`);
  });
}

describe("snapshot that ends a doubt", () => {
  it("is requested although the cabinet reconnects while its lock may still open", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored(120);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.ack(command, "NOT_CONFIRMED");
    const compartments = [at.cell("CLOSED", "PRESENT")];
    await reconnect(at, { bootNo: 1, lastSeq: command.seq, compartments });
    await pass(at, 70);
    await resynced(at);
  });

  it.each([
    ["the newest command", 0, "granted"],
    ["not the newest command", 1, "ORDER_NOT_CANCELLABLE"],
  ])("birth of firmware that forgets its boot number and knows %s", async (_, lost, expected) => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const { seq } = await at.take();
    await silence(at);
    await inDoubt(at, orderId);
    at.bootNo--;
    const lastSeq = seq - lost;
    await at.reboot({ lastSeq, compartments: [at.cell("CLOSED", "EMPTY")] });
    expect(await cancel(at, orderId)).toBe(expected);
  });
});

it("a start after a power cut proves nothing about a door that may have stuck before", async () => {
  const at = await OrderCabinet.make(fleet);
  const { orderId } = await at.start();
  const command = await at.take();
  await at.ack(command, "ACKED");
  await at.reboot({ lastSeq: command.seq, compartments: [at.cell("CLOSED", "EMPTY")] });
  await inDoubt(at, orderId);
  expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  await pass(at, 70);
  await at.answersResync(at.cell("CLOSED", "EMPTY"));
  expect(await cancel(at, orderId)).toBe("granted");
});

describe("several openings", () => {
  it("the second stuck: the first one's result is still unknown", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    const { orderId } = await at.start();
    // The door opened, goods lie inside, and the reports are lost.
    await at.take();
    await silence(at);
    await inDoubt(at, orderId);
    await at.open(at.rider, orderId, "DEPOSIT", { afterDoubt: true });
    await at.ack(await at.take(), "NOT_CONFIRMED");
    await pass(at, 70);
    await at.answersResync(at.cell("CLOSED", "UNKNOWN"));
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  });

  it("a forced door does not belong to an opening before the last one", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await silence(at);
    await inDoubt(at, orderId);
    await at.open(at.recipient, orderId, "PICKUP", { afterDoubt: true });
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    const next = await at.stored();
    await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"));
    await at.event("DOOR_CLOSED", at.cell("CLOSED", "EMPTY"));
    expect(await at.facts(next)).toMatchObject({ state: "EXCEPTION" });
  });
});

it("a door that stuck after its order's end: its compartment waits until nobody can pull it open", async () => {
  const at = await OrderCabinet.make(fleet);
  const orderId = await at.stored();
  await at.open(at.recipient, orderId, "PICKUP");
  await at.opens(await at.take(), "PRESENT");
  await at.open(at.recipient, orderId, "PICKUP");
  const again = await at.take();
  await at.closes("EMPTY");
  await at.ack(again, "NOT_CONFIRMED");
  await until("the end", async () => (await at.facts(orderId)).state === "COMPLETED");
  expect(await refusalOf(at.start())).toBe("NO_FREE_COMPARTMENT");
  await pass(at, 61);
  expect(await refusalOf(at.start())).toBe("granted");
});

it("forced door after a snapshot that ended the time of a doubt: belongs to no opening", async () => {
  const at = await OrderCabinet.make(fleet);
  const orderId = await at.stored();
  await at.open(at.recipient, orderId, "PICKUP");
  await at.take();
  await silence(at);
  await inDoubt(at, orderId);
  await pass(at, 30);
  await at.answersResync(at.cell("CLOSED", "PRESENT"));
  await at.event("DOOR_OPENED", at.cell("OPEN", "PRESENT"));
  await at.event("DOOR_CLOSED", at.cell("CLOSED", "EMPTY"));
  expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION" });
});

it("late CONFIRMED for a compartment that the layout no longer has: the cabinet stays in service", async () => {
  const at = await OrderCabinet.make(fleet, { doors: 2 });
  const { orderId, no } = await at.start();
  const { cmdId, seq } = await at.take();
  const { id, tenantId } = at.cabinet;
  await silence(at);
  await inDoubt(at, orderId);
  await at.within((db) => clearOrder(db, operator, { tenantId, orderId, reason: "现场核实" }));
  await at.within((db) =>
    db.run(sql`delete from compartment where cabinet_id = ${id} and no = ${no}`),
  );
  // Fails without an answer to the birth.
  await at.reboot({
    lastSeq: seq,
    journal: [{ cmdId, seq, stage: "CONFIRMED" }],
    compartments: [{ no: 2, front: "CLOSED", item: "EMPTY" }],
  });
});

describe("shared identity", () => {
  it("one absurd boot number is no second cabinet", async () => {
    const cabinet = await fleet.addCabinet({ doors: 1 });
    for (const [at, bootNo] of [7, 2 ** 31, 7].entries()) {
      const raw = await RawCabinet.connect(fleet, cabinet);
      await raw.greet({ bootNo, n: at + 1, mono: (10 + at) * MINUTE_MS });
      raw.cut();
    }
    const row = await fleet.findCabinet(cabinet, "identity_shared_at as at");
    expect(row).toEqual({ at: null });
  });

  it("a copy with the same boot number proves nothing about commands of the other", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.start();
    await at.take();
    const copy = await RawCabinet.connect(fleet, at.cabinet);
    const compartments = [at.cell("CLOSED", "EMPTY")];
    await copy.greet({ bootNo: 1, n: 6, mono: 20 * MINUTE_MS, lastSeq: 0, compartments });
    const states = (await fleet.findCommands(at.cabinet)).map(({ state }) => state);
    expect(states).toEqual(["UNKNOWN"]);
  });
});

describe("clock that was ahead", () => {
  const mend = () =>
    mendWaitingTimes({ database: fleet.testServer.database, log: createLog("silent") }, [
      ...(presenceJobs.waitingTimes ?? []),
      ...(commandJobs.waitingTimes ?? []),
    ]);

  it("suspected copy, lost reports, open door, unsettled result: none of them waits for that date", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.take();
    await silence(at);
    await inDoubt(at, orderId);
    await at.within(async (db) => {
      await db.run(sql`
        update cabinet set identity_shared_at = now() + interval '30 days',
          gap_since = now() + interval '30 days' where id = ${at.cabinet.id}`);
      await db.run(sql`
        update compartment set door_open_since = now() + interval '30 days'
        where cabinet_id = ${at.cabinet.id}`);
      await db.run(sql`
        update command set settled_at = now() + interval '30 days'
        where cabinet_id = ${at.cabinet.id}`);
    });
    await mend();
    const ahead = await at.within((db) =>
      db.one(sql`
        select identity_shared_at > now() as shared, coalesce(gap_since > now(), false) as gap,
          door_open_since > now() as door, settled_at > now() as settled
        from cabinet join compartment comp on comp.cabinet_id = cabinet.id
        join command on command.cabinet_id = cabinet.id
        where cabinet.id = ${at.cabinet.id}`),
    );
    expect(ahead).toEqual({ shared: false, gap: false, door: false, settled: false });
  });

  it.each([true, false])(
    "snapshot from the future: proves nothing (mended: %s)",
    async (isMended) => {
      const at = await OrderCabinet.make(fleet);
      await at.within((db) =>
        db.run(sql`
        update cabinet set snapshot_asked_at = now() + interval '1 hour'
        where id = ${at.cabinet.id}`),
      );
      if (isMended) await mend();
      const { orderId } = await at.start();
      await at.take();
      await silence(at);
      await inDoubt(at, orderId);
      expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
    },
  );

  it("RESYNC from the future: another one is requested", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.within((db) =>
      db.run(sql`
        update cabinet set resync_at = now() + interval '1 hour', resync_id = gen_random_uuid()
        where id = ${at.cabinet.id}`),
    );
    await mend();
    const { orderId } = await at.start();
    await at.take();
    await silence(at);
    await inDoubt(at, orderId);
    await resynced(at);
  });
});

describe("sensor that said so before the opening", () => {
  it("EMPTY beside stored goods: proves no pickup", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    // The sensor breaks: the goods are still inside.
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "EMPTY"));
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await silence(at);
    await inDoubt(at, orderId);
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    expect(await at.facts(orderId)).toMatchObject({
      ...{ state: "STORED", occupancy: "OCCUPIED", isInDoubt: true },
    });
  });
});

describe("compartment without item sensor that opened without a command", () => {
  const withoutSensor = async () => {
    const at = await OrderCabinet.make(fleet);
    await at.event("ITEM_TAKEN", at.cell("CLOSED", "UNKNOWN"));
    return at;
  };
  const forced = async (at: OrderCabinet) => {
    await at.event("DOOR_OPENED", at.cell("OPEN", "UNKNOWN"));
    await at.closes("UNKNOWN");
  };
  const isReported = (at: OrderCabinet) =>
    until("the malfunction", () =>
      at.within((db) =>
        db.maybe(sql`select 1 from malfunction where cabinet_id = ${at.cabinet.id}`),
      ),
    );

  it("reserved: not cancelled, since goods may lie inside", async () => {
    const at = await withoutSensor();
    const { orderId } = await at.start();
    await at.ack(await at.take(), "EXPIRED");
    await forced(at);
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
    await at.within((db) =>
      db.run(sql`update live_order set deposit_until = now() where order_id = ${orderId}`),
    );
    await runOrderTask(fleet, "order.giveUp");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
  });

  it("reserved after that: an order that nobody opened is cancelled", async () => {
    const at = await withoutSensor();
    await forced(at);
    await isReported(at);
    await at.within((db) =>
      db.run(sql`update malfunction set state = 'IGNORED' where cabinet_id = ${at.cabinet.id}`),
    );
    const { orderId } = await at.start();
    await at.ack(await at.take(), "EXPIRED");
    expect(await cancel(at, orderId)).toBe("granted");
  });

  it.each(["at once", "once it is reported"])("free: given to nobody (%s)", async (when) => {
    const at = await withoutSensor();
    await forced(at);
    if (when !== "at once") await isReported(at);
    expect(await refusalOf(at.start())).toBe("NO_FREE_COMPARTMENT");
  });

  it("free, with a sensor that says EMPTY: given as before", async () => {
    const at = await OrderCabinet.make(fleet);
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await at.closes("EMPTY");
    expect(await refusalOf(at.start())).toBe("granted");
  });
});

describe("goods that a sensor sees again after the compartment has been reserved", () => {
  it.each([1, 2])("%s compartments: those of the order that ended", async (doors) => {
    const at = await OrderCabinet.make(fleet, { doors });
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED" });
    const next = await at.start();
    expect(next.no).toBe(1);
    await at.ack(await at.take(), "EXPIRED");
    await at.closes("PRESENT");
    await runOrderTask(fleet, "order.followDoors");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", no: 1 });
    expect(await at.facts(next.orderId)).toMatchObject(
      doors === 1 ? { state: "CANCELLED" } : { state: "PENDING", no: 2 },
    );
  });

  it("next order's door has opened: its own", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    const next = await at.start();
    await at.ack(await at.take(), "EXPIRED");
    await at.event("DOOR_OPENED", at.cell("OPEN", "EMPTY"));
    await at.closes("PRESENT");
    await runOrderTask(fleet, "order.followDoors");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED" });
    expect(await at.facts(next.orderId)).toMatchObject({ state: "PENDING" });
  });
});
