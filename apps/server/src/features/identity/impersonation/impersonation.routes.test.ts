// Impersonation over HTTP: a read-only view of a tenant, and the events that end it.

import { contracts } from "@cabinet/contract/contracts.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { impersonationContract } from "@cabinet/contract/identity/impersonation/impersonation.contract.ts";
import { type EndpointSpec, isOfConsole, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { beforeAll, describe, expect, it, test } from "vitest";
import type { CallName } from "../../../../../../tests/support/call-row.ts";
import { callRows } from "../../../../../../tests/support/call-rows.ts";
import { openLive } from "../../../../../../tests/support/live.ts";
import {
  fingerprint,
  makeWorld,
  type World,
} from "../../../../../../tests/support/tenant-world.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { endSessionsOf } from "../auth/index.ts";

const reason = "客户来电说订单列表为空";
const testServer = useTestServer();
type Tenant = Awaited<ReturnType<typeof testServer.makeTenant>>;
let tenant: Tenant;
let other: Tenant;
let world: World;
let othersWorld: World;
let visitor: Person;

/** Platform staff who has just signed in. */
const makeStaff = async () => (await testServer.makeTenant(1)).people[0];
const start = (staff: Person, id: number) =>
  testServer.call(impersonationContract.start, staff, { params: { id }, body: { reason } });

async function enter(staff: Person, id: number): Promise<Person> {
  const { data } = await start(staff, id);
  return { ...staff, tenantId: id, token: data.token };
}

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const statusOf = async (person: Person) =>
  (await testServer.call(accessContract.menu, person)).status;

beforeAll(async () => {
  const staff = await makeStaff();
  tenant = await testServer.makeTenant();
  other = await testServer.makeTenant();
  world = await makeWorld(testServer, tenant.id, tenant.people[2]);
  othersWorld = await makeWorld(testServer, other.id, other.people[2]);
  visitor = await enter(staff, tenant.id);
});

const closed = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract)
    .map(([call, spec]) => ({ name: `${noun}.${call}` as CallName, spec: spec as EndpointSpec }))
    .filter(({ spec }) => isOfConsole(spec)),
);
const reading = closed.filter(({ spec }) => isReading(spec));
const writing = closed.filter(({ spec }) => !isReading(spec) && spec !== authContract.logout);
/** Replies about the caller, who is not the tenant's administrator. */
const aboutOneself: CallName[] = [
  "account.preference",
  "account.profile",
  "account.sessions",
  "account.signIns",
  "tenant-setting.shell",
  "second-factor.get",
  "second-factor.ways",
  "announcement.received",
  "export.page",
  "notification.list",
];

/** Ignores times, and `isOwn`: the impersonating session is not among the tenant's. */
const shapeOf = (reply: object) =>
  JSON.stringify({ ...reply, requestId: "" })
    .replace(/"20\d\d-[^"]*Z"/g, '"time"')
    .replaceAll('"isOwn":true', '"isOwn":false');

describe("impersonation", () => {
  it.each(reading)("$name gives the same reply as to the tenant's administrator", async (call) => {
    if (aboutOneself.includes(call.name)) return;
    const input = callRows[call.name].input(world.ids);
    const seen = await testServer.call(call.spec, visitor, input);
    expect(shapeOf(seen)).toBe(shapeOf(await testServer.call(call.spec, tenant.people[0], input)));
    const foreign = callRows[call.name].input(othersWorld.ids);
    const text = JSON.stringify(await testServer.call(call.spec, visitor, foreign));
    for (const mark of othersWorld.marks) expect(text).not.toContain(mark);
  });

  it.each(writing)("$name is refused and changes nothing", async ({ name, spec }) => {
    const before = await fingerprint(testServer, tenant.id);
    const reply = await testServer.call(spec, visitor, callRows[name].input(world.ids));
    expect(reply).toMatchObject({
      status: 403,
      data: null,
      errMsg: "正在以只读方式查看租户，不能修改：请先退出查看",
    });
    expect(await fingerprint(testServer, tenant.id)).toBe(before);
  });

  it("notification centre: the tenant's states, without messages to the visitor or anything unread", async () => {
    await testServer.database.transaction({ tenantId: tenant.id }, (db) =>
      db.run(sql`
        update malfunction set severity = 'SEVERE' where id = ${world.ids.workedMalfunctionId}`),
    );
    const { data } = await testServer.call(notificationContract.list, visitor);
    expect(data.list).toContainEqual(
      expect.objectContaining({
        kind: "MALFUNCTION",
        recordId: world.ids.workedMalfunctionId,
        notice: null,
      }),
    );
    expect(data.list.filter(({ group, isUnread }) => group === "NEWS" || isUnread)).toEqual([]);
  });

  it("covers one tenant: the header of another one or of the platform is refused", async () => {
    for (const tenantid of ["1", String(other.id)]) {
      const reply = await testServer.call(accessContract.menu, visitor, { headers: { tenantid } });
      expect(reply.status).toBe(403);
    }
  });
});

