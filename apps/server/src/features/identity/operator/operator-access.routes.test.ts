// Account security: no privilege escalation, and immediate effect of rights, revocation and lockout
// (promises A2, A4).
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { type LiveChannel, openLive } from "../../../../../../tests/support/live.ts";
import { makePerson } from "../../../../../../tests/support/people.ts";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { hashPassword } from "../auth/index.ts";

const testServer = useTestServer();
const PASSWORD = "kT7m-Qp2x-Vb4n";
const reason = "岗位调整";
let platform: Person;
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
});

const byId = (spec: EndpointSpec) => (id: number, as: Person) =>
  testServer.call(spec, as, { params: { id }, body: { reason } });
const disable = byId(operatorContract.disable);
const enable = byId(operatorContract.enable);
const unlock = byId(operatorContract.unlock);
const remove = (id: number, as: Person) =>
  testServer.call(operatorContract.delete, as, { params: { id } });
const reset = (id: number, as: Person) =>
  testServer.call(operatorContract.resetPassword, as, { body: { id, password: PASSWORD, reason } });
const bind = (id: number, roleIds: string, as: Person) =>
  testServer.call(operatorContract.bindRoles, as, { body: { id, roleIds } });
const get = async (id: number, as: Person) =>
  (await testServer.call(operatorContract.get, as, { params: { id } })).data;
const menu = (as: Person) => testServer.call(accessContract.menu, as);

/** Loads the account as the form does and returns the function that saves it. */
async function prepareChange(id: number, as: Person, more: object) {
  const { userType, stores, remark, editVersion } = await get(id, as);
  const storeIds = stores.map((store) => store.id);
  const body = {
    id,
    displayName: `王师傅 ${id}`,
    userType,
    storeIds,
    remark,
    editVersion,
    ...more,
  };
  return () => testServer.call(operatorContract.update, as, { body });
}

async function change(id: number, as: Person, more: object) {
  const save = await prepareChange(id, as, more);
  return save();
}

