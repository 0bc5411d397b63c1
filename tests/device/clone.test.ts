// Two cabinets with one identity (a copied storage card): named, and neither proves anything about the other.

import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { cancelOrder } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, refusalOf, silence } from "./order-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;
beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

const MINUTE = 60_000;

const isNamed = async (cabinet: FleetCabinet) => {
  const { at } = await fleet.findCabinet<{ at: string | null }>(
    cabinet,
    "identity_shared_at as at",
  );
  return at !== null;
};

/** As missing reports would. */
const requestSnapshot = (at: OrderCabinet) =>
  at.within((db) =>
    db.run(sql`update cabinet set resync_due_at = now() where id = ${at.cabinet.id}`),
  );

const cancel = (at: OrderCabinet, orderId: number) =>
  refusalOf(
    at.within((db) => cancelOrder(db, at.rider, { tenantId: at.cabinet.tenantId, orderId })),
  );

const statesOf = async (at: OrderCabinet) =>
  (await fleet.findCommands(at.cabinet)).map(({ state }) => state);

/** Another device takes over: it has just started, and remembers commands up to `lastSeq`. */
async function takeOver(
  at: OrderCabinet,
  bootNo: number,
  more: Parameters<OrderCabinet["reboot"]>[0] = {},
): Promise<void> {
  at.bootNo = bootNo - 1;
  await at.reboot({ lastSeq: 0, compartments: [at.cell("CLOSED", "EMPTY")], ...more });
}

const open = (cabinet: FleetCabinet) =>
  fleet.testServer.call(commandContract.open, person, {
    params: { id: cabinet.id },
    body: { no: 1, reason: "客户来电" },
  });

it("two simulators with copies of one card: named in the log and as a malfunction", async () => {
  const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
  // The copy has been started twice, and takes over from the first one.
  const started = await fleet.switchOn(cabinet, { storage: "copy", seed: 2 });
  await until("its session", () => started.hasSession());
  await started.stop();
  const one = await fleet.switchOn(cabinet);
  await until("a session", () => one.hasSession());
  const other = await fleet.switchOn(cabinet, { storage: "copy", seed: 3 });
  await until("the name", () => isNamed(cabinet), 2 * MINUTE);
  const { data } = await fleet.testServer.call(cabinetEventContract.list, person, {
    query: { page: 1, pageSize: 50, cabinetId: cabinet.id, kind: "IDENTITY_SHARED" },
  });
  expect(data.list).toMatchObject([
    { kind: "IDENTITY_SHARED", text: "疑似两台设备共用一个身份", isProblem: true },
  ]);
  const signals = await fleet.testServer.database.read("platform", (db) =>
    db.many(sql`select kind, is_active from malfunction_signal where cabinet_id = ${cabinet.id}`),
  );
  expect(signals).toMatchObject([{ kind: "IDENTITY_SHARED" }]);
  await Promise.all([one.stop(), other.stop()]);
});

it("one simulator on a network that breaks off again and again: not named", async () => {
  const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
  const raw = { n: 0 };
  for (let connect = 0; connect < 5; connect++) {
    const at = await RawCabinet.connect(fleet, cabinet);
    at.n = raw.n;
    const mono = 10 * MINUTE + connect * 1_000;
    await at.greet({ bootNo: 3, mono });
    raw.n = at.n;
    at.cut();
  }
  expect(await isNamed(cabinet)).toBe(false);
});

it.each([
  ["lower", 2],
  ["higher", 9],
])(
  "birth of the copy with a %s boot number: does not prove that the other one opened nothing",
  async (_, bootNo) => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const one = await RawCabinet.connect(fleet, cabinet);
    await one.greet({ bootNo: 5, mono: 10 * MINUTE });
    const { data } = await open(cabinet);
    await until("the command", () => one.heard("cmd").length > 0);
    const other = await RawCabinet.connect(fleet, cabinet);
    await other.greet({ bootNo, mono: 20 * MINUTE });
    const [command] = await fleet.findCommands(cabinet);
    expect(command).toMatchObject({ id: data.id, state: "UNKNOWN" });
    // Nor does its next one.
    other.cut();
    const again = await RawCabinet.connect(fleet, cabinet);
    await again.greet({ bootNo, n: 7, mono: 21 * MINUTE });
    expect(await fleet.findCommands(cabinet)).toMatchObject([{ state: "UNKNOWN" }]);
    expect(await isNamed(cabinet)).toBe(false);
    // The first one returns: the second take-over.
    const returned = await RawCabinet.connect(fleet, cabinet);
    await returned.greet({ bootNo: 5, n: 7, mono: 11 * MINUTE, lastSeq: 1 });
    expect(await isNamed(cabinet)).toBe(true);
    again.cut();
    returned.cut();
  },
);

