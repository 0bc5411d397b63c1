// Roll-outs on a real PostgreSQL: selection, lifecycle, operators' actions, handling of reports.
import {
  type NewRollout,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { insertFirmware } from "../../../../../../tests/support/rollouts.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { countWaiting } from "../../../../../../tests/support/waiting.ts";
import { type Database, openDatabase } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { startJobs } from "../../../platform/jobs/jobs.ts";
import { rolloutJobs } from "./rollout.jobs.ts";
import { claimConfig } from "./rollout-delivery.sql.ts";
import { advanceRollout } from "./rollout-progress.flow.ts";
import { cancelWaiting, MOST_IN_FLIGHT } from "./rollout-progress.sql.ts";
import { rolloutReports } from "./rollout-reports.flow.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;
// Firmware files belong to the platform.
beforeAll(async () => {
  await testServer.makeTenant(1);
});
beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
});

const inTenant = <Result>(work: Parameters<Database["transaction"]>[1]) =>
  testServer.database.transaction({ tenantId }, work) as Promise<Result>;
const write = (query: ReturnType<typeof sql>) => inTenant<number>((db) => db.run(query));

/** Connected, since offline cabinets would not be offered anything. */
async function cabinets(count: number, more: object = {}): Promise<number[]> {
  const ids: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    ids.push((await makeCabinet(testServer, { tenantId, cells: [], ...more })).id);
  }
  await write(
    sql`update cabinet set is_greeted = true, app_version = '1.4.2' where id = any(${ids})`,
  );
  return ids;
}

const create = (body: Partial<NewRollout> = {}, as = operator) =>
  testServer.call(rolloutContract.create, as, {
    body: {
      name: "夜间参数",
      kind: "CONFIG",
      config: { volume: 30 },
      dwellMinutes: 0,
      ...body,
    },
  });
async function created(body: Partial<NewRollout> = {}): Promise<number> {
  const { data, errMsg } = await create(body);
  expect(errMsg).toBe("");
  return data.id;
}
const get = async (id: number) =>
  (await testServer.call(rolloutContract.get, operator, { params: { id } })).data;
const act = (action: "pause" | "resume" | "cancel" | "retry" | "revert", id: number) =>
  testServer.call(rolloutContract[action], operator, {
    params: { id },
    body: { reason: "已核实" },
  });
const advance = (id: number) => inTenant((db) => advanceRollout(db, { tenantId, id }));
const targets = (id: number) =>
  inTenant<{ cabinetId: number; stage: number; state: string; detail: string | null }[]>((db) =>
    db.many(sql`
      select cabinet_id, stage, state, detail from rollout_target
      where rollout_id = ${id} order by stage, cabinet_id`),
  );
/** Sets the state that reports would set. */
const settle = (id: number, stage: number, state: string, count = 1_000) =>
  write(sql`
    update rollout_target set state = ${state}, settled_at = now(), old_config = '{"volume": 60}'
    where rollout_id = ${id} and cabinet_id in (
      select cabinet_id from rollout_target where rollout_id = ${id} and stage = ${stage}
        and state = 'WAITING' order by cabinet_id limit ${count})`);
const eventsOf = async (id: number) => (await get(id)).events.map(({ kind }) => kind).reverse();