/** Creates a role with these menu entries. */
function makeRole(uris: string[], storeScope = "ALL"): Promise<number> {
  return testServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into role (tenant_id, name, store_scope)
      values (${tenantId}, ${`${storeScope} ${uris.join(" ")}`}, ${storeScope}) returning id`);
    await db.run(sql`
      insert into role_menu_entry
      select ${tenantId}, ${id}, entry.id from menu_entry entry where entry.uri = any(${uris})`);
    return id;
  });
}

const accounts = ["/user/userAdmin", "/user/userAdmin:write"];

async function defaultRole(userType: 1 | 2): Promise<number> {
  const role = await testServer.database.read("platform", (db) =>
    db.one<{ id: number }>(sql`
      select id from role where tenant_id = ${tenantId} and default_for = ${userType}`),
  );
  return role.id;
}

describe("account with more rights: cannot be taken over", () => {
  let lesser: Person;
  beforeEach(async () => {
    lesser = await makePerson(testServer, tenantId, { roleIds: [await makeRole(accounts)] });
  });

  it.each([
    ["disable", (id: number, as: Person) => disable(id, as)],
    ["enable", (id: number, as: Person) => enable(id, as)],
    ["unlock", (id: number, as: Person) => unlock(id, as)],
    ["reset the password of", (id: number, as: Person) => reset(id, as)],
    ["delete", (id: number, as: Person) => remove(id, as)],
    ["edit", (id: number, as: Person) => change(id, as, { remark: "改" })],
    ["take the roles of", (id: number, as: Person) => bind(id, "none", as)],
  ])("refuses a lesser operator to %s a greater one or an administrator", async (_, act) => {
    for (const person of [operator, people[0]]) {
      const reply = await act(person.operatorId, lesser);
      expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining("超出您自己的") });
      expect(await get(person.operatorId, platform)).toMatchObject({
        state: "NORMAL",
        editVersion: 1,
      });
    }
    expect((await get(operator.operatorId, lesser)).isManageable).toBe(false);
  });

  it("refuses to grant more than one's own rights, by role, new account, or user type", async () => {
    const equal = await makePerson(testServer, tenantId);
    const all = await defaultRole(1);
    const refused = expect.stringContaining("超出");
    expect((await bind(equal.operatorId, String(all), lesser)).errMsg).toEqual(refused);
    const body = {
      ...{ userType: 1, username: `grab${tenantId}`, displayName: "抢权", phone: "" },
      ...{ password: PASSWORD, roleIds: [all], storeIds: [], remark: "" },
    };
    expect((await testServer.call(operatorContract.add, lesser, { body })).errMsg).toEqual(refused);
    const administrator = { userType: 0 };
    expect((await change(equal.operatorId, lesser, administrator)).code).toBe(1);
    expect((await change(equal.operatorId, operator, administrator)).code).toBe(1);
    expect(
      (await bind(equal.operatorId, String(await makeRole(accounts, "OWN")), lesser)).code,
    ).toBe(0);
    expect((await disable(equal.operatorId, lesser)).code).toBe(0);
  });

  it("refuses a store-bound account to create one that sees more stores", async () => {
    const storeId = await makeStore(testServer, tenantId);
    const bound = await makePerson(testServer, tenantId, {
      roleIds: [await makeRole([...accounts, "/cupboard/index"], "OWN")],
      storeIds: [storeId],
    });
    const worker = await makePerson(testServer, tenantId, { userType: 2, storeIds: [storeId] });
    const everywhere = await makeRole(["/cupboard/index"]);
    // ALL stores mean nothing for maintenance staff, but everything once the account is an
    // operator.
    const first = await bind(worker.operatorId, String(everywhere), bound);
    const second = await change(worker.operatorId, bound, { userType: 1 });
    expect([first.code, second.code]).toContain(1);
    expect((await get(worker.operatorId, platform)).isStoreBound).toBe(true);
  });
});

it("own account: refuses to disable, delete, demote, bind or reset it", async () => {
  for (const person of [platform, people[0], operator]) {
    const { operatorId: id } = person;
    const replies = [
      await disable(id, person),
      await remove(id, person),
      await change(id, person, { userType: 2 }),
      await bind(id, "none", person),
      await reset(id, person),
    ];
    for (const { errMsg } of replies) expect(errMsg).toMatch(/^不能对您自己的账号/);
    expect((await change(id, person, { remark: "自己的备注" })).code).toBe(0);
    expect((await menu(person)).code).toBe(0);
  }
});

describe("last administrator of the platform", () => {
  /**
   * Leaves exactly these two administrators enabled; those of other tests are disabled meanwhile.
   */
  async function onlyTwo(): Promise<[Person, Person]> {
    const pair = await Promise.all([1, 2].map(() => makePerson(testServer, 1, { userType: 0 })));
    const [one, two] = pair as [Person, Person];
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update operator set disabled_at = now(), disable_reason = '测试'
        where tenant_id = 1 and user_type = 0 and disabled_at is null
          and id not in (${one.operatorId}, ${two.operatorId})`),
    );
    return [one, two];
  }
  afterEach(() =>
    testServer.database.transaction("platform", (db) =>
      db.run(sql`update operator set disabled_at = null where id = ${platform.operatorId}`),
    ),
  );
  const working = () =>
    testServer.database.read("platform", (db) =>
      db.many(sql`
        select 1 from operator where tenant_id = 1 and user_type = 0 and disabled_at is null`),
    );

  it.each([
    ["disable", async (id: number, as: Person) => () => disable(id, as)],
    ["demote", (id: number, as: Person) => prepareChange(id, as, { userType: 1 })],
    ["delete", async (id: number, as: Person) => () => remove(id, as)],
  ])("survives two that %s each other concurrently", async (_, prepare) => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = await onlyTwo();
      const acts = [await prepare(one.operatorId, two), await prepare(two.operatorId, one)];
      const replies = await Promise.all(acts.map((act) => act()));
      expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
      const refused = replies.find(({ code }) => code === 1);
      if (refused?.status !== 401) expect(refused?.errMsg).toContain("是最后一个可用的平台管理员");
      expect(await working()).toHaveLength(1);
    }
  });

  it("cannot be disabled, neither by themselves nor by one disabled meanwhile", async () => {
    const [one, two] = await onlyTwo();
    expect((await disable(two.operatorId, one)).code).toBe(0);
    expect((await disable(one.operatorId, two)).status).toBe(401);
    expect((await disable(one.operatorId, one)).errMsg).toContain("您自己的账号");
    expect((await enable(two.operatorId, one)).code).toBe(0);
    const back = await makePerson(testServer, 1, { userType: 0 });
    expect((await disable(one.operatorId, back)).code).toBe(0);
  });
});

