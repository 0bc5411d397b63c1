// Cabinet link end to end: connect, birth, state, commands through each of their stages.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { notifyConfig } from "../../apps/server/src/features/link/device/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { type DeviceFleet, type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

const addCabinet = (more: Parameters<DeviceFleet["addCabinet"]>[0] = {}) =>
  fleet.addCabinet({ tenantId: person.tenantId, ...more });

async function switchOn(cabinet: FleetCabinet, more: Parameters<DeviceFleet["switchOn"]>[1] = {}) {
  const machine = await fleet.switchOn(cabinet, more);
  await until("a session", () => machine.hasSession());
  return machine;
}

const open = (cabinet: FleetCabinet, no: number, side?: "FRONT" | "BACK") =>
  fleet.testServer.call(commandContract.open, person, {
    params: { id: cabinet.id },
    body: { no, reason: "客户来电", ...(side && { side }) },
  });

const settled = (id: string, withinMs?: number) =>
  until(
    "the command's end",
    async () => {
      const { data } = await fleet.testServer.call(commandContract.get, person, { params: { id } });
      return hasResult(data.state) && data;
    },
    withinMs,
  );

const findEvents = (cabinet: FleetCabinet) =>
  fleet.testServer.database.read("platform", (db) =>
    db.many<{ kind: string; commandId: string | null; no: number | null }>(sql`
      select kind, command_id, compartment_no as no from cabinet_event
      where cabinet_id = ${cabinet.id} order by id`),
  );

describe("command", () => {
  it("opens one door once, and records each stage in order", async () => {
    const cabinet = await addCabinet();
    const machine = await switchOn(cabinet);
    const { data, errMsg } = await open(cabinet, 2);
    expect(errMsg).toBe("");
    expect(data).toMatchObject({ state: "QUEUED", kind: "OPEN", no: 2, side: "FRONT" });
    const end = await settled(data.id);
    expect(end).toMatchObject({ state: "CONFIRMED", detail: null });
    expect([end.createdAt, end.sentAt, end.ackedAt, end.settledAt]).toEqual(
      [end.createdAt, end.sentAt, end.ackedAt, end.settledAt].toSorted(),
    );
    expect(machine.hardware.pulses.map(({ no, cmdId }) => ({ no, cmdId }))).toEqual([
      { no: 2, cmdId: data.id },
    ]);
    await until("the door's event", async () =>
      (await findEvents(cabinet)).find(
        ({ kind, commandId, no }) => kind === "DOOR_OPENED" && commandId === data.id && no === 2,
      ),
    );
    const compartments = await fleet.testServer.call(compartmentContract.list, person, {
      params: { id: cabinet.id },
    });
    expect(compartments.data[1]?.doorFront).toBe("OPEN");
  });

  it("door stays closed: NOT_CONFIRMED", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet, { isJammed: () => true });
    const { data } = await open(cabinet, 1);
    const end = await settled(data.id);
    expect(end.state).toBe("NOT_CONFIRMED");
    expect(end.detail).toContain("门磁未见箱门打开");
  });

  it("refused by the cabinet: REJECTED with the reason", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet, { autoCloseMs: 60_000 });
    await settled((await open(cabinet, 1)).data.id);
    const second = await settled((await open(cabinet, 1)).data.id);
    expect(second).toMatchObject({ state: "REJECTED", detail: "箱门本来就开着，未再开锁" });
  });

  it("second one for the same compartment in flight: refused", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet, { isJammed: () => true });
    const [first, second] = await Promise.all([open(cabinet, 3), open(cabinet, 3)]);
    const refused = [first, second].filter(({ code }) => code === 1);
    expect(refused.map(({ errMsg }) => errMsg)).toEqual(["3 号格口正在开门，请等待结果"]);
    expect((await open(cabinet, 2)).code).toBe(0);
    expect(await fleet.findCommands(cabinet)).toHaveLength(2);
  });

  it("never opens both doors of a double-sided compartment", async () => {
    const cabinet = await addCabinet({ side: "DOUBLE" });
    const machine = await switchOn(cabinet, { autoCloseMs: 60_000 });
    const front = await open(cabinet, 1, "FRONT");
    expect((await open(cabinet, 1, "BACK")).errMsg).toBe("1 号格口正在开门，请等待结果");
    await settled(front.data.id);
    await until("the open door to be known", async () => {
      const back = await open(cabinet, 1, "BACK");
      return back.errMsg === "1 号格口的另一面门未关，双面门不能同时打开";
    });
    expect(machine.hardware.pulses.every(({ side }) => side === "FRONT")).toBe(true);
  });

  it("unknown compartment or door: refused", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet);
    expect((await open(cabinet, 9)).errMsg).toContain("9 号格口不存在");
    expect((await open(cabinet, 1, "BACK")).errMsg).toContain("1 号格口的背面门不存在");
  });

  it("restart: confirmed when the cabinet is back", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet);
    const restart = () =>
      fleet.testServer.call(commandContract.restart, person, {
        params: { id: cabinet.id },
        body: { reason: "例行维护" },
      });
    const { data } = await restart();
    expect(data).toMatchObject({ kind: "RESTART", no: null, side: null });
    await until("going down", async () => (await restart()).code === 1);
    expect(await settled(data.id, 15_000)).toMatchObject({ state: "CONFIRMED" });
    expect((await findEvents(cabinet)).map(({ kind }) => kind)).toContain("BOOTED");
  });

  it("listed in the operation log with its reason, for its own tenant only", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet);
    const { data } = await open(cabinet, 1);
    await settled(data.id);
    const { data: page } = await fleet.testServer.call(commandContract.list, person, {
      query: { keyword: cabinet.sn, kind: "OPEN", state: "CONFIRMED" },
    });
    expect(page).toMatchObject({ total: 1, list: [{ id: data.id, reason: "客户来电" }] });
    const stranger = (await fleet.testServer.makeTenant()).people[1];
    const foreign = { params: { id: data.id } };
    const { errMsg } = await fleet.testServer.call(commandContract.get, stranger, foreign);
    expect(errMsg).toContain("指令不存在");
    const other = await fleet.testServer.call(commandContract.list, stranger, {
      query: { tenantId: person.tenantId },
    });
    expect(other.data.total).toBe(0);
  });
});