describe("selection", () => {
  it("counts the selected cabinets, and the excluded ones by reason", async () => {
    const storeId = await makeStore(testServer, tenantId);
    await cabinets(3, { storeId });
    const [there, newer, old] = await cabinets(3, { storeId });
    const [busy] = await cabinets(1, { storeId });
    await cabinets(1, { storeId, side: "DOUBLE" });
    await cabinets(1, { storeId, lifecycle: "RETIRED" });
    await cabinets(2);
    const version = `2.1.${tenantId}`;
    await write(sql`update cabinet set app_version = case id when ${there} then ${version}
      when ${newer} then '9.0.0' else '1.0.0' end where id in (${there}, ${newer}, ${old})`);
    const firmwareId = await testServer.database.transaction("platform", async (db) => {
      const { id } = await db.one<{ id: number }>(sql`
        select model_id as id from cabinet where id = ${there}`);
      return insertFirmware(db, { modelId: id, version, minVersion: "1.2.0" });
    });
    await created({ kind: "FIRMWARE", firmwareId, cabinetIds: [busy as number] });
    const query = { kind: "FIRMWARE", firmwareId, storeId };
    const preview = await testServer.call(rolloutContract.preview, operator, { query });
    expect(preview.data).toEqual({
      count: 4,
      online: 4,
      alreadyThere: 1,
      otherModel: 1,
      busy: 1,
      belowMinVersion: 1,
      newer: 1,
    });
    const { data } = await create({ kind: "FIRMWARE", firmwareId, storeId });
    expect(data.count).toBe(4);
    expect((await create({ kind: "FIRMWARE", firmwareId, storeId })).errMsg).toContain(
      "没有可以下发的设备",
    );
  });

  it("refuses contradictory input with a Chinese sentence", async () => {
    await cabinets(1);
    const says = async (body: Partial<NewRollout>, text: string) =>
      expect((await create(body)).errMsg).toContain(text);
    await says({ config: {} }, "请至少设置一项参数");
    await says({ kind: "FIRMWARE" }, "请选择要升级的固件");
    await says({ stagePercents: [10, 5, 100] }, "逐批增大");
    await says({ stagePercents: [10, 50] }, "最后一批须为 100%");
    await says({ storeId: 999_999 }, "门店不存在");
    await says({ cabinetIds: [999_999] }, "设备不存在");
  });

  it("maintenance staff see roll-outs that include their stores, with their own cabinets only", async () => {
    const storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
    await cabinets(1, { storeId });
    await cabinets(2);
    const both = await created();
    await write(sql`update operator set user_type = 2 where id = ${operator.operatorId}`);
    expect((await testServer.call(rolloutContract.list, operator)).data.total).toBe(0);
    await write(sql`
      insert into operator_store (tenant_id, operator_id, store_id)
      values (${tenantId}, ${operator.operatorId}, ${storeId})`);
    expect((await testServer.call(rolloutContract.list, operator)).data.total).toBe(1);
    const seen = await testServer.call(rolloutContract.targets, operator, { params: { id: both } });
    expect(seen.data.total).toBe(1);
    expect((await act("cancel", both)).errMsg).toContain("下发任务不存在");
    expect((await targets(both)).map(({ state }) => state)).toEqual(Array(3).fill("WAITING"));
  });
});

describe("lifecycle", () => {
  it("advances stage by stage when enough succeeded, and finishes", async () => {
    await cabinets(20);
    const id = await created({ stagePercents: [10, 50, 100] });
    await advance(id);
    expect(await get(id)).toMatchObject({ state: "RUNNING", stage: 1 });
    await settle(id, 0, "SUCCEEDED", 1);
    await advance(id);
    expect((await get(id)).stage).toBe(1);
    await settle(id, 0, "SUCCEEDED");
    await advance(id);
    expect((await get(id)).stage).toBe(2);
    await settle(id, 1, "SUCCEEDED");
    await advance(id);
    await settle(id, 2, "SUCCEEDED");
    await advance(id);
    expect(await get(id)).toMatchObject({ state: "FINISHED", counts: { succeeded: 20 } });
    expect(await eventsOf(id)).toEqual(["CREATED", "STARTED", "ADVANCED", "ADVANCED", "FINISHED"]);
  });

  it("waits for the dwell after enough succeeded", async () => {
    await cabinets(3);
    const id = await created({ dwellMinutes: 10 });
    await advance(id);
    await settle(id, 0, "SUCCEEDED");
    await advance(id);
    expect((await get(id)).stage).toBe(1);
    const ago = (minutes: number) =>
      write(sql`update rollout set stage_reached_at = now() - make_interval(mins => ${minutes})
        where id = ${id}`);
    await ago(9);
    await advance(id);
    expect((await get(id)).stage).toBe(1);
    await ago(10);
    await advance(id);
    expect((await get(id)).stage).toBe(2);
  });

  it("stops above 5 % failures and not at 5 %", async () => {
    await cabinets(20);
    const id = await created({ stagePercents: [100] });
    await advance(id);
    await settle(id, 0, "FAILED", 1);
    await advance(id);
    expect((await get(id)).state).toBe("RUNNING");
    await settle(id, 0, "TIMED_OUT", 1);
    await advance(id);
    expect(await get(id)).toMatchObject({
      state: "STOPPED",
      stateReason: "第 1 批：已执行 2 台，失败 2 台，超过停止阈值 5%",
    });
    expect((await targets(id)).filter(({ state }) => state === "WAITING")).toHaveLength(18);
  });

  it("starts at its scheduled time and not before", async () => {
    await cabinets(1);
    const id = await created({ startsAt: new Date(Date.now() + 3_600_000).toISOString() });
    await advance(id);
    expect((await get(id)).state).toBe("SCHEDULED");
    await write(sql`update rollout set starts_at = now() where id = ${id}`);
    await advance(id);
    expect((await get(id)).state).toBe("RUNNING");
  });

  it("silent cabinet: offline before installing waits again, while installing it times out", async () => {
    const ids = await cabinets(3);
    const id = await created({ stagePercents: [100], stopPercent: 50 });
    await advance(id);
    await write(sql`
      update rollout_target set kind = 'FIRMWARE', progressed_at = now() - interval '31 minutes',
        state = case when cabinet_id = ${ids[1]} then 'INSTALLING' else 'DOWNLOADING' end
      where rollout_id = ${id}`);
    await write(sql`update cabinet set offline_at = now() where id in (${ids[0]}, ${ids[1]})`);
    await advance(id);
    const states = (await targets(id)).map(({ cabinetId, state }) => [cabinetId, state]);
    expect(Object.fromEntries(states)).toEqual({
      [ids[0] as number]: "WAITING",
      [ids[1] as number]: "TIMED_OUT",
      [ids[2] as number]: "TIMED_OUT",
    });
  });

  it("concurrent workers never take a step twice", async () => {
    await cabinets(9);
    const id = await created({ stagePercents: [10, 20, 40, 60, 80, 100] });
    await advance(id);
    const other = openDatabase(testServer.url, { max: 6 });
    for (let stage = 0; stage < 6; stage++) {
      await settle(id, stage, "SUCCEEDED");
      const looks = Array.from({ length: 8 }, (_, at) =>
        (at % 2 ? other : testServer.database).transaction({ tenantId }, (db) =>
          advanceRollout(db, { tenantId, id }),
        ),
      );
      await Promise.all(looks);
    }
    await other.close();
    expect(await eventsOf(id)).toEqual([
      ...["CREATED", "STARTED", "ADVANCED", "ADVANCED", "ADVANCED", "ADVANCED", "ADVANCED"],
      "FINISHED",
    ]);
  });

  it("continues after its worker was killed", async () => {
    await cabinets(1);
    const id = await created();
    const owner = openDatabase(testServer.url, { max: 1 });
    await owner.pool.query("set role none");
    // State left by a killed worker: locked half a minute ago by a dead worker id.
    await owner.pool.query(
      "update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now() - interval '31 seconds', attempts = 1 where key = $1",
      [`rollout.advance:${tenantId}:${id}`],
    );
    await owner.close();
    const log = pino({ level: "silent" });
    const worker = await startJobs(testServer.url, [rolloutJobs], {
      database: testServer.database,
      log,
    });
    await expect.poll(async () => (await get(id)).state).toBe("RUNNING");
    await worker.stop();
  });
});