describe("A4: revoked access ends with the next request", () => {
  let live: LiveChannel;
  let worker: Person;
  beforeEach(async () => {
    worker = await makePerson(testServer, tenantId, {
      userType: 2,
      roleIds: [await defaultRole(2)],
    });
    live = await openLive(testServer, worker);
    expect((await menu(worker)).code).toBe(0);
  });
  afterEach(() => live.close());

  it.each([
    ["disabled", (id: number) => disable(id, operator)],
    ["deleted", (id: number) => remove(id, operator)],
    ["given a new password", (id: number) => reset(id, operator)],
    ["made another kind of account", (id: number) => change(id, operator, { userType: 1 })],
  ])("when the account is %s, with its live channel", async (_, act) => {
    expect(await act(worker.operatorId)).toMatchObject({ code: 0, errMsg: "" });
    expect((await menu(worker)).status).toBe(401);
    expect(await live.ended).toBe("ended");
  });

  it("also when its roles change: the session stays, the permission is gone", async () => {
    const list = () => testServer.call(operatorContract.maintenanceList, worker, { query: {} });
    const role = await makeRole(accounts);
    expect((await list()).status).toBe(403);
    expect((await bind(worker.operatorId, String(role), operator)).code).toBe(0);
    expect((await list()).status).toBe(200);
    expect((await bind(worker.operatorId, "none", operator)).code).toBe(0);
    expect((await list()).status).toBe(403);
    expect((await menu(worker)).code).toBe(0);
  });
});

describe("A2: account with failed sign-ins", () => {
  const failures = 5;
  let worker: Person;
  const tryToSignIn = (password: string) =>
    signIn(testServer, { username: worker.username, password }, { address: "198.18.0.7" });
  beforeEach(async () => {
    worker = await makePerson(testServer, tenantId, { userType: 2 });
    const hash = await hashPassword(PASSWORD);
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update operator set password_hash = ${hash} where id = ${worker.operatorId}`),
    );
    for (let failure = 0; failure < failures; failure++) await tryToSignIn("not the one 1");
  });

  it("shows the block and its end, and is found by that state", async () => {
    const shown = await get(worker.operatorId, operator);
    expect(shown).toMatchObject({ state: "LOCKED", failures });
    expect(Date.parse(shown.lockedUntil ?? "")).toBeGreaterThan(Date.now());
    const { data } = await testServer.call(operatorContract.maintenanceList, operator, {
      query: { state: "LOCKED" },
    });
    expect(data.list.map(({ id }) => id)).toEqual([worker.operatorId]);
  });

  it.each([
    ["unlocked", (id: number) => unlock(id, operator)],
    ["given a new password", (id: number) => reset(id, operator)],
  ])("can sign in as soon as it is %s", async (_, act) => {
    expect((await tryToSignIn(PASSWORD)).errMsg).toContain("尝试次数过多");
    expect((await act(worker.operatorId)).code).toBe(0);
    expect((await tryToSignIn(PASSWORD)).code).toBe(0);
    expect(await get(worker.operatorId, operator)).toMatchObject({ state: "NORMAL", failures: 0 });
    const entries = await findAudit(testServer, tenantId);
    expect(entries.find((entry) => entry.reason === reason)).toMatchObject({
      target: expect.stringContaining(worker.username),
    });
  });
});

it("disabled account: keeps the reason and the actor until it is enabled again", async () => {
  const { operatorId: id } = people[2];
  expect((await enable(id, operator)).errMsg).toContain("不能启用");
  await disable(id, operator);
  expect(await get(id, operator)).toMatchObject({
    ...{ state: "DISABLED", disableReason: reason, disabledBy: operator.username },
  });
  expect((await disable(id, operator)).errMsg).toContain("不能停用");
  expect(
    (await signIn(testServer, { username: people[2].username, password: PASSWORD })).errMsg,
  ).toBe("账号或密码不正确");
  await enable(id, operator);
  expect(await get(id, operator)).toMatchObject({ state: "NORMAL", disableReason: null });
});