describe("config", () => {
  it("desired config changed: sent, and reported back once in force", async () => {
    const cabinet = await addCabinet();
    await switchOn(cabinet);
    await fleet.testServer.database.transaction({ tenantId: cabinet.tenantId }, async (db) => {
      await db.run(sql`
        update cabinet set desired_config = '{"volume": 30}', desired_config_version = 7
        where id = ${cabinet.id}`);
      await notifyConfig(db, { tenantId: cabinet.tenantId, cabinetId: cabinet.id });
    });
    await until("config in force", async () => {
      const { data } = await fleet.testServer.call(cabinetContract.get, person, {
        params: { id: cabinet.id },
      });
      return data.reportedConfigVersion === 7 && data.reportedConfig?.volume === 30;
    });
  });
});

describe("cabinet reports", () => {
  it("state of 200 compartments: sent in parts and stored completely", async () => {
    const cabinet = await addCabinet({ doors: 200 });
    await switchOn(cabinet);
    const { data } = await fleet.testServer.call(compartmentContract.list, person, {
      params: { id: cabinet.id },
    });
    expect(data.filter(({ doorFront }) => doorFront === "CLOSED")).toHaveLength(200);
    expect((await settled((await open(cabinet, 200)).data.id)).state).toBe("CONFIRMED");
  });

  it("new birth: new session; repeated birth: no second hello", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    const birth = raw.birth();
    await raw.send(birth);
    await raw.send(birth);
    const hello = await raw.greet();
    expect(hello.epoch).toBe(2);
    expect(raw.heard("hello").map(({ message }) => message.epoch)).toEqual([1, 2]);
    raw.cut();
  });

  it("gap in the numbering: resync after 5 s, closed by the full state", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    await raw.send(raw.seal("evt", { bootNo: 1, n: 4, mono: 5_000, type: "VIBRATION" }));
    const started = performance.now();
    const resync = await until(
      "a resync",
      () => raw.heard("cmd").find(({ command }) => command.ok && command.message.type === "RESYNC"),
      12_000,
    );
    expect(performance.now() - started).toBeGreaterThan(4_900);
    const cmdId = resync.command.ok ? resync.command.message.cmdId : "";
    const part = { full: true, cmdId, part: 1, parts: 1, compartments: [] };
    await raw.send(raw.seal("state", { bootNo: 1, n: 5, mono: 9_000, ...part }));
    const row = await fleet.findCabinet<{ missing: number; gap: string | null }>(
      cabinet,
      "cardinality(missing_reports) as missing, gap_since as gap",
    );
    expect(row).toEqual({ missing: 0, gap: null });
    raw.cut();
  });

  it("boot counter starting over: the numbering is accepted from the new birth on", async () => {
    const cabinet = await addCabinet();
    const first = await RawCabinet.connect(fleet, cabinet);
    const row = { no: 1, front: "CLOSED", item: "EMPTY" } as const;
    await first.greet({ bootNo: 40, compartments: [row] });
    first.cut();
    const second = await RawCabinet.connect(fleet, cabinet);
    await second.greet({ bootNo: 1, compartments: [{ ...row, front: "OPEN" }] });
    await second.send(
      second.seal("evt", { bootNo: 1, n: 2, mono: 2, type: "TAMPER", compartment: row }),
    );
    const kinds = (await findEvents(cabinet)).map(({ kind }) => kind);
    expect(kinds).toEqual(["ONLINE", "BOOTED", "UNCOMMANDED_OPENING", "TAMPER"]);
    const { data } = await fleet.testServer.call(compartmentContract.list, person, {
      params: { id: cabinet.id },
    });
    expect(data[0]?.doorFront).toBe("CLOSED");
    second.cut();
  });

  it("acknowledged after they are stored, not before", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    let isAcknowledged = false;
    const event = raw.seal("evt", { bootNo: 1, n: 2, mono: 2, type: "TAMPER" });
    await fleet.testServer.database.transaction("platform", async (db) => {
      await db.run(sql`select 1 from cabinet where id = ${cabinet.id} for update`);
      void raw.send(event).then(() => {
        isAcknowledged = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(isAcknowledged).toBe(false);
    });
    await until("the acknowledgement", () => isAcknowledged);
    expect((await findEvents(cabinet)).map(({ kind }) => kind)).toContain("TAMPER");
    raw.cut();
  });

  it("clock off by minutes: recorded as CLOCK_SKEW", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet({ at: Date.now() + 600_000 });
    const { skew } = await fleet.findCabinet<{ skew: number }>(
      cabinet,
      "clock_skew_seconds as skew",
    );
    expect(skew).toBeGreaterThan(590);
    expect((await findEvents(cabinet)).map(({ kind }) => kind)).toContain("CLOCK_SKEW");
    raw.cut();
  });
});