describe("reports", () => {
  it("each job report applies once and in order; the birth message is the proof", async () => {
    const [cabinetId = 0] = await cabinets(1);
    const version = `3.0.${tenantId}`;
    const firmwareId = await testServer.database.transaction("platform", async (db) => {
      const { id } = await db.one<{ id: number }>(sql`
        select model_id as id from cabinet where id = ${cabinetId}`);
      return insertFirmware(db, { modelId: id, version });
    });
    const id = await created({ kind: "FIRMWARE", firmwareId });
    await advance(id);
    const jobId = "10000000-0000-4000-8000-000000000001";
    await write(
      sql`update rollout_target set state = 'SENT', job_id = ${jobId} where rollout_id = ${id}`,
    );
    const cabinet = { tenantId, cabinetId };
    const say = async (
      status: "ACCEPTED" | "DOWNLOADING" | "INSTALLED" | "FAILED",
      job = jobId,
    ) => {
      await inTenant((db) =>
        rolloutReports.jobReported(db, cabinet, { jobId: job, status, bootNo: 4 }),
      );
      return (await targets(id))[0]?.state;
    };
    const born = async (appVersion: string, bootNo: number) => {
      await inTenant((db) =>
        rolloutReports.born(db, tenantId, [{ cabinetId, appVersion, bootNo }]),
      );
      return (await targets(id))[0]?.state;
    };
    expect(await say("INSTALLED", "10000000-0000-4000-8000-00000000ffff")).toBe("SENT");
    expect(await say("DOWNLOADING")).toBe("DOWNLOADING");
    expect(await say("ACCEPTED")).toBe("DOWNLOADING");
    expect(await say("INSTALLED")).toBe("INSTALLING");
    expect(await say("DOWNLOADING")).toBe("INSTALLING");
    // The same boot with a synced clock proves nothing.
    expect(await born("1.4.2", 4)).toBe("INSTALLING");
    expect(await born(version, 5)).toBe("SUCCEEDED");
    expect(await say("FAILED")).toBe("SUCCEEDED");
    expect(await born("1.4.2", 6)).toBe("SUCCEEDED");
  });
});

