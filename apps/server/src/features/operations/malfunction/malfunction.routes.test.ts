// Work on malfunctions over HTTP on a real PostgreSQL: effect, notifications and visibility of each
// action.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { defaultSla } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PIXEL_PNG } from "../../../../../../tests/support/adverts.ts";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { unreadNotices } from "../../../../../../tests/support/notifications.ts";
import { insertEndUser, insertOrder } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { countWaiting } from "../../../../../../tests/support/waiting.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { malfunctionJobs, reportMalfunction } from "./index.ts";

const testServer = useTestServer();
let tenantId: number;
let operator: Person;
let staff: Person;
let cabinetId: number;

const within = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);

beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  [operator, staff] = [tenant.people[1], tenant.people[2]];
  const storeId = await makeStore(testServer, tenantId, [staff.operatorId]);
  ({ id: cabinetId } = await makeCabinet(testServer, {
    tenantId,
    storeId,
    cells: [{}, {}, {}, {}],
  }));
  await within((db) => db.run(sql`update cabinet set is_greeted = true where id = ${cabinetId}`));
});

const draft = { kind: "OTHER", severity: "NORMAL", description: "门关不严", photoIds: [] } as const;
const make = async (more: object = {}, as = operator) => {
  const body = { cabinetId, compartmentNo: 1, ...draft, ...more };
  const { data, errMsg } = await testServer.call(malfunctionContract.create, as, { body });
  expect(errMsg).toBe("");
  return data.id;
};
const get = async (id: number, as = operator) =>
  (await testServer.call(malfunctionContract.get, as, { params: { id } })).data;
const list = async (query: object = {}, as = operator) =>
  (await testServer.call(malfunctionContract.list, as, { query })).data;
const accept = (ids: number[], as = staff) =>
  testServer.call(malfunctionContract.accept, as, { body: { ids } });
const resolve = (id: number, as = staff, photoIds: string[] = [], enables = false) =>
  testServer.call(malfunctionContract.resolve, as, {
    params: { id },
    body: { cause: "锁舌变形", measure: "更换锁具", photoIds, enables },
  });
const close = (ids: number[], as = operator) =>
  testServer.call(malfunctionContract.close, as, { body: { ids } });
const assign = (ids: number[], operatorId: number, as = operator) =>
  testServer.call(malfunctionContract.assign, as, { body: { ids, operatorId, note: "带备用锁" } });
const reopen = (id: number) =>
  testServer.call(malfunctionContract.reopen, operator, {
    params: { id },
    body: { reason: "又坏了" },
  });
const ignore = (ids: number[]) =>
  testServer.call(malfunctionContract.ignore, operator, { body: { ids, reason: "重复登记" } });
const upload = async (as = staff) =>
  (
    await testServer.call(malfunctionContract.uploadPhoto, as, {
      body: {},
      file: { name: "锁.png", bytes: PIXEL_PNG },
    })
  ).data.id;
const published = () =>
  within((db) =>
    db.many<{ type: string; data: Record<string, unknown> }>(sql`
      select type, data from callback_event where tenant_id = ${tenantId} order by id`),
  );

