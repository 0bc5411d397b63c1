// Malfunctions from cabinet reports over the real broker: opened after a minimum duration, resolved
// automatically.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { EventReport } from "@cabinet/link";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { malfunctionJobs } from "../../apps/server/src/features/operations/malfunction/index.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let operator: Person;
let cabinet: FleetCabinet;
let raw: RawCabinet;

beforeAll(() => fleet.startGateway());
beforeEach(async () => {
  const tenant = await fleet.testServer.makeTenant();
  operator = tenant.people[1];
  cabinet = await fleet.addCabinet({ tenantId: tenant.id });
  raw = await RawCabinet.connect(fleet, cabinet);
  await raw.greet();
});
afterEach(() => raw.cut());

const platform = <Result>(work: (db: Db) => Promise<Result>) =>
  fleet.testServer.database.transaction("platform", work);

type EventDraft = Partial<Omit<EventReport, "v" | "bootNo" | "n" | "mono">> & { type: string };
const sealed = (event: EventDraft) => {
  const n = ++raw.n;
  return raw.seal("evt", { bootNo: 1, n, mono: n * 1_000, ...event });
};
const say = (event: EventDraft) => raw.send(sealed(event));

const malfunctions = async () =>
  (
    await fleet.testServer.call(malfunctionContract.list, operator, {
      query: { sort: "createdAt" },
    })
  ).data.list;
const one = (what: Partial<Awaited<ReturnType<typeof malfunctions>>[number]>) =>
  until(`a malfunction ${JSON.stringify(what)}`, async () =>
    (await malfunctions()).find((row) =>
      Object.entries(what).every(([name, value]) => row[name as keyof typeof row] === value),
    ),
  );
/** Waits until the gateway has evaluated all signals that are due. */
const looked = () =>
  until("everything looked at", async () => {
    const due = await platform((db) =>
      db.many(sql`
        select from malfunction_signal where cabinet_id = ${cabinet.id} and due_at <= now()`),
    );
    return due.length === 0;
  });
const signals = () =>
  platform((db) =>
    db.many<{ kind: string; begins: number; isNotified: boolean }>(sql`
      select kind, begins, is_told as is_notified from malfunction_signal
      where cabinet_id = ${cabinet.id} order by kind`),
  );
/** Moves everything reported so far this many seconds into the past and makes it due. */
const pass = (seconds: number) =>
  platform((db) =>
    db.run(sql`
      update malfunction_signal set began_at = began_at - make_interval(secs => ${seconds}),
        ended_at = ended_at - make_interval(secs => ${seconds}),
        last_at = last_at - make_interval(secs => ${seconds}), due_at = now()
      where cabinet_id = ${cabinet.id}`),
  );

it("lasting condition: opens one malfunction, counts repeats, and resolves when it ends", async () => {
  await say({ type: "POWER_LOW", active: true, value: 10.4 });
  await until("the signal", async () => (await signals()).length > 0);
  await looked();
  expect(await malfunctions()).toEqual([]);
  await pass(61);
  const opened = await one({ kind: "POWER_LOW", state: "CREATED" });
  expect(opened).toMatchObject({
    ...{ description: "供电电压过低（10.4 V）", source: "DEVICE", severity: "URGENT" },
    ...{ cabinetId: cabinet.id, compartmentNo: null },
  });
  await say({ type: "POWER_LOW", active: true, value: 10.1 });
  await until("the repeat", async () => (await signals())[0]?.begins === 2);
  await pass(0);
  await one({ id: opened.id, repeatCount: 2 });
  await say({ type: "POWER_LOW", active: false, value: 12.2 });
  await looked();
  expect(await malfunctions()).toMatchObject([{ state: "CREATED" }]);
  await pass(121);
  await one({ id: opened.id, state: "RESOLVED" });
});

it("one signal that cannot be judged: the others are, and it waits", async () => {
  await say({ type: "BOARD_FAULT", active: true });
  await until("the signal", async () => (await signals()).length === 1);
  await pass(61);
  const fault = await one({ kind: "BOARD_FAULT", state: "CREATED" });
  const repeat = (times: number) =>
    platform((db) =>
      db.run(sql`
        update malfunction_signal set pending = ${times}, due_at = now() - interval '1 hour'
        where cabinet_id = ${cabinet.id} and kind = 'BOARD_FAULT'`),
    );
  // No count of repeats can take this.
  await repeat(2_147_483_647);
  await say({ type: "POWER_LOW", active: true, value: 10.4 });
  await until("the other signal", async () => (await signals()).length === 2);
  await pass(61);
  await one({ kind: "POWER_LOW", state: "CREATED" });
  await looked();
  await repeat(1);
  await one({ id: fault.id, repeatCount: fault.repeatCount + 1 });
});

it("duplicate report, or an end without a beginning: opens nothing", async () => {
  const knock = sealed({ type: "VIBRATION" });
  for (let n = 0; n < 4; n++) await raw.send(knock);
  await say({ type: "BOARD_FAULT", active: false });
  await until("the knock", async () => (await signals()).length > 0);
  await looked();
  expect(await signals()).toEqual([{ kind: "VIBRATION", begins: 1, isNotified: false }]);
  await say({ type: "VIBRATION" });
  await say({ type: "VIBRATION" });
  await one({ kind: "VIBRATION", repeatCount: 3 });
});