describe("operators' actions", () => {
  it("pause and resume, with a reason in both logs", async () => {
    await cabinets(1);
    const id = await created();
    await advance(id);
    expect((await act("pause", id)).code).toBe(0);
    expect((await act("pause", id)).errMsg).toContain("已暂停");
    await settle(id, 0, "SUCCEEDED");
    await advance(id);
    expect((await get(id)).state).toBe("PAUSED");
    expect((await act("resume", id)).code).toBe(0);
    await advance(id);
    expect((await get(id)).state).toBe("FINISHED");
    expect((await findAudit(testServer, tenantId)).map(({ reason }) => reason)).toEqual([
      null,
      "已核实",
      "已核实",
    ]);
    expect((await get(id)).events.find(({ kind }) => kind === "PAUSED")).toMatchObject({
      text: "已核实",
      actorName: operator.username,
    });
  });

  it("resume after a stop acknowledges the failures; retry offers them again", async () => {
    await cabinets(4);
    const id = await created({ stagePercents: [25, 100] });
    await advance(id);
    await settle(id, 0, "FAILED");
    await advance(id);
    expect((await get(id)).state).toBe("STOPPED");
    await act("resume", id);
    await advance(id);
    expect(await get(id)).toMatchObject({ state: "RUNNING", stage: 2 });
    expect((await act("retry", id)).code).toBe(0);
    expect((await targets(id)).every(({ state }) => state === "WAITING")).toBe(true);
    expect((await act("retry", id)).errMsg).toContain("没有可以重试");
  });

  it("cancel: waiting cabinets get nothing and are free for another roll-out", async () => {
    await cabinets(2);
    const id = await created({ stagePercents: [50, 100] });
    await advance(id);
    await settle(id, 0, "SENT");
    expect((await create()).errMsg).toContain("没有可以下发的设备");
    await act("cancel", id);
    expect((await targets(id)).map(({ state }) => state)).toEqual(["SENT", "CANCELLED"]);
    expect((await create()).data.count).toBe(1);
    expect((await act("resume", id)).errMsg).toContain("已取消");
  });

  it("disconnected cabinets in flight do not block the others", async () => {
    await cabinets(MOST_IN_FLIGHT + 1);
    const id = await created({ stagePercents: [100] });
    await advance(id);
    await settle(id, 0, "SENT", MOST_IN_FLIGHT);
    const cabinetId = (await targets(id)).find(({ state }) => state === "WAITING")?.cabinetId ?? 0;
    const claim = () => inTenant((db) => claimConfig(db, { tenantId, cabinetId }, 1));
    expect(await claim()).toBeNull();
    await write(sql`
      update cabinet set offline_at = now() - interval '1 minute' where id in (
        select cabinet_id from rollout_target where rollout_id = ${id} and state = 'SENT')`);
    expect(await claim()).toMatchObject({ cabinetId, state: "SENT" });
  });

  it("a cancel racing with a claim leaves the cabinet's desired config unchanged", async () => {
    const [cabinetId = 0] = await cabinets(1);
    const id = await created();
    await advance(id);
    let claim: Promise<unknown> = Promise.resolve();
    await inTenant(async (db) => {
      await cancelWaiting(db, { tenantId, id });
      claim = inTenant((other) => claimConfig(other, { tenantId, cabinetId }, 1));
      await expect.poll(() => countWaiting(testServer.database)).toBe(1);
    });
    expect(await claim).toBeNull();
    const wished = await inTenant((db) =>
      db.one(sql`select desired_config as config from cabinet where id = ${cabinetId}`),
    );
    expect(wished).toEqual({ config: {} });
  });

  it("revert restores parameters except those changed since", async () => {
    const [one = 0, two = 0, three = 0] = await cabinets(3);
    const id = await created({ stagePercents: [100], config: { volume: 30, lightOnAt: "19:00" } });
    await advance(id);
    await write(sql`
      update rollout_target set state = 'SUCCEEDED', old_config = '{"volume": 60}'
      where rollout_id = ${id} and cabinet_id <> ${three}`);
    await write(sql`
      update cabinet set desired_config = case id
          when ${one} then '{"volume": 30, "lightOnAt": "19:00", "heartbeatSeconds": 20}'::jsonb
          when ${two} then '{"volume": 55, "lightOnAt": "19:00"}' else '{"volume": 30}' end
      where id in (${one}, ${two}, ${three})`);
    await settle(id, 0, "FAILED");
    await write(sql`update rollout_target set old_config = null where cabinet_id = ${three}`);
    await advance(id);
    expect((await act("revert", id)).errMsg).toBe("");
    const now = await inTenant<{ id: number; config: object; state: string }[]>((db) =>
      db.many(sql`
        select cabinet.id, cabinet.desired_config as config, target.state from cabinet
        join rollout_target target on target.cabinet_id = cabinet.id
        where target.rollout_id = ${id} order by cabinet.id`),
    );
    expect(now).toEqual([
      { id: one, config: { volume: 60, heartbeatSeconds: 20 }, state: "REVERTED" },
      { id: two, config: { volume: 55 }, state: "REVERTED" },
      { id: three, config: { volume: 30 }, state: "FAILED" },
    ]);
  });
});