describe("malfunction: from report to closing", () => {
  it("each step adds a timeline event with its actor, and webhooks carry both ends", async () => {
    const id = await make();
    expect(await get(id)).toMatchObject({
      ...{ state: "CREATED", source: "PERSON", kind: "OTHER", severity: "NORMAL" },
      ...{
        isOverdue: false,
        repeatCount: 1,
        place: { isOnline: true, lifecycle: "ACTIVE", adminState: "ENABLED" },
      },
    });
    await assign([id], staff.operatorId);
    expect(await get(id)).toMatchObject({ state: "ASSIGNED", assigneeId: staff.operatorId });
    await accept([id]);
    expect((await resolve(id)).errMsg).toBe("");
    await close([id]);
    const done = await get(id);
    expect(done).toMatchObject({ state: "CLOSED", cause: "锁舌变形", measure: "更换锁具" });
    expect(done.timeline.map(({ kind }) => kind).reverse()).toEqual(
      expect.arrayContaining(["REPORTED", "ASSIGNED", "TOLD", "ACCEPTED", "RESOLVED", "CLOSED"]),
    );
    expect(done.timeline[0]).toMatchObject({ kind: "CLOSED", actorName: operator.username });
    expect(await published()).toMatchObject([
      { type: "malfunction.created", data: { malfunctionId: id, state: "CREATED" } },
      { type: "malfunction.resolved", data: { malfunctionId: id, state: "RESOLVED" } },
    ]);
    const text = JSON.stringify(await published());
    expect(text).not.toContain("门关不严");
  });

  it("an action that the state forbids is refused for the whole batch", async () => {
    const [one, other] = [await make(), await make({ compartmentNo: 2 })];
    await accept([one]);
    const both = await accept([one, other]);
    expect(both).toMatchObject({ code: 1, errMsg: `故障 #${one}：“处理中”的故障不能受理` });
    expect(await get(other)).toMatchObject({ state: "CREATED" });
    expect((await resolve(other)).errMsg).toContain("请先受理");
    expect((await close([other])).errMsg).toContain("“待受理”的故障不能关闭");
  });

  it("an assigned malfunction cannot be accepted by somebody else", async () => {
    const id = await make();
    await assign([id], operator.operatorId);
    expect((await accept([id], staff)).errMsg).toContain("由其本人受理");
    await assign([id], staff.operatorId);
    expect((await assign([id], staff.operatorId)).errMsg).toContain("无需重复派单");
    expect((await accept([id], staff)).code).toBe(0);
  });

  it("reopening restarts the terms, unless the same is open already", async () => {
    const id = await make();
    await accept([id]);
    await resolve(id);
    const twin = await make();
    expect((await reopen(id)).errMsg).toContain(`#${twin}`);
    await ignore([twin]);
    expect((await reopen(id)).code).toBe(0);
    expect(await get(id)).toMatchObject({ state: "ASSIGNED", acceptedAt: null, resolvedAt: null });
  });

  it("reopening names the malfunction open there, also when a cabinet reports it concurrently", async () => {
    const id = await make();
    await ignore([id]);
    expect(await get(id)).toMatchObject({ openInsteadId: null });
    const [reply, twin] = await within(async (db) => {
      await reportMalfunction(db, { tenantId, cabinetId }, 1, "OTHER", "又来", "李伟");
      const { id: reported } = await db.one<{ id: number }>(sql`
        select max(id) as id from malfunction where tenant_id = ${tenantId}`);
      const reopening = reopen(id);
      // The request waits for the concurrent transaction.
      await expect.poll(() => countWaiting(testServer.database)).toBeGreaterThan(0);
      return [{ reopening }, reported] as const;
    });
    expect((await reply.reopening).errMsg).toContain(`#${twin}`);
    expect(await get(id)).toMatchObject({ state: "IGNORED", openInsteadId: twin });
  });

  it("an outage whose cabinets are all back cannot be reopened", async () => {
    const { id } = await within((db) =>
      db.one<{ id: number }>(sql`
        with made as (
          insert into malfunction (tenant_id, store_id, kind, state)
          select tenant_id, store_id, 'OFFLINE', 'RESOLVED' from cabinet where id = ${cabinetId}
          returning tenant_id, id)
        insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id, back_at)
        select tenant_id, id, ${cabinetId}, now() from made returning malfunction_id as id`),
    );
    expect((await reopen(id)).errMsg).toContain("都已恢复在线");
    await within((db) =>
      db.run(sql`update outage_cabinet set back_at = null where malfunction_id = ${id}`),
    );
    expect((await reopen(id)).code).toBe(0);
  });

  it("webhooks report how it ended and that it was reopened", async () => {
    const id = await make();
    await ignore([id]);
    await reopen(id);
    await ignore([id]);
    await reopen(id);
    await accept([id], operator);
    await resolve(id, operator);
    expect(await published()).toMatchObject([
      { type: "malfunction.created" },
      { type: "malfunction.resolved", data: { state: "IGNORED", outcome: "FALSE_ALARM" } },
      { type: "malfunction.reopened", data: { state: "CREATED", malfunctionId: id } },
      { type: "malfunction.resolved", data: { outcome: "FALSE_ALARM" } },
      { type: "malfunction.reopened", data: { state: "CREATED" } },
      { type: "malfunction.resolved", data: { state: "RESOLVED", outcome: "MENDED" } },
    ]);
  });

  it("the audit log records each action once, with its changes", async () => {
    const id = await make();
    await accept([id], operator);
    await resolve(id, operator);
    const entries = await findAudit(testServer, tenantId);
    expect(entries.map(({ call }) => call)).toEqual([
      "POST /admin/v1/preservation",
      "PUT /admin/v1/preservation/accept",
      "PUT /admin/v1/preservation/{id}/resolve",
    ]);
  });
});

