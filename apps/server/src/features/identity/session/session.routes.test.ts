// Sessions over HTTP on a real PostgreSQL: the list of sessions, and immediate forced sign-out.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { sessionContract } from "@cabinet/contract/identity/session/session.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeStore } from "../../../../../../tests/support/cabinets.ts";
import { openLive } from "../../../../../../tests/support/live.ts";
import { makePerson } from "../../../../../../tests/support/people.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let people: Record<0 | 1 | 2, Person>;
let platform: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ people } = await testServer.makeTenant());
});

const list = async (as: Person, query: object = {}) =>
  (await testServer.call(sessionContract.list, as, { query: { pageSize: 100, ...query } })).data
    .list;
const idOf = async (person: Person) =>
  (await list(people[0])).find(({ username }) => username === person.username)?.id ?? 0;
const end = (as: Person, id: number, reason = "账号可能被他人使用") =>
  testServer.call(sessionContract.end, as, { params: { id }, body: { reason } });
const change = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

/** An account with an operator's permissions, bound to this store. */
async function boundOperator(storeId: number): Promise<Person> {
  const { tenantId } = people[0];
  const role = await testServer.database.transaction("platform", async (db) => {
    const made = await db.one<{ id: number }>(sql`
      insert into role (tenant_id, name, store_scope)
      values (${tenantId}, ${`门店 ${storeId} ${Math.random()}`}, 'OWN') returning id`);
    await db.run(sql`
      insert into role_menu_entry
      select role_entry.tenant_id, ${made.id}, role_entry.menu_entry_id
      from role_menu_entry role_entry join role on role.tenant_id = role_entry.tenant_id
        and role.id = role_entry.role_id
      where role.tenant_id = ${tenantId} and role.default_for = 1`);
    return made;
  });
  return makePerson(testServer, tenantId, { roleIds: [role.id], storeIds: [storeId] });
}

describe("the list", () => {
  it("marks the sessions one may end: none of accounts with more permissions", async () => {
    const by = async (as: Person) =>
      (await list(as)).flatMap(({ username, isManageable }) => (isManageable ? [username] : []));
    const names = [people[0], people[1], people[2]].map(({ username }) => username);
    expect((await by(people[0])).sort()).toEqual([...names].sort());
    expect((await by(people[1])).sort()).toEqual(names.slice(1).sort());
    expect((await by(platform)).sort()).toEqual(expect.arrayContaining(names));
    for (const { id, isManageable, isOwn } of await list(people[1])) {
      if (!isOwn) expect((await end(people[1], id)).code).toBe(isManageable ? 0 : 1);
    }
  });

  it("shows account and address of each session, and marks one's own", async () => {
    await change(sql`
      update session set address = '203.0.113.9', user_agent =
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36'
      where tenant_id = ${people[1].tenantId} and operator_id = ${people[1].operatorId}`);
    const shown = await list(people[0]);
    expect(shown.map(({ username }) => username).sort()).toEqual(
      [people[0], people[1], people[2]].map(({ username }) => username).sort(),
    );
    expect(shown.filter(({ isOwn }) => isOwn).map(({ username }) => username)).toEqual([
      people[0].username,
    ]);
    expect(shown.find(({ username }) => username === people[1].username)).toMatchObject({
      address: "203.0.113.9",
      device: "Chrome 141 · Windows",
      userType: 1,
      visitedTenantName: null,
    });
    expect(JSON.stringify(shown)).not.toContain(people[1].token);
  });

  it("filters by account and address, and by tenant for the platform", async () => {
    await change(sql`
      update session set address = '203.0.113.9'
      where tenant_id = ${people[2].tenantId} and operator_id = ${people[2].operatorId}`);
    const names = async (query: object) =>
      (await list(people[0], query)).map(({ username }) => username);
    expect(await names({ username: people[1].username.slice(0, 14) })).toEqual([
      people[1].username,
    ]);
    expect(await names({ address: "203.0.113" })).toEqual([people[2].username]);
    expect(await names({ address: "%" })).toEqual([]);
    const { tenantId } = people[0];
    expect(await list(platform, { tenantId })).toHaveLength(3);
    expect((await list(platform)).length).toBeGreaterThan(3);
    expect(await list(people[0], { tenantId: 1 })).toEqual([]);
  });

  it.each([
    ["idle", sql`update session set last_seen_at = now() - interval '31 minutes'`],
    ["over", sql`update session set expires_at = now()`],
    ["of a disabled account", sql`update operator set disabled_at = now()`],
  ])("excludes sessions that are %s", async (_name, statement) => {
    await change(sql`${statement} where tenant_id = ${people[1].tenantId}
      and ${statement.text.includes("operator set") ? sql`id` : sql`operator_id`} = ${people[1].operatorId}`);
    expect(await list(people[0])).toHaveLength(2);
  });
});

