// Service of cabinets on a real database: state by the clock, renewing, stopping, the record.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  findAudit,
  type MadeCabinet,
  makeCabinet,
} from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const reason = "合同续签";
const testServer = useTestServer();
let platform: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});

/** Sets a service period in days from today by the database clock; null for no date. */
async function serve(
  cabinet: MadeCabinet,
  from: number | null,
  until: number | null,
  stop = false,
) {
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into cabinet_service (tenant_id, cabinet_id, starts_on, ends_on, stopped_at, stop_reason)
      select ${cabinet.tenantId}, ${cabinet.id}, today + ${from}::int, today + ${until}::int,
        case when ${stop} then now() end, case when ${stop} then '欠费' end
      from (select (now() at time zone 'Asia/Shanghai')::date as today) clock`),
  );
}

async function serviceOf(as: Person, id: number) {
  const { data } = await testServer.call(cabinetContract.get, as, { params: { id } });
  return data.service;
}

async function listed(query: object) {
  const { data } = await testServer.call(cabinetServiceContract.list, platform, {
    query: { pageSize: 100, ...query },
  });
  return data;
}

const write = (spec: "renew" | "stop" | "resume", body: object) =>
  testServer.call(cabinetServiceContract[spec], platform, { body: { reason, ...body } });

describe("service state", () => {
  it("is derived from the first and last day, both inclusive", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const periods = [
      ["UNSET", null, null, false],
      ["STOPPED", null, null, true],
      ["PENDING", 1, 300, false],
      ["ACTIVE", 0, 31, false],
      ["EXPIRING", -10, 30, false],
      ["EXPIRING", -10, 0, false],
      ["EXPIRED", -10, -1, false],
      ["STOPPED", -10, 300, true],
    ] as const;
    const made: [string, MadeCabinet][] = [];
    for (const [state, from, until, stop] of periods) {
      const cabinet = await makeCabinet(testServer, { tenantId });
      if (state !== "UNSET") await serve(cabinet, from, until, stop);
      made.push([state, cabinet]);
    }
    for (const [state, cabinet] of made) {
      expect((await serviceOf(people[0], cabinet.id)).state, state).toBe(state);
    }
    for (const state of new Set(made.map(([name]) => name))) {
      const ids = made.filter(([name]) => name === state).map(([, { id }]) => id);
      const { data } = await testServer.call(cabinetContract.list, people[0], {
        query: { serviceState: state },
      });
      expect(data.list.map(({ id }) => id).sort()).toEqual(ids.sort());
      const { list, total } = await listed({ tenantId, state });
      expect(list.map(({ cabinetId }) => cabinetId).sort()).toEqual(ids);
      expect(total).toBe(ids.length);
    }
    expect((await listed({ tenantId, withinDays: 0 })).total).toBe(1);
    expect((await listed({ tenantId, withinDays: 30 })).total).toBe(2);
    const { data } = await testServer.call(notificationContract.list, people[1]);
    const { endsOn } = await serviceOf(people[0], made[5]?.[1].id ?? 0);
    expect(data.list.map(({ text }) => text).sort()).toEqual([
      "1 台已到期，不接新单",
      `2 台在 30 天内到期，最近到期日 ${endsOn}`,
      "2 台已停止服务，不接新单",
    ]);
  });

  it("list: sorts by the earliest end, without a period last", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const ends = [40, null, 5, -3];
    for (const end of ends) {
      const cabinet = await makeCabinet(testServer, { tenantId });
      if (end !== null) await serve(cabinet, -100, end);
    }
    const { list } = await listed({ tenantId });
    expect(list.map(({ service }) => service.daysLeft)).toEqual([-3, 5, 40, null]);
  });
});

describe("renewing", () => {
  it("extends a running service, restarts an expired one today, opens a new one, each with a record", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const [running, over, fresh] = await Promise.all([
      makeCabinet(testServer, { tenantId }),
      makeCabinet(testServer, { tenantId }),
      makeCabinet(testServer, { tenantId }),
    ]);
    await serve(running, -10, 10);
    await serve(over, -400, -35);
    const cabinets = [running, over, fresh];
    const before = await Promise.all(cabinets.map(({ id }) => serviceOf(platform, id)));
    const reply = await write("renew", {
      cabinetIds: cabinets.map(({ id }) => id),
      endsOnBefore: before.map(({ endsOn }) => endsOn),
      months: 1,
    });
    expect(reply).toMatchObject({ code: 0, data: { changed: 3 } });
    const { list } = await listed({ tenantId });
    const today = list[0]?.today ?? "";
    const services = await Promise.all(cabinets.map(({ id }) => serviceOf(platform, id)));
    expect(services[0]).toMatchObject({ startsOn: before[0]?.startsOn, state: "ACTIVE" });
    expect(services[1]).toMatchObject({ startsOn: today });
    expect(services[2]).toEqual(services[1]);

    const { data: records } = await testServer.call(cabinetServiceContract.records, platform, {
      query: { tenantId },
    });
    expect(
      Object.fromEntries(records.list.map((record) => [record.cabinetId, record.action])),
    ).toEqual({ [running.id]: "RENEWED", [over.id]: "RENEWED", [fresh.id]: "OPENED" });
    expect(records.list.find(({ cabinetId }) => cabinetId === running.id)).toMatchObject({
      before: { endsOn: before[0]?.endsOn, isStopped: false },
      after: { endsOn: services[0]?.endsOn, isStopped: false },
      reason,
      actorName: platform.username,
    });
    const [entry, ...others] = await findAudit(testServer, tenantId);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ call: "PUT /admin/v1/locker/service/renew", reason });
  });

  it("concurrent renewals: one succeeds", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const cabinet = await makeCabinet(testServer, { tenantId });
    const body = { cabinetIds: [cabinet.id], endsOnBefore: [null], months: 12 };
    const replies = await Promise.all([write("renew", body), write("renew", body)]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(replies.find(({ code }) => code === 1)?.errMsg).toContain("刚刚被修改过");
    const { data } = await testServer.call(cabinetServiceContract.records, platform, {
      query: { cabinetId: cabinet.id },
    });
    expect(data.total).toBe(1);
  });

  it("refuses invalid input with a text and changes none", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const [one, other] = await Promise.all([
      makeCabinet(testServer, { tenantId }),
      makeCabinet(testServer, { tenantId }),
    ]);
    await serve(other, -10, 10);
    const { endsOn } = await serviceOf(platform, other.id);
    const both = { cabinetIds: [one.id, other.id], endsOnBefore: [null, endsOn] };
    const wrong: [object, string][] = [
      [both, "请填写续期月数，或选择到期日"],
      [{ ...both, months: 1, endsOn: "2030-01-01" }, "二选一"],
      [{ ...both, months: 0 }, "续期月数"],
      [{ ...both, endsOn: "2030-02-30" }, "到期日"],
      [{ ...both, endsOn: "2020-01-01" }, "不能早于"],
      [{ ...both, endsOn }, "没有变化"],
      [{ ...both, months: 1, startsOn: "2030-01-01" }, `设备 ${other.sn}：服务期正在进行`],
      [{ ...both, endsOnBefore: [null], months: 1 }, "一一对应"],
      [{ cabinetIds: [one.id, 999_999_999], endsOnBefore: [null, null], months: 1 }, "不存在"],
    ];
    for (const [body, text] of wrong) {
      expect(await write("renew", body)).toMatchObject({
        code: 1,
        errMsg: expect.stringContaining(text),
      });
    }
    expect(await serviceOf(platform, one.id)).toMatchObject({ state: "UNSET" });
    expect(await findAudit(testServer, tenantId)).toEqual([]);
  });
});

describe("stopping", () => {
  it("refuses new orders and still opens for stored goods, until it is resumed", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const cabinet = await makeCabinet(testServer, {
      tenantId,
      cells: [{}, { occupancy: "OCCUPIED", item: "PRESENT" }, { adminState: "FAULT" }],
    });
    await serve(cabinet, -10, 300);
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update cabinet set is_greeted = true where id = ${cabinet.id}`),
    );
    const doors = async () => {
      const { data } = await testServer.call(compartmentContract.list, people[0], {
        params: { id: cabinet.id },
      });
      return data.map(({ unavailableReason }) => unavailableReason);
    };
    const cabinetIds = [cabinet.id];
    expect(await doors()).toEqual([null, "OCCUPIED", "FAULT"]);
    expect(await write("stop", { cabinetIds, reason: "欠费停机" })).toMatchObject({ code: 0 });
    expect(await doors()).toEqual(["NO_NEW_ORDERS", "OCCUPIED", "FAULT"]);
    const { list } = await listed({ tenantId });
    expect(list[0]).toMatchObject({ stopReason: "欠费停机", occupied: 1 });
    const opened = await testServer.call(commandContract.open, people[2], {
      params: { id: cabinet.id },
      body: { no: 2, reason: "停机后取出物品" },
    });
    // Maintenance staff do not look after this cabinet; its operator does.
    expect(opened.code).toBe(1);
    for (const no of [1, 2]) {
      const granted = await testServer.call(commandContract.open, people[1], {
        params: { id: cabinet.id },
        body: { no, reason: "停机后取出物品" },
      });
      expect(granted).toMatchObject({ code: 0, data: { state: "QUEUED", no } });
    }
    expect(await write("stop", { cabinetIds })).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("不能停止服务"),
    });
    const { endsOn } = await serviceOf(platform, cabinet.id);
    const renewed = await write("renew", { cabinetIds, endsOnBefore: [endsOn], months: 1 });
    expect(renewed.code).toBe(0);
    expect(await serviceOf(platform, cabinet.id)).toMatchObject({ state: "STOPPED" });
    expect((await write("resume", { cabinetIds })).code).toBe(0);
    expect(await doors()).toEqual([null, "OCCUPIED", "FAULT"]);
    expect((await write("resume", { cabinetIds })).code).toBe(1);
    const { data } = await testServer.call(cabinetServiceContract.records, platform, {
      query: { cabinetId: cabinet.id },
    });
    expect(data.list.map(({ action }) => action)).toEqual(["RESUMED", "RENEWED", "STOPPED"]);
  });

  it("is allowed to the platform only, by calls and in the database", async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const cabinet = await makeCabinet(testServer, { tenantId });
    const body = { cabinetIds: [cabinet.id], reason };
    for (const person of [people[0], people[1], people[2]]) {
      expect((await testServer.call(cabinetServiceContract.stop, person, { body })).status).toBe(
        403,
      );
    }
    const asTenant = (query: ReturnType<typeof sql>) =>
      testServer.database.transaction({ tenantId }, (db) => db.run(query));
    await serve(cabinet, -1, 1);
    for (const query of [
      sql`update cabinet_service set ends_on = ends_on + 999`,
      sql`insert into cabinet_service (tenant_id, cabinet_id) values (${tenantId}, ${cabinet.id})`,
      sql`delete from cabinet_service`,
      sql`delete from cabinet_service_record`,
    ]) {
      await expect(asTenant(query)).rejects.toMatchObject({ code: "42501" });
    }
    await expect(
      testServer.database.transaction("platform", (db) =>
        db.run(sql`update cabinet_service_record set reason = '改'`),
      ),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

describe("service record", () => {
  it("is filtered by cabinet, action, operator and time", async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const cabinet = await makeCabinet(testServer, { tenantId });
    const cabinetIds = [cabinet.id];
    await write("renew", { cabinetIds, endsOnBefore: [null], months: 1 });
    await write("stop", { cabinetIds });
    const count = async (query: object) => {
      const { data } = await testServer.call(cabinetServiceContract.records, platform, {
        query: { tenantId, ...query },
      });
      return data.total;
    };
    expect(await count({ keyword: cabinet.sn })).toBe(2);
    expect(await count({ keyword: "没有的" })).toBe(0);
    expect(await count({ action: "STOPPED" })).toBe(1);
    expect(await count({ actorName: platform.username })).toBe(2);
    expect(await count({ actorName: "别人" })).toBe(0);
    expect(await count({ from: new Date(Date.now() + 60_000).toISOString() })).toBe(0);
    const span = await testServer.call(cabinetServiceContract.records, platform, {
      query: { from: "2024-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" },
    });
    expect(span.errMsg).toContain("366");
  });
});