describe("malfunction: resolved with its compartment enabled", () => {
  const stateOf = (no: number) =>
    within((db) =>
      db.one<{ adminState: string }>(sql`
        select admin_state from compartment where cabinet_id = ${cabinetId} and no = ${no}`),
    );
  const fault = (no: number) =>
    testServer.call(compartmentContract.markFault, operator, {
      params: { id: cabinetId, no },
      body: { reason: "锁坏了" },
    });

  it("enables it in the same call, and ends the other reports by hand there", async () => {
    await fault(1);
    const id = await make({ kind: "OPEN_FAILED" });
    await accept([id], operator);
    expect((await resolve(id, operator, [], true)).errMsg).toBe("");
    expect(await stateOf(1)).toEqual({ adminState: "ENABLED" });
    expect((await list({ state: "OPEN" })).list).toEqual([]);
    const [entry] = (await findAudit(testServer, tenantId)).slice(-1);
    expect(entry).toMatchObject({
      call: "PUT /admin/v1/preservation/{id}/resolve",
      after: { cause: "锁舌变形", adminState: "ENABLED" },
    });
  });

  it("leaves it as it is without the box", async () => {
    await fault(1);
    const [first] = (await list()).list;
    await accept([first?.id ?? 0], operator);
    await resolve(first?.id ?? 0, operator);
    expect(await stateOf(1)).toEqual({ adminState: "FAULT" });
  });

  it("its own report by hand is resolved with cause and measure, not as recovered", async () => {
    await fault(1);
    const [first] = (await list()).list;
    await accept([first?.id ?? 0], operator);
    expect((await resolve(first?.id ?? 0, operator, [], true)).errMsg).toBe("");
    expect(await get(first?.id ?? 0)).toMatchObject({ state: "RESOLVED", measure: "更换锁具" });
  });

  it("needs the permission to enable compartments, and a compartment", async () => {
    await fault(1);
    const [first] = (await list()).list;
    const whole = await make({ compartmentNo: null, kind: "VIBRATION" });
    await accept([whole], operator);
    expect((await resolve(whole, operator, [], true)).errMsg).toContain("没有可启用的格口");
    await accept([first?.id ?? 0], operator);
    await within((db) =>
      db.run(sql`
        delete from role_menu_entry using menu_entry
        where menu_entry.id = role_menu_entry.menu_entry_id
          and role_menu_entry.tenant_id = ${tenantId}
          and 'compartment:write' = any(menu_entry.permissions)`),
    );
    expect(await resolve(first?.id ?? 0, staff, [], true)).not.toMatchObject({ code: 0 });
    expect(await stateOf(1)).toEqual({ adminState: "FAULT" });
    expect(await get(first?.id ?? 0)).toMatchObject({ state: "PROCESSING" });
  });
});

describe("malfunction: report", () => {
  it("a report by hand is refused while the same is open; any other report counts up", async () => {
    const id = await make();
    const again = await testServer.call(malfunctionContract.create, operator, {
      body: { cabinetId, compartmentNo: 1, ...draft },
    });
    expect(again.errMsg).toContain(`#${id}`);
    await within((db) =>
      reportMalfunction(db, { tenantId, cabinetId }, 1, "OTHER", "又来", "李伟"),
    );
    const found = await get(id);
    expect(found).toMatchObject({ repeatCount: 2, description: "又来" });
    expect(found.timeline[0]).toMatchObject({ kind: "REPEATED", actorName: "李伟" });
    expect(await published()).toHaveLength(1);
  });

  it("the compartment must exist", async () => {
    const { errMsg } = await testServer.call(malfunctionContract.create, operator, {
      body: { cabinetId, ...draft, compartmentNo: 77 },
    });
    expect(errMsg).toContain("77 号格口不存在");
  });
});

