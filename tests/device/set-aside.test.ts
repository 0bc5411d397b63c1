// Implausible values in reports: what is set aside, what is shown of it, and what the cabinet is asked instead.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import type { EventKind } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { sealFrame, type UpKind, upTopic } from "@cabinet/link";
import { beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const DAY_MS = 86_400_000;
const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

async function connected(more: Parameters<RawCabinet["greet"]>[0] = {}) {
  const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
  const raw = await RawCabinet.connect(fleet, cabinet);
  const hello = await raw.greet(more);
  return { cabinet, raw, hello };
}

/** Publishes a message that no schema has checked. */
async function say(raw: RawCabinet, { sn }: FleetCabinet, kind: UpKind, message: object) {
  const topic = upTopic(sn, kind);
  const payload = sealFrame(raw.keys.up, topic, { v: 1, bootNo: 1, ...message });
  await raw.client.publishAsync(topic, payload, { qos: 1 });
}

async function linesOf(cabinet: FleetCabinet, kind: EventKind) {
  const { data } = await fleet.testServer.call(cabinetEventContract.list, person, {
    query: { cabinetId: cabinet.id, kind, pageSize: 100 },
  });
  return data.list.reverse();
}

const textsOf = async (cabinet: FleetCabinet, kind: EventKind) =>
  (await linesOf(cabinet, kind)).map(({ text }) => text);

async function detailOf({ id }: FleetCabinet) {
  return (await fleet.testServer.call(cabinetContract.get, person, { params: { id } })).data;
}

describe("measurement out of range", () => {
  it("set aside and shown until a valid one arrives; the birth counts", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet({ temperatureC: -127, signalDbm: 99 });
    const detail = await detailOf(cabinet);
    expect(detail).toMatchObject({ connectivity: "ONLINE", temperatureC: null, signalDbm: null });
    expect(detail.invalidReadings).toEqual(["signalDbm", "temperatureC"]);
    const beat = { n: 1, openDoors: 0, badFrames: 0 };
    await say(raw, cabinet, "hb", { ...beat, mono: 5_000, temperatureC: -127, signalDbm: -70 });
    await say(raw, cabinet, "hb", { ...beat, mono: 6_000 });
    const half = await detailOf(cabinet);
    expect(half).toMatchObject({ signalDbm: -70, invalidReadings: ["temperatureC"] });
    await say(raw, cabinet, "hb", { ...beat, mono: 7_000, temperatureC: 21.5 });
    expect(await detailOf(cabinet)).toMatchObject({ temperatureC: 21.5, invalidReadings: [] });
    const lines = await until("a line", async () => {
      const found = await textsOf(cabinet, "INVALID_READINGS");
      return found.length > 0 && found;
    });
    expect(lines).toEqual(["信号读数无效（99）、温度传感器读数无效（-127）"]);
    raw.cut();
  });

  it("a program version that cannot be read: the known one stays", async () => {
    const { cabinet, raw } = await connected({ appVersion: "2.0.1" });
    await raw.greet({ appVersion: "" });
    expect(await detailOf(cabinet)).toMatchObject({
      appVersion: "2.0.1",
      invalidReadings: ["appVersion"],
    });
    raw.cut();
  });
});

describe("device time", () => {
  it("kept for events of the last 30 days, null for what cannot be the time of an event", async () => {
    const { cabinet, raw } = await connected();
    const old = Date.now() - 20 * DAY_MS;
    const times = [old, 0, Date.now() + 2 * DAY_MS, 8_640_000_000_000_000, 8_640_000_000_000_001];
    for (const at of times) {
      const n = ++raw.n;
      await say(raw, cabinet, "evt", { n, mono: n, type: "TAMPER", at });
    }
    const lines = await linesOf(cabinet, "TAMPER");
    expect(lines.map(({ deviceAt }) => deviceAt)).toEqual([
      new Date(old).toISOString(),
      ...[null, null, null, null],
    ]);
    raw.cut();
  });

  it("a clock from 1970: noted as skew", async () => {
    const { cabinet, raw } = await connected({ at: 0 });
    const [line] = await linesOf(cabinet, "CLOCK_SKEW");
    expect(line).toMatchObject({ deviceAt: null, text: expect.stringContaining("-17") });
    raw.cut();
  });
});