describe("entering", () => {
  it("platform staff only", async () => {
    const main = await testServer.makeTenant(1);
    const others = [main.people[1], main.people[2], tenant.people[0], tenant.people[1]];
    for (const person of others) {
      expect(await start(person, other.id)).toMatchObject({ status: 403, data: null });
    }
  });

  it("requires a reason and an existing tenant other than one's own", async () => {
    const staff = await makeStaff();
    const to = (id: number, body: object) =>
      testServer.call(impersonationContract.start, staff, { params: { id }, body });
    expect(await to(tenant.id, { reason: " " })).toMatchObject({ code: 1 });
    expect(await to(1, { reason })).toMatchObject({ errMsg: "这是您自己的租户，无需进入" });
    expect(await to(999_999_999, { reason })).toMatchObject({
      errMsg: "租户不存在，或不在您的管理范围内",
    });
  });

  it("entering and leaving are audited in the tenant's log", async () => {
    const { id } = await testServer.makeTenant();
    const staff = await makeStaff();
    const visiting = await enter(staff, id);
    await testServer.call(authContract.logout, visiting);
    const entries = await testServer.database.read({ tenantId: id }, (db) =>
      db.many(sql`
        select call, target, reason, actor_tenant_id, actor_id, actor_name
        from audit_log order by id`),
    );
    const actor = {
      actorTenantId: 1,
      actorId: staff.operatorId,
      actorName: staff.username,
    };
    expect(entries).toEqual([
      { ...actor, call: "POST /admin/v1/tenant/visit/{id}", target: `租户 ${id}`, reason },
      { ...actor, call: "POST /auth/token/logout", target: expect.anything(), reason: null },
    ]);
    expect(await statusOf(visiting)).toBe(401);
    expect(await statusOf(staff)).toBe(200);
  });

  it("expired and suspended tenants can be entered, while their accounts stay out", async () => {
    const { id, people } = await testServer.makeTenant();
    const staff = await makeStaff();
    for (const change of [sql`expires_at = now() - interval '1 day'`, sql`state = 'SUSPENDED'`]) {
      await run(sql`update tenant set ${change} where id = ${id}`);
      expect(await statusOf(await enter(staff, id))).toBe(200);
      expect(await statusOf(people[0])).toBe(499);
    }
  });
});

describe("impersonation ends", () => {
  test("with the session that it was begun from", async () => {
    const staff = await makeStaff();
    const visiting = await enter(staff, tenant.id);
    await testServer.call(authContract.logout, staff);
    expect(await statusOf(visiting)).toBe(401);
  });

  test("when the account's sessions are ended", async () => {
    const staff = await makeStaff();
    const visiting = await enter(staff, tenant.id);
    await testServer.database.transaction("platform", (db) => endSessionsOf(db, staff));
    expect(await statusOf(visiting)).toBe(401);
  });

  test("when another one begins", async () => {
    const staff = await makeStaff();
    const first = await enter(staff, tenant.id);
    const second = await enter(staff, other.id);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });

  test.each([
    ["is no platform staff any more", sql`user_type = 1`],
    ["is disabled", sql`disabled_at = now()`],
  ])("when the account %s", async (_, change) => {
    const staff = await makeStaff();
    const visiting = await enter(staff, tenant.id);
    await run(sql`update operator set ${change} where id = ${staff.operatorId}`);
    expect(await statusOf(visiting)).toBe(401);
  });

  test("when the tenant is deleted", async () => {
    const { id } = await testServer.makeTenant();
    const visiting = await enter(await makeStaff(), id);
    await run(sql`update tenant set state = 'DELETED' where id = ${id}`);
    expect(await statusOf(visiting)).toBe(401);
  });

  test("after an hour, and not after the session it was begun from", async () => {
    const staff = await makeStaff();
    expect((await start(staff, tenant.id)).data.seconds).toBe(3600);
    await run(sql`
      update session set expires_at = now() + interval '10 minutes'
      where operator_id = ${staff.operatorId}`);
    const { data } = await start(staff, tenant.id);
    expect(data.seconds).toBe(600);
    await run(sql`
      update session set expires_at = now() - interval '1 second'
      where operator_id = ${staff.operatorId} and opened_by is not null`);
    expect(await statusOf({ ...staff, tenantId: tenant.id, token: data.token })).toBe(401);
    expect(await statusOf(staff)).toBe(200);
  });

  test("by idleness with the own session, which it keeps alive as long as it is used", async () => {
    const staff = await makeStaff();
    const visiting = await enter(staff, tenant.id);
    const idle = (minutes: number) =>
      run(sql`
        update session set last_seen_at = now() - make_interval(mins => ${minutes})
        where operator_id = ${staff.operatorId}`);
    await idle(29);
    await testServer.call(cabinetContract.list, visiting, { query: { page: 1, pageSize: 10 } });
    await run(sql`
      update session set last_seen_at = last_seen_at - interval '29 minutes'
      where operator_id = ${staff.operatorId}`);
    expect(await statusOf(staff)).toBe(200);
    await idle(31);
    expect([await statusOf(visiting), await statusOf(staff)]).toEqual([401, 401]);
  });
});

test("impersonation: its live channel closes with the next one, and with the session that opened it", async () => {
  const staff = await makeStaff();
  const first = await openLive(testServer, await enter(staff, tenant.id));
  const second = await openLive(testServer, await enter(staff, other.id));
  await first.ended;
  const own = await openLive(testServer, staff);
  await testServer.call(authContract.logout, staff);
  await Promise.all([second.ended, own.ended]);
});