describe("malfunction: terms", () => {
  it("the tenant's own terms apply to new malfunctions; an unaccepted one becomes overdue", async () => {
    const before = await make();
    const terms = { ...defaultSla, SEVERE: { respondMinutes: 1, resolveMinutes: 2 } };
    const save = (editVersion: number) =>
      testServer.call(malfunctionContract.saveSla, operator, { body: { terms, editVersion } });
    expect((await save(0)).code).toBe(0);
    expect((await save(0)).errMsg).toContain("已在您打开页面之后修改过");
    const id = await make({ compartmentNo: 2, severity: "SEVERE" });
    const minutes = ({ createdAt, respondBy }: Awaited<ReturnType<typeof get>>) =>
      (Date.parse(respondBy ?? "") - Date.parse(createdAt)) / 60_000;
    expect(minutes(await get(id))).toBe(1);
    expect(minutes(await get(before))).toBe(240);
    await within((db) =>
      db.run(sql`update malfunction set respond_by = now() - interval '1 second' where id = ${id}`),
    );
    expect((await list({ isOverdue: true })).list).toMatchObject([{ id, isOverdue: true }]);
    expect((await testServer.call(malfunctionContract.counts, operator, {})).data).toMatchObject({
      ...{ CREATED: 2, overdue: 1 },
    });
    await accept([id]);
    expect((await list({ isOverdue: true })).total).toBe(0);
  });

  it("the counts include one's own malfunctions", async () => {
    const minor = await make({ severity: "MINOR" });
    await make({ compartmentNo: 2 });
    await ignore([await make({ compartmentNo: 3 })]);
    await accept([minor], staff);
    await accept([await make({ compartmentNo: 4 })], operator);
    const work = await testServer.call(malfunctionContract.list, staff, {
      query: { state: "OPEN", assignee: "mine-or-none" },
    });
    expect(work.data.total).toBe(2);
    const counts = async (query: object, as: Person) =>
      (await testServer.call(malfunctionContract.counts, as, { query })).data;
    expect(await counts({}, staff)).toMatchObject({ CREATED: 1, PROCESSING: 2, mine: 1 });
    expect(await counts({ assignee: "none" }, staff)).toMatchObject({ PROCESSING: 0, mine: 1 });
    expect(await counts({ assignee: "mine" }, operator)).toMatchObject({ CREATED: 0, mine: 1 });
  });

  it("the detail counts the orders and goods that are affected", async () => {
    const recipientId = await within((db) => insertEndUser(db, tenantId, "取件人"));
    for (const [no, state] of [
      [1, "STORED"],
      [2, "PENDING"],
    ] as const) {
      await within((db) => insertOrder(db, { tenantId, cabinetId, no, state, recipientId }));
    }
    const atDoor = await get(await make());
    expect(atDoor.affected).toEqual({ cabinets: 1, orders: 1, goods: 1, during: 1 });
    const whole = await get(await make({ compartmentNo: null, kind: "VIBRATION" }));
    expect(whole.affected).toEqual({ cabinets: 1, orders: 2, goods: 1, during: 2 });
    const empty = await get(await make({ compartmentNo: 3 }));
    expect(empty.affected).toEqual({ cabinets: 1, orders: 0, goods: 0, during: 0 });
  });

  it("store outage: names each cabinet with its goods, and the people notified", async () => {
    const recipientId = await within((db) => insertEndUser(db, tenantId, "取件人"));
    await within((db) =>
      insertOrder(db, { tenantId, cabinetId, no: 1, state: "STORED", recipientId }),
    );
    const { id } = await within((db) =>
      db.one<{ id: number }>(sql`
        with made as (
          insert into malfunction (tenant_id, store_id, kind, severity, created_at)
          select tenant_id, store_id, 'OFFLINE', 'SEVERE', now() - interval '50 minutes'
          from cabinet where id = ${cabinetId} returning tenant_id, id)
        insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id, last_seen_at)
        select tenant_id, id, ${cabinetId}, now() - interval '1 hour' from made
        returning malfunction_id as id`),
    );
    await assign([id], staff.operatorId);
    const found = await get(id);
    expect(found.outage).toMatchObject([{ cabinetId, backAt: null, orders: 1, goods: 1 }]);
    expect(Date.parse(found.outage[0]?.goneAt ?? "")).toBeLessThan(Date.parse(found.createdAt));
    expect(found.affected).toEqual({ cabinets: 1, orders: 1, goods: 1, during: 1 });
    expect(found.notices).toMatchObject([{ step: "ASSIGNED", names: [staff.username] }]);
    await within((db) => db.run(sql`update outage_cabinet set back_at = now()`));
    expect((await get(id)).affected).toEqual({ cabinets: 0, orders: 0, goods: 0, during: 1 });
  });

  it("minMinutes: a malfunction lasts until it is resolved, an open one until now", async () => {
    const ids: number[] = [];
    for (const no of [1, 2, 3]) ids.push(await make({ compartmentNo: no }));
    await within((db) =>
      db.run(sql`
        update malfunction set created_at = now() - interval '3 hours',
          resolved_at = case when id = ${ids[1]}::bigint then now() - interval '170 minutes' end
        where id <> ${ids[2]}::bigint and tenant_id = ${tenantId}`),
    );
    const found = await list({ minMinutes: 120 });
    expect(found).toMatchObject({ total: 1, list: [{ id: ids[0] }] });
    const sorted = await list({ sort: "lasted" });
    expect(sorted.list.map(({ id }) => id)).toEqual(ids);
  });

  it("a changed severity changes the terms", async () => {
    const id = await make();
    await testServer.call(malfunctionContract.setSeverity, operator, {
      params: { id },
      body: { severity: "SEVERE", reason: "影响整柜" },
    });
    const { createdAt, respondBy, severity } = await get(id);
    expect(severity).toBe("SEVERE");
    expect((Date.parse(respondBy ?? "") - Date.parse(createdAt)) / 60_000).toBe(15);
  });
});

