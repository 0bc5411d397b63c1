// Firmware and parameter roll-outs end to end: uploaded, released and delivered over the real
// broker to simulated cabinets.
import { generateKeyPairSync } from "node:crypto";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { firmwareContract } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import {
  type NewRollout,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { rolloutJobs } from "../../apps/server/src/features/fleet/rollout/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { startJobs } from "../../apps/server/src/platform/jobs/jobs.ts";
import { type FaultPlan, NO_FAULTS } from "../../apps/simulator/src/faults.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { MAKER_KEY, signImage } from "../support/rollouts.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";

const OLD = "1.4.2";
/** Limit for several frames and downloads on a busy machine. */
const LONG = 60_000;

const fleet = useDeviceFleet();
let platform: Person;
let person: Person;
let modelId: number;
let worker: { stop(): Promise<void> } | undefined;
let patch = 0;

beforeAll(async () => {
  await fleet.startGateway();
  platform = (await fleet.testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

/** Nothing is delivered before the worker starts, so a test can first prepare faults by stage. */
async function startWorker(): Promise<void> {
  const { url, database } = fleet.testServer;
  worker = await startJobs(url, [rolloutJobs], { database, log: pino({ level: "silent" }) });
}

interface RolloutCabinet {
  cabinet: FleetCabinet;
  machine: Machine;
  /** Faults may change while the machine runs. */
  faults: { -readonly [Name in keyof FaultPlan]: FaultPlan[Name] };
}

/** Simulated cabinets with a maker key, online with their factory firmware. */
async function makeCabinets(
  count: number,
  options: { makerKey?: string; autoCloseMs?: number } = {},
): Promise<RolloutCabinet[]> {
  const { makerKey = MAKER_KEY, autoCloseMs = 1_500 } = options;
  const cabinets: RolloutCabinet[] = [];
  for (let nth = 0; nth < count; nth++) {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    cabinet.identity = { ...cabinet.identity, makerKey };
    const faults = { ...NO_FAULTS };
    const machine = await fleet.switchOn(cabinet, { faults, autoCloseMs, seed: nth + 1 });
    cabinets.push({ cabinet, machine, faults });
  }
  const isGreeted = ({ machine }: RolloutCabinet) => machine.hasSession();
  await until("all are greeted", () => cabinets.every(isGreeted), LONG);
  ({ modelId } = await fleet.findCabinet<{ modelId: number }>(
    (cabinets[0] as RolloutCabinet).cabinet,
    "model_id",
  ));
  return cabinets;
}

/** Uploads and releases firmware as platform staff do; the image is `size` bytes long. */
async function release(size = 20_000): Promise<{ firmwareId: number; version: string }> {
  const { testServer } = fleet;
  const version = `2.0.${++patch}`;
  const image = Buffer.alloc(size, `firmware ${version} `);
  const params = { modelId };
  const body = { publicKey: MAKER_KEY, reason: "出厂登记" };
  expect(
    (await testServer.call(firmwareContract.saveMakerKey, platform, { params, body })).code,
  ).toBe(0);
  const uploaded = await testServer.call(firmwareContract.upload, platform, {
    body: {},
    file: { name: "cabinet.bin", bytes: image },
  });
  expect(uploaded.errMsg).toBe("");
  const { sha256, signature } = signImage(image);
  expect(uploaded.data).toMatchObject({ sha256, sizeBytes: size });
  const made = await testServer.call(firmwareContract.create, platform, {
    body: {
      fileId: uploaded.data.fileId,
      version,
      minVersion: "1.0.0",
      notes: "",
      modelIds: [modelId],
      signature,
    },
  });
  expect(made.errMsg).toBe("");
  const released = await testServer.call(firmwareContract.release, platform, {
    params: { id: made.data.id },
  });
  expect(released.errMsg).toBe("");
  return { firmwareId: made.data.id, version };
}

async function create(more: Partial<NewRollout>): Promise<number> {
  const body = { name: "升级", kind: "FIRMWARE", dwellMinutes: 0, ...more };
  const { data, errMsg } = await fleet.testServer.call(rolloutContract.create, person, { body });
  expect(errMsg).toBe("");
  return data.id;
}

const get = async (id: number) =>
  (await fleet.testServer.call(rolloutContract.get, person, { params: { id } })).data;
const targets = async (id: number) =>
  (
    await fleet.testServer.call(rolloutContract.targets, person, {
      params: { id },
      query: { pageSize: 100 },
    })
  ).data.list;
const stateOf = async (id: number, { cabinet }: RolloutCabinet) =>
  (await targets(id)).find(({ cabinetId }) => cabinetId === cabinet.id);
const reaches = (id: number, state: string) =>
  until(`roll-out ${state}`, async () => (await get(id)).state === state && get(id), LONG);
const versionOf = async ({ cabinet }: RolloutCabinet) =>
  (await fleet.findCabinet<{ version: string }>(cabinet, "app_version as version")).version;

async function act(action: "resume" | "retry" | "revert", id: number): Promise<void> {
  const body = { reason: "已核实" };
  const reply = await fleet.testServer.call(rolloutContract[action], person, {
    params: { id },
    body,
  });
  expect(reply.errMsg).toBe("");
}

/** Job states and door events that the cabinet reported, in its own numbering. */
async function reportedSteps({ cabinet }: RolloutCabinet): Promise<string[]> {
  const rows = await fleet.testServer.database.read("platform", (db) =>
    db.many<{ word: string }>(sql`
      select coalesce(payload #>> '{job,status}', kind) as word from cabinet_event
      where cabinet_id = ${cabinet.id} and kind in ('JOB', 'DOOR_OPENED', 'DOOR_CLOSED')
      order by boot_no, n`),
  );
  return rows.map(({ word }) => word);
}

test("firmware: installed stage after stage on ten cabinets, without a door opening", async () => {
  const cabinets = await makeCabinets(10);
  const { firmwareId, version } = await release();
  await startWorker();
  const id = await create({ firmwareId, stagePercents: [10, 50, 100] });
  const done = await reaches(id, "FINISHED");
  expect(done.stages.map(({ total, succeeded }) => [total, succeeded])).toEqual([
    [1, 1],
    [4, 4],
    [5, 5],
  ]);
  for (const each of cabinets) expect(await versionOf(each)).toBe(version);
  expect(cabinets.flatMap(({ machine }) => machine.hardware.pulses)).toEqual([]);
  const rows = await targets(id);
  for (const later of rows) {
    for (const earlier of rows.filter(({ stage }) => stage < later.stage)) {
      expect(Date.parse(earlier.settledAt ?? "")).toBeLessThanOrEqual(
        Date.parse(later.sentAt ?? ""),
      );
    }
  }
  expect(rows.every(({ attempts, fromVersion }) => attempts === 1 && fromVersion === OLD)).toBe(
    true,
  );
  for (const each of cabinets) {
    expect(await reportedSteps(each)).toEqual(["ACCEPTED", "DOWNLOADING", "INSTALLED"]);
  }
});

test("more than 5 % failed: stops, continues on resume, and a retry succeeds", async () => {
  const cabinets = await makeCabinets(20);
  const { firmwareId, version } = await release();
  const id = await create({ firmwareId, stagePercents: [10, 80, 100] });
  const stageOf = new Map((await targets(id)).map((row) => [row.cabinetId, row.stage]));
  const second = cabinets.filter(({ cabinet }) => stageOf.get(cabinet.id) === 2);
  const failing = second.slice(0, 2);
  for (const each of failing) each.faults.bootLoop = 1;
  await startWorker();
  const stopped = await reaches(id, "STOPPED");
  expect(stopped.stage).toBe(2);
  expect(stopped.stateReason).toMatch(/失败 [12] 台，超过停止阈值 5%/);
  expect(stopped.stages[2]).toMatchObject({ total: 4, waiting: 4 });
  await until("both have failed", async () => (await get(id)).counts.failed === 2, LONG);
  for (const each of failing) {
    expect(await stateOf(id, each)).toMatchObject({
      state: "FAILED",
      // Reported by the cabinet or concluded from its birth, whichever came first.
      detail: expect.stringMatching(/仍是旧版本 1.4.2|已恢复原版本/),
    });
    await until("it is back", () => each.machine.hasSession(), LONG);
    expect(await versionOf(each)).toBe(OLD);
  }
  const untouched = cabinets.filter(({ cabinet }) => stageOf.get(cabinet.id) === 3);
  for (const each of untouched) expect(await versionOf(each)).toBe(OLD);

  await act("resume", id);
  const finished = await reaches(id, "FINISHED");
  expect(finished.counts).toMatchObject({ succeeded: 18, failed: 2 });
  for (const each of failing) each.faults.bootLoop = 0;
  await act("retry", id);
  const all = await until(
    "all succeeded",
    async () => {
      const now = await get(id);
      return now.state === "FINISHED" && now.counts.succeeded === 20 && now;
    },
    LONG,
  );
  expect(all.counts.failed).toBe(0);
  for (const each of cabinets) expect(await versionOf(each)).toBe(version);
});

test("open door: the install is refused or delayed until the door is closed", async () => {
  const cabinets = await makeCabinets(2, { autoCloseMs: 4_000 });
  const [refusing, waiting] = cabinets as [RolloutCabinet, RolloutCabinet];
  waiting.faults.slowFile = 1;
  const { firmwareId, version } = await release(400_000);
  const open = async ({ cabinet }: RolloutCabinet) => {
    const params = { id: cabinet.id };
    const body = { no: 1, reason: "用户取件" };
    expect((await fleet.testServer.call(commandContract.open, person, { params, body })).code).toBe(
      0,
    );
    await until(
      "the door is open",
      async () => (await reportedSteps({ ...refusing, cabinet })).length > 0,
    );
  };
  await open(refusing);
  const id = await create({ firmwareId, stagePercents: [100] });
  await startWorker();
  const postponed = await until("it is postponed", async () => {
    const row = await stateOf(id, refusing);
    return row?.notBefore && row;
  });
  expect(postponed).toMatchObject({ state: "WAITING", detail: "有箱门未关，稍后自动重试" });
  await until(
    "the other one downloads",
    async () => (await stateOf(id, waiting))?.state === "DOWNLOADING",
  );
  await open(waiting);
  await until("the door is closed", async () =>
    (await reportedSteps(refusing)).includes("DOOR_CLOSED"),
  );
  expect((await get(id)).counts.failed).toBe(0);
  // Make the retry due now; the next tick of the minute task finds it.
  await fleet.testServer.database.transaction("platform", async (db) => {
    await db.run(sql`update rollout_target set not_before = now() where rollout_id = ${id}`);
  });
  await fleet.testServer.database.transaction("platform", (db) =>
    db.run(sql`select enqueue_job('rollout.tick', '{}', null)`),
  );
  await reaches(id, "FINISHED");
  for (const each of cabinets) {
    expect(await versionOf(each)).toBe(version);
    const words = await reportedSteps(each);
    expect(words.indexOf("DOOR_CLOSED")).toBeLessThan(words.indexOf("INSTALLED"));
    expect(words.indexOf("DOOR_CLOSED")).toBeGreaterThan(words.indexOf("DOOR_OPENED"));
  }
  expect(await reportedSteps(refusing)).toEqual([
    ...["DOOR_OPENED", "REFUSED", "DOOR_CLOSED", "ACCEPTED", "DOWNLOADING", "INSTALLED"],
  ]);
  expect((await stateOf(id, refusing))?.attempts).toBe(2);
});

test("power loss while downloading or installing: the firmware works and is installed once", async () => {
  const cabinets = await makeCabinets(3);
  const [early, late, never] = cabinets as [RolloutCabinet, RolloutCabinet, RolloutCabinet];
  for (const each of [early, never]) each.faults.slowFile = 1;
  const { firmwareId, version } = await release(400_000);
  const id = await create({ firmwareId, stagePercents: [100] });
  await startWorker();
  const inState = (each: RolloutCabinet, state: string) =>
    until(state, async () => (await stateOf(id, each))?.state === state, LONG);
  await Promise.all([
    inState(early, "DOWNLOADING").then(() => early.machine.losePower()),
    inState(late, "INSTALLING").then(() => late.machine.losePower()),
  ]);
  const done = await reaches(id, "FINISHED");
  expect(done.counts).toMatchObject({ succeeded: 3, failed: 0 });
  for (const each of cabinets) {
    expect(await versionOf(each)).toBe(version);
    expect((await stateOf(id, each))?.attempts).toBe(1);
    expect((await reportedSteps(each)).filter((word) => word === "INSTALLED")).toHaveLength(1);
  }
});

test("unknown maker key: the cabinet refuses, and the roll-out stops", async () => {
  const { publicKey } = generateKeyPairSync("ed25519");
  const stranger = String(publicKey.export({ type: "spki", format: "pem" }));
  const [only] = (await makeCabinets(1, { makerKey: stranger })) as [RolloutCabinet];
  const { firmwareId } = await release();
  const id = await create({ firmwareId });
  await startWorker();
  await reaches(id, "STOPPED");
  expect(await stateOf(id, only)).toMatchObject({
    state: "REFUSED",
    detail: "厂家签名与设备内置的公钥不符",
  });
  expect(await versionOf(only)).toBe(OLD);
});

test("offline cabinet: waited for, not counted as failed", async () => {
  const [online] = (await makeCabinets(1)) as [RolloutCabinet];
  const offline = await fleet.addCabinet({ tenantId: person.tenantId });
  offline.identity = { ...offline.identity, makerKey: MAKER_KEY };
  const { firmwareId, version } = await release();
  const id = await create({ firmwareId, stagePercents: [50, 100] });
  await startWorker();
  await until("the first has it", async () => (await versionOf(online)) === version, LONG);
  await until("the second stage", async () => (await get(id)).stage === 2, LONG);
  expect(await get(id)).toMatchObject({ state: "RUNNING", counts: { waiting: 1, failed: 0 } });
  await fleet.switchOn(offline);
  await reaches(id, "FINISHED");
  const row = (await targets(id)).find(({ cabinetId }) => cabinetId === offline.id);
  expect(row).toMatchObject({ state: "SUCCEEDED", appVersion: version });
});

test("parameters: applied stage by stage, and reverted", async () => {
  const cabinets = await makeCabinets(4);
  const ids = cabinets.map(({ cabinet }) => cabinet.id);
  await fleet.testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update cabinet set desired_config = '{"volume": 60, "lightOnAt": "18:00"}'
      where id = any(${ids})`),
  );
  const id = await create({
    kind: "CONFIG",
    config: { volume: 35, heartbeatSeconds: 20 },
    stagePercents: [25, 100],
  });
  await startWorker();
  await reaches(id, "FINISHED");
  const configOf = ({ cabinet }: RolloutCabinet) =>
    fleet.findCabinet<{ desired: object; reported: { volume?: number } }>(
      cabinet,
      "desired_config as desired, reported_config as reported",
    );
  const before = { volume: 60, lightOnAt: "18:00" };
  const request = { volume: 35, heartbeatSeconds: 20 };
  for (const each of cabinets) {
    const { desired, reported } = await configOf(each);
    expect(desired).toEqual({ ...before, ...request });
    expect(reported).toMatchObject({ ...before, ...request });
  }
  await act("revert", id);
  for (const each of cabinets) {
    expect((await configOf(each)).desired).toEqual(before);
    await until("told so", async () => (await configOf(each)).reported.volume === before.volume);
    expect((await configOf(each)).reported).not.toMatchObject({ heartbeatSeconds: 20 });
  }
  expect(await get(id)).toMatchObject({ state: "CANCELLED", revertible: 0 });
});