it("doubt: ends neither by the copy's birth nor by an empty snapshot while a copy is suspected", async () => {
  const at = await OrderCabinet.make(fleet);
  const { orderId } = await at.start();
  await at.take();
  await silence(at);
  await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
  const empty = [at.cell("CLOSED", "EMPTY")];
  const copy = await RawCabinet.connect(fleet, at.cabinet);
  await copy.greet({ bootNo: 9, mono: 20 * MINUTE, compartments: empty });
  expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  copy.cut();
  await at.within((db) =>
    db.run(sql`update cabinet set identity_shared_at = now() where id = ${at.cabinet.id}`),
  );
  at.bootNo = 9;
  await at.reboot({ compartments: empty });
  expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  await requestSnapshot(at);
  await at.answersResync(at.cell("CLOSED", "EMPTY"));
  expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
});

it("named copy: no compartment of its cabinet is given for new goods, for a day", async () => {
  const at = await OrderCabinet.make(fleet);
  const named = (hours: number) =>
    at.within((db) =>
      db.run(sql`
        update cabinet set identity_shared_at = now() - make_interval(hours => ${hours})
        where id = ${at.cabinet.id}`),
    );
  await named(23);
  expect(await refusalOf(at.start())).toBe("NO_FREE_COMPARTMENT");
  await named(25);
  const { orderId } = await at.start();
  await at.ack(await at.take(), "REJECTED", undefined, "BUSY");
  const again = () => refusalOf(at.open(at.rider, orderId, "DEPOSIT"));
  await named(0);
  await until("the refusal", async () => (await again()) === "CABINET_TAKES_NO_ORDERS");
  await named(25);
  expect(await again()).toBe("granted");
});

describe("copy that nobody has named yet", () => {
  it("shut door: ends no pickup whose door opened before", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await takeOver(at, 9);
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION", occupancy: "OCCUPIED" });
  });

  it("shut door and empty compartment: free none whose deposit opened before", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.opens(await at.take(), "EMPTY");
    await takeOver(at, 9);
    expect(await cancel(at, orderId)).not.toBe("granted");
    expect(await at.facts(orderId)).toMatchObject({ state: "EXCEPTION" });
  });

  it("empty compartment: does not prove that a pickup without answer opened", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await at.open(at.recipient, orderId, "PICKUP");
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await takeOver(at, 9);
    await requestSnapshot(at);
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", isInDoubt: true });
  });

  it("pickup that it got itself: its empty compartment never held the goods", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await takeOver(at, 9);
    await at.open(at.recipient, orderId, "PICKUP");
    const command = await at.take();
    await at.ack(command, "ACKED");
    await at.ack(command, "NOT_CONFIRMED");
    await requestSnapshot(at);
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    // Its next start knows the newest command.
    await takeOver(at, 10, { lastSeq: command.seq });
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED", occupancy: "OCCUPIED" });
  });

  it("same boot number: a snapshot of it proves nothing about the other's opening", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.take();
    await silence(at);
    await until("the doubt", async () => (await at.facts(orderId)).isInDoubt);
    await takeOver(at, 1);
    await requestSnapshot(at);
    await at.answersResync(at.cell("CLOSED", "EMPTY"));
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  });

  it("refusal or restart: proves nothing about a command that the other one got", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await takeOver(at, 1);
    await at.ack(command, "REJECTED", undefined, "NO_SESSION");
    expect(await statesOf(at)).toEqual(["UNKNOWN"]);
    await takeOver(at, 2);
    expect(await statesOf(at)).toEqual(["UNKNOWN"]);
    expect(await cancel(at, orderId)).toBe("ORDER_NOT_CANCELLABLE");
  });

  it("cabinet that returns: shows its goods, and its pickup ends", async () => {
    const at = await OrderCabinet.make(fleet);
    const orderId = await at.stored();
    await takeOver(at, 9);
    await takeOver(at, 1, { lastSeq: 1, compartments: [at.cell("CLOSED", "PRESENT")] });
    await at.open(at.recipient, orderId, "PICKUP");
    await at.opens(await at.take(), "PRESENT");
    await at.closes("EMPTY");
    expect(await at.facts(orderId)).toMatchObject({ state: "COMPLETED", occupancy: "FREE" });
  });
});

describe("power cut of one cabinet", () => {
  it.each([
    ["counts its starts", 2],
    ["forgets its boot number", 1],
  ])("cabinet that %s: a deposit ends by what it shows afterwards", async (_, bootNo) => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    const command = await at.take();
    await at.opens(command, "EMPTY");
    const compartments = [at.cell("CLOSED", "PRESENT")];
    await takeOver(at, bootNo, { lastSeq: command.seq, compartments });
    expect(await at.facts(orderId)).toMatchObject({ state: "STORED" });
  });

  it("command lost on its way: it provably opened nothing", async () => {
    const at = await OrderCabinet.make(fleet);
    const { orderId } = await at.start();
    await at.take();
    await takeOver(at, 2);
    expect(await statesOf(at)).toEqual(["EXPIRED"]);
    expect(await cancel(at, orderId)).toBe("granted");
  });
});