describe("malfunction list: default order", () => {
  /** Outages of two stores and malfunctions of single cabinets, created in a shuffled order. */
  async function makeMixed() {
    const over: number[] = [];
    for (const severity of ["SEVERE", "MINOR"]) {
      const id = await make({ compartmentNo: 3, severity });
      await ignore([id]);
      over.unshift(id);
    }
    const minor = await make({ severity: "MINOR" });
    const normal = await make({ compartmentNo: 2 });
    const overdue = await make({ compartmentNo: 3, severity: "NORMAL" });
    const urgent = await make({ compartmentNo: null, severity: "URGENT" });
    const severe = await make({ compartmentNo: 2, kind: "TAMPER", severity: "SEVERE" });
    const outages = await within(async (db) => {
      const ids: number[] = [];
      for (const [name, minutes] of [
        ["later", 20],
        ["sooner", 10],
      ] as const) {
        const storeId = await makeStore(testServer, tenantId, []);
        const { id } = await db.one<{ id: number }>(sql`
          insert into malfunction (tenant_id, store_id, kind, severity, source, description, respond_by)
          values (${tenantId}, ${storeId}, 'OFFLINE', 'SEVERE', 'DEVICE', ${name},
            now() + ${minutes} * interval '1 minute')
          returning id`);
        ids.push(id);
      }
      await db.run(sql`
        update malfunction set respond_by = now() - interval '1 hour' where id = ${overdue}`);
      return ids;
    });
    const [later = 0, sooner = 0] = outages;
    return { open: [sooner, later, severe, urgent, overdue, normal, minor], over };
  }

  it("open ones by severity, outages first, then by term; others newest first", async () => {
    const { open, over } = await makeMixed();
    const ids = async (query: object) => (await list(query)).list.map(({ id }) => id);
    expect(await ids({ state: "OPEN" })).toEqual(open);
    expect(await ids({})).toEqual([...open, ...over]);
    expect(await ids({ state: "IGNORED" })).toEqual(over);
  });

  it("pages and the export hold the same rows in the same order", async () => {
    const { open, over } = await makeMixed();
    const all = [...open, ...over];
    const paged: number[] = [];
    for (let page = 1; page <= 5; page++) {
      paged.push(...(await list({ page, pageSize: 2 })).list.map(({ id }) => id));
    }
    expect(paged).toEqual(all);
    const { data } = await testServer.call(exportContract.start, operator, {
      body: { call: malfunctionContract.list.path, query: {} },
    });
    const exported = await vi.waitUntil(
      async () => {
        const page = await testServer.call(exportContract.page, operator, {
          params: { id: data.id },
          query: { page: 1, pageSize: 49 },
        });
        return page.data?.state === "READY" && page.data;
      },
      { timeout: 60_000 },
    );
    expect(exported.list).toMatchObject(all.map((id) => ({ id })));
  });

  it("a chosen column replaces it", async () => {
    const { open } = await makeMixed();
    const [, , , , overdue, , minor] = open;
    const first = async (query: object) => (await list({ state: "OPEN", ...query })).list[0]?.id;
    expect(await first({ sort: "createdAt" })).toBe(Math.max(...open));
    expect(await first({ sort: "createdAt", order: "asc" })).toBe(Math.min(...open));
    expect(await first({ sort: "due" })).toBe(overdue);
    expect(await first({ sort: "severity", order: "desc" })).toBe(minor);
  });
});