describe("config version ahead of the server's", () => {
  it("in a birth: the desired one goes above it and is sent", async () => {
    const { cabinet, raw, hello } = await connected({ configVersion: 7 });
    expect(hello.configVersion).toBe(8);
    const { message } = await until("the config", () => raw.heard("cfg")[0]);
    expect(message.version).toBe(8);
    expect((await detailOf(cabinet)).desiredConfigVersion).toBe(8);
    raw.cut();
  });

  it("in a state report: likewise, once", async () => {
    const { cabinet, raw } = await connected();
    const report = (version: number) => {
      const n = ++raw.n;
      const config = { version, values: { volume: 10 } };
      const state = { n, mono: n, full: false, part: 1, parts: 1, compartments: [], config };
      return say(raw, cabinet, "state", state);
    };
    await report(2_000_000_000);
    const { message } = await until("the config", () => raw.heard("cfg")[0]);
    expect(message.version).toBe(2_000_000_001);
    await report(2_000_000_000);
    expect((await detailOf(cabinet)).desiredConfigVersion).toBe(2_000_000_001);
    raw.cut();
  });

  it("beyond any version: taken as none", async () => {
    const { raw, cabinet } = await connected({ configVersion: 2 ** 31 });
    const { message } = await until("the config", () => raw.heard("cfg")[0]);
    expect(message.version).toBe(1);
    expect((await detailOf(cabinet)).invalidReadings).toEqual(["configVersion"]);
    raw.cut();
  });
});

describe("command number far ahead of the server's", () => {
  const open = (cabinet: FleetCabinet, no: number) =>
    fleet.testServer.call(commandContract.open, person, {
      params: { id: cabinet.id },
      body: { no, reason: "客户来电" },
    });
  /** Number of the next opening. */
  async function nextSeq(raw: RawCabinet, cabinet: FleetCabinet, no = 1): Promise<number> {
    const before = raw.heard("cmd").length;
    expect((await open(cabinet, no)).code).toBe(0);
    const { command } = await until("the opening", () => raw.heard("cmd")[before]);
    return command.ok && command.message.type === "OPEN" ? command.message.seq : 0;
  }

  it("that a cabinet can have stored: openings go above it, and the log says so", async () => {
    const { raw, cabinet } = await connected({ lastSeq: 2 ** 31 });
    expect(await nextSeq(raw, cabinet)).toBe(2 ** 31 + 1);
    await until("a line", async () => (await textsOf(cabinet, "COUNTER_JUMPED")).length > 0);
    expect(await textsOf(cabinet, "COUNTER_JUMPED")).toEqual([
      "设备计数跳变（lastSeq 2147483648），按存储丢失处理",
    ]);
    raw.cut();
  });

  it("that leaves no room: openings go on from the server's own", async () => {
    const { raw, cabinet } = await connected({ lastSeq: Number.MAX_SAFE_INTEGER });
    const first = await nextSeq(raw, cabinet);
    expect(first).toBeLessThan(10);
    await raw.greet({ lastSeq: first });
    expect(await nextSeq(raw, cabinet, 2)).toBe(first + 1);
    raw.cut();
  });
});

describe("report that cannot be read", () => {
  it("birth: the session ends, and a birth is requested", async () => {
    const { raw, cabinet } = await connected();
    const n = ++raw.n;
    await say(raw, cabinet, "birth", { n, mono: n, nonce: raw.nonce, part: 1, parts: 1 });
    expect((await detailOf(cabinet)).connectivity).toBe("CONNECTING");
    await until("a request", () =>
      raw.heard("cmd").some(({ command }) => command.ok && command.message.type === "BIRTH"),
    );
    await raw.greet();
    expect((await detailOf(cabinet)).connectivity).toBe("ONLINE");
    raw.cut();
  });

  it("event: a snapshot is requested, although no later report shows the gap", async () => {
    const { raw, cabinet } = await connected();
    const compartment = { no: 1, front: "AJAR", item: "EMPTY" };
    const n = ++raw.n;
    await say(raw, cabinet, "evt", { n, mono: n, type: "DOOR_OPENED", compartment });
    expect((await detailOf(cabinet)).connectivity).toBe("ONLINE");
    await until("a request", () =>
      raw.heard("cmd").some(({ command }) => command.ok && command.message.type === "RESYNC"),
    );
    raw.cut();
  });
});