it("tampering and a door left open: reported at once; closing the door resolves the latter", async () => {
  const row = (front: "OPEN" | "CLOSED") => ({ no: 2, front, item: "EMPTY" as const });
  await say({ type: "TAMPER", value: 9 });
  await say({ type: "DOOR_LEFT_OPEN", compartment: row("OPEN"), side: "FRONT", value: 120 });
  await one({ kind: "TAMPER", severity: "SEVERE" });
  const open = await one({ kind: "DOOR_LEFT_OPEN", compartmentNo: 2, state: "CREATED" });
  expect(open.description).toBe("箱门长时间未关（已开 120 秒）");
  await say({ type: "DOOR_CLOSED", compartment: row("CLOSED"), side: "FRONT" });
  await until("the shut door", async () => {
    await pass(0);
    return (await malfunctions()).find(({ id, state }) => id === open.id && state === "RESOLVED");
  });
  expect(await malfunctions()).toHaveLength(2);
});

it("false alarm: a repeated report is counted but does not reopen it", async () => {
  await say({ type: "TAMPER" });
  const { id } = await one({ kind: "TAMPER" });
  await fleet.testServer.call(malfunctionContract.ignore, operator, {
    body: { ids: [id], reason: "施工引起" },
  });
  await say({ type: "TAMPER" });
  await one({ id, state: "IGNORED", repeatCount: 2 });
  expect(await malfunctions()).toHaveLength(1);
});

it("openings that fail in a row: one malfunction, resolved by the next that works", async () => {
  let seq = 0;
  const open = async (stage: "NOT_CONFIRMED" | "CONFIRMED") => {
    const { data: command } = await fleet.testServer.call(commandContract.open, operator, {
      params: { id: cabinet.id },
      body: { no: 1, reason: "检修测试" },
    });
    await until("the command", () =>
      raw.heard("cmd").some(({ command: heard }) => heard.ok && heard.message.cmdId === command.id),
    );
    seq++;
    for (const each of ["ACKED", stage] as const) {
      const n = ++raw.n;
      const ack = { bootNo: 1, n, mono: n * 1_000, cmdId: command.id, seq, stage: each };
      await raw.send(raw.seal("ack", ack));
    }
    await until("its end", async () =>
      (await fleet.findCommands(cabinet)).some(
        ({ id, state }) => id === command.id && state === stage,
      ),
    );
  };
  await open("NOT_CONFIRMED");
  await looked();
  expect(await malfunctions()).toEqual([]);
  await open("NOT_CONFIRMED");
  const { id } = await one({ kind: "OPEN_FAILED", compartmentNo: 1, repeatCount: 2 });
  await open("CONFIRMED");
  await one({ id, state: "RESOLVED" });
});

it("several results of one door in a birth's journal: evaluated in their order", async () => {
  const order = async () => {
    const { data: command } = await fleet.testServer.call(commandContract.open, operator, {
      params: { id: cabinet.id },
      body: { no: 1, reason: "检修测试" },
    });
    await until("the command", () =>
      raw.heard("cmd").some(({ command: heard }) => heard.ok && heard.message.cmdId === command.id),
    );
    // Settle it as UNKNOWN (no answer in time), so that the next one is accepted.
    await platform((db) =>
      db.run(
        sql`update command set state = 'UNKNOWN', settled_at = now() where id = ${command.id}`,
      ),
    );
    return command.id;
  };
  const ids = [await order(), await order(), await order()];
  raw.cut();
  raw = await RawCabinet.connect(fleet, cabinet);
  const stages = ["CONFIRMED", "NOT_CONFIRMED", "NOT_CONFIRMED"] as const;
  const journal = ids.map((cmdId, index) => {
    return { cmdId, seq: index + 1, stage: stages[index] ?? "NOT_CONFIRMED" };
  });
  await raw.greet({ bootNo: 2, lastSeq: 3, journal });
  await one({ kind: "OPEN_FAILED", compartmentNo: 1, repeatCount: 2 });
});

it("goods without an order: a malfunction after ten minutes, resolved when they are taken", async () => {
  const compare = () =>
    malfunctionJobs.tasks["malfunction.compare"]?.({}, {
      database: fleet.testServer.database,
    } as never);
  await say({ type: "ITEM_PLACED", compartment: { no: 3, front: "CLOSED", item: "PRESENT" } });
  await until("the goods", async () => {
    await compare();
    return (await signals()).length > 0;
  });
  await looked();
  expect(await malfunctions()).toEqual([]);
  await pass(601);
  const { id } = await one({ kind: "OCCUPANCY_ABNORMAL", compartmentNo: 3, state: "CREATED" });
  await say({ type: "ITEM_TAKEN", compartment: { no: 3, front: "CLOSED", item: "EMPTY" } });
  await until("the end", async () => {
    await compare();
    return (await malfunctions()).find((row) => row.id === id && row.state === "RESOLVED");
  });
});