describe("store-bound accounts", () => {
  it("see sessions, sign-ins and audit entries of accounts of their stores only", async () => {
    const { tenantId } = people[0];
    const [here, there] = [
      await makeStore(testServer, tenantId),
      await makeStore(testServer, tenantId),
    ];
    const [self, beside, elsewhere] = [
      await boundOperator(here),
      await boundOperator(here),
      await boundOperator(there),
    ];
    for (const person of [self, beside, elsewhere, people[1]]) {
      const { operatorId, username } = person;
      await change(sql`
        insert into login_log (tenant_id, operator_id, username, outcome)
        values (${tenantId}, ${operatorId}, ${username}, 'SIGNED_IN')`);
      await change(sql`
        insert into audit_log (tenant_id, actor_tenant_id, actor_id, actor_name, call, summary)
        values (${tenantId}, ${tenantId}, ${operatorId}, ${username}, 'POST /x', '改动')`);
    }
    await change(sql`
      insert into login_log (tenant_id, username, outcome)
      values (${tenantId}, 'x***', 'CREDENTIALS_WRONG')`);
    const seen = [self.username, beside.username].sort();
    const query = { pageSize: 100 };
    const signIns = await testServer.call(loginLogContract.list, self, { query });
    const entries = await testServer.call(auditContract.list, self, { query });
    expect((await list(self)).map(({ username }) => username).sort()).toEqual(seen);
    expect(signIns.data.list.map(({ username }) => username).sort()).toEqual(seen);
    expect(entries.data.list.map(({ actorName }) => actorName).sort()).toEqual(seen);
    const all = await testServer.call(auditContract.list, people[1], { query });
    expect(all.data.list).toHaveLength(4);
    const hidden = all.data.list.find(({ actorName }) => actorName === people[1].username);
    const params = { id: hidden?.id ?? 0 };
    expect((await testServer.call(auditContract.get, self, { params })).errMsg).toContain("不存在");
    expect((await testServer.call(auditContract.get, people[1], { params })).code).toBe(0);
  });
});

describe("ending a session", () => {
  it("the next request gets 401 with the operator and the reason", async () => {
    expect((await testServer.call(accessContract.menu, people[1])).code).toBe(0);
    expect((await end(people[0], await idOf(people[1]))).code).toBe(0);
    expect((await testServer.call(accessContract.menu, people[1])).status).toBe(401);
    expect((await testServer.call(accessContract.menu, people[2])).code).toBe(0);
    const entry = await testServer.database.read("platform", (db) =>
      db.one(sql`select target, reason, actor_id as actor from audit_log
        where tenant_id = ${people[0].tenantId} order by id desc limit 1`),
    );
    expect(entry).toEqual({
      target: `账号 ${people[1].username} 的会话`,
      reason: "账号可能被他人使用",
      actor: people[0].operatorId,
    });
  });

  it("requires a reason, and refuses one's own session", async () => {
    const id = await idOf(people[1]);
    expect((await end(people[0], id, " ")).code).toBe(1);
    expect((await end(people[0], await idOf(people[0]))).errMsg).toContain("退出登录");
    expect((await testServer.call(accessContract.menu, people[0])).code).toBe(0);
    expect((await testServer.call(accessContract.menu, people[1])).code).toBe(0);
  });

  it("requires the permission and the same tenant", async () => {
    const id = await idOf(people[1]);
    expect((await end(people[2], id)).status).toBe(403);
    const other = await testServer.makeTenant();
    expect((await end(other.people[0], id)).errMsg).toContain("会话不存在");
    expect((await end(platform, id)).code).toBe(0);
    expect((await testServer.call(accessContract.menu, people[1])).status).toBe(401);
  });

  it("refused for accounts with more permissions", async () => {
    const refused = await end(people[1], await idOf(people[0]));
    expect(refused.errMsg).toContain("请由权限更高的账号操作");
    expect((await testServer.call(accessContract.menu, people[0])).code).toBe(0);
    const bound = await boundOperator(await makeStore(testServer, people[0].tenantId));
    expect((await end(bound, await idOf(people[1]))).errMsg).toContain("会话不存在");
    expect((await end(people[1], await idOf(bound))).code).toBe(0);
  });

  it("closes the live channel of that session at once, and no other", async () => {
    const [theirs, mine] = [
      await openLive(testServer, people[1]),
      await openLive(testServer, people[2]),
    ];
    let isMineOver = false;
    mine.ended
      .then(() => {
        isMineOver = true;
      })
      .catch(() => {});
    await end(people[0], await idOf(people[1]));
    await theirs.ended;
    expect(isMineOver).toBe(false);
    mine.close();
  });
});
