// Dropped reports (malformed or over the rate limit): logged at the cabinet, counted, harmless to
// other cabinets.
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import type { EventKind } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { sealFrame, upTopic } from "@cabinet/link";
import { beforeAll, describe, expect, it } from "vitest";
import {
  REPORT_BURST,
  REPORTS_PER_SECOND,
} from "../../apps/server/src/features/link/device/reports/report-limit.rules.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { deviceMessages } from "../../apps/server/src/platform/metrics.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let person: Person;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
});

const addCabinet = () => fleet.addCabinet({ tenantId: person.tenantId });

/** Texts of one kind in the cabinet's log, as its tenant reads them, oldest first. */
async function linesOf(cabinet: FleetCabinet, kind: EventKind): Promise<string[]> {
  const { data } = await fleet.testServer.call(cabinetEventContract.list, person, {
    query: { cabinetId: cabinet.id, kind, group: "LINK", isProblem: true, pageSize: 100 },
  });
  return data.list.map(({ text }) => text).reverse();
}

async function metric(kind: string, outcome: string): Promise<number> {
  const { values } = await deviceMessages.get();
  const found = values.find(({ labels }) => labels.kind === kind && labels.outcome === outcome);
  return found?.value ?? 0;
}

describe("malformed report", () => {
  const head = { v: 1, bootNo: 1, mono: 5_000 };

  /** Publishes a message sealed with the cabinet's key, without checking it against the schema. */
  async function say(raw: RawCabinet, { sn }: FleetCabinet, kind: string, message: object) {
    const topic = `c1/${sn}/up/${kind}`;
    const payload = sealFrame(raw.keys.up, topic, message);
    await raw.client.publishAsync(topic, payload, { qos: 1 });
  }

  it("logged at the cabinet with field and reason, and counted", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    const before = await metric("state", "MALFORMED");
    const compartments = [{ no: 1, front: "AJAR", item: "EMPTY" }];
    await say(raw, cabinet, "state", { ...head, n: 2, compartments });
    const state = { ...head, n: 3, full: false, part: 1, parts: 1, compartments };
    await say(raw, cabinet, "state", state);
    await say(raw, cabinet, "state", state);
    await say(raw, cabinet, "ack", { ...head, v: 9, n: 4, cmdId: "cmd-0001", stage: "ACKED" });
    const lines = await until("three lines", async () => {
      const found = await linesOf(cabinet, "REPORT_DROPPED");
      return found.length >= 3 && found;
    });
    expect(lines).toEqual([
      "上报被丢弃：up/state 格式不符（/ must have required properties full, part, parts）",
      "上报被丢弃：up/state 格式不符（/compartments/0/front must be equal to one of the allowed values）",
      "上报被丢弃：up/ack 协议版本不支持（9）",
    ]);
    expect(await metric("state", "MALFORMED")).toBe(before + 3);
    raw.cut();
  });

  it("wrong or missing signature: logged as such", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    const topic = upTopic(cabinet.sn, "evt");
    const event = { ...head, n: 1, type: "TAMPER" };
    const foreign = sealFrame(raw.keys.down, topic, event);
    await raw.client.publishAsync(topic, foreign, { qos: 1 });
    await raw.client.publishAsync(topic, JSON.stringify(event), { qos: 1 });
    await until("two lines", async () => {
      const lines = await linesOf(cabinet, "REPORT_DROPPED");
      return (
        lines.includes("上报被丢弃：up/evt 签名不符") &&
        lines.includes("上报被丢弃：up/evt 没有签名")
      );
    });
    raw.cut();
  });

  it("50 different causes: at most 30 log lines, all counted", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    const before = await metric("evt", "VERSION");
    for (let v = 10; v < 60; v++) await say(raw, cabinet, "evt", { ...head, v, n: 2 });
    expect(await metric("evt", "VERSION")).toBe(before + 50);
    await say(raw, cabinet, "evt", { ...head, n: 2, type: "TAMPER" });
    await until("lines", async () => (await linesOf(cabinet, "REPORT_DROPPED")).length === 30);
    raw.cut();
  });
});

describe("cabinet over its report limit", () => {
  const countEvents = (cabinet: FleetCabinet, kind: string) =>
    fleet.testServer.database.read("platform", async (db) => {
      const { count } = await db.one<{ count: number }>(sql`
        select count(*)::int as count from cabinet_event
        where cabinet_id = ${cabinet.id} and kind = ${kind}`);
      return count;
    });

  it("loses the excess, gets one log line, and still opens doors like its neighbour", async () => {
    const [cabinet, neighbour] = [await addCabinet(), await addCabinet()];
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    const machine = await fleet.switchOn(neighbour);
    await until("a session", () => machine.hasSession());
    const before = await metric("evt", "LIMITED");
    const started = performance.now();
    const flood = Array.from({ length: REPORT_BURST + 500 }, () => {
      const n = ++raw.n;
      return raw.send(raw.seal("evt", { bootNo: 1, n, mono: n, type: "VIBRATION" }));
    });
    const open = async ({ id }: FleetCabinet) => {
      const body = { no: 1, reason: "客户来电" };
      const { data } = await fleet.testServer.call(commandContract.open, person, {
        ...{ params: { id }, body },
      });
      return data.id;
    };
    const isConfirmed = (id: string) => async () => {
      const { data } = await fleet.testServer.call(commandContract.get, person, { params: { id } });
      return data.state === "CONFIRMED";
    };
    await until("the neighbour's door", isConfirmed(await open(neighbour)));
    await Promise.all(flood);
    const seconds = (performance.now() - started) / 1_000;
    const stored = await countEvents(cabinet, "VIBRATION");
    expect(stored).toBeLessThanOrEqual(REPORT_BURST + REPORTS_PER_SECOND * seconds + 1);
    expect(await metric("evt", "LIMITED")).toBe(before + flood.length - stored);
    await until("a line", async () => (await linesOf(cabinet, "REPORTS_LIMITED")).length > 0);
    expect(await linesOf(cabinet, "REPORTS_LIMITED")).toEqual(["上报过于频繁，超出部分未保存"]);

    const id = await open(cabinet);
    const { command } = await until("the command", () =>
      raw.heard("cmd").find(({ command }) => command.ok && command.message.type === "OPEN"),
    );
    const seq = command.ok && command.message.type === "OPEN" ? command.message.seq : 0;
    const ack = { bootNo: 1, n: ++raw.n, mono: raw.n, cmdId: id, seq, stage: "CONFIRMED" } as const;
    await raw.send(raw.seal("ack", ack));
    expect(await isConfirmed(id)()).toBe(true);
    raw.cut();
  });
});