describe("malfunction: photos", () => {
  it("belong to one timeline event and are visible with the malfunction", async () => {
    const id = await make();
    await accept([id]);
    const photoId = await upload();
    const see = (as: Person) =>
      testServer.call(malfunctionContract.photo, as, { params: { fileId: photoId } });
    expect((await see(operator)).code).toBe(1);
    expect((await resolve(id, staff, [photoId])).errMsg).toBe("");
    const entry = (await get(id)).timeline.find(({ kind }) => kind === "RESOLVED");
    expect(entry?.photos).toMatchObject([{ id: photoId, width: 1, height: 1 }]);
    expect((await see(operator)).status).toBe(200);
    const stranger = (await testServer.makeTenant()).people[1];
    expect((await see(stranger)).errMsg).toContain("照片不存在");
    const other = await make({ compartmentNo: 2 });
    const noted = await testServer.call(malfunctionContract.note, staff, {
      params: { id: other },
      body: { text: "同一张", photoIds: [photoId] },
    });
    expect(noted.errMsg).toContain("照片不存在");
    const foreign = await testServer.call(malfunctionContract.note, operator, {
      params: { id: other },
      body: { text: "别人的", photoIds: [await upload(staff)] },
    });
    expect(foreign.errMsg).toContain("照片不存在");
  });
});

describe("malfunction: store scope", () => {
  it("limits who sees it and who can be its assignee", async () => {
    const elsewhere = await makeStore(testServer, tenantId, []);
    const far = await makeCabinet(testServer, { tenantId, storeId: elsewhere, cells: [{}] });
    const [near, hidden] = [await make(), await make({ cabinetId: far.id })];
    expect((await list({}, staff)).list.map(({ id }) => id)).toEqual([near]);
    expect((await list()).total).toBe(2);
    expect((await accept([hidden], staff)).errMsg).toContain("故障不存在");
    expect((await assign([hidden], staff.operatorId)).errMsg).toContain("处理人不存在");
    const who = async (ids: string) =>
      (await testServer.call(malfunctionContract.assignees, operator, { query: { ids } })).data.map(
        ({ id }) => id,
      );
    expect(await who(`${near}`)).toContain(staff.operatorId);
    expect(await who(`${near},${hidden}`)).not.toContain(staff.operatorId);
  });

  it("maintenance staff may work on it but not assign it to others", async () => {
    const id = await make();
    const refused = await assign([id], operator.operatorId, staff);
    expect(refused.status).toBe(403);
  });
});

describe("malfunction: assignee", () => {
  it("sees the notice until accepting it", async () => {
    const id = await make();
    await assign([id], staff.operatorId);
    const mine = () => unreadNotices(testServer, staff);
    expect(await mine()).toMatchObject([{ step: "ASSIGNED", malfunctionId: id }]);
    await accept([id]);
    expect(await mine()).toEqual([]);
  });
});

it("malfunction: the test of a door adds its outcome to the timeline", async () => {
  const id = await make();
  const test = (no: number) =>
    testServer.call(malfunctionContract.test, staff, {
      params: { id },
      body: { no, reason: "更换锁具后测试" },
    });
  expect((await test(2)).errMsg).toContain("只能测试这个格口");
  const { data: command } = await test(1);
  expect((await get(id)).timeline[0]).toMatchObject({
    ...{ kind: "TESTED", actorName: staff.username },
    command: { id: command.id, state: "QUEUED", no: 1 },
  });
});

it("malfunction: only those recovered long ago close automatically", async () => {
  const [recovered, mended] = [await make(), await make({ compartmentNo: 2 })];
  await accept([mended]);
  await resolve(mended);
  await within((db) =>
    db.run(sql`
      update malfunction set state = 'RESOLVED', is_recovered = id = ${recovered},
        resolved_at = now() - interval '8 days'
      where id in (${recovered}, ${mended})`),
  );
  const run = malfunctionJobs.tasks["malfunction.close"];
  await run?.({}, { database: testServer.database, log: testServer.app.log } as never);
  expect(await get(recovered)).toMatchObject({ state: "CLOSED" });
  expect(await get(mended)).toMatchObject({ state: "RESOLVED" });
});
