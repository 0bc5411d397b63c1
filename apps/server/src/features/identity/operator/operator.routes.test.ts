// Console accounts over HTTP on a real PostgreSQL: creation, lists, changes, and the limit per
// tenant.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const PASSWORD = "kT7m-Qp2x-Vb4n";
let platform: Person;
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;
let storeId: number;
let roles: { operators: number; maintenance: number };
let count = 0;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
  storeId = await makeStore(testServer, tenantId);
  roles = await rolesOf(tenantId);
});

async function rolesOf(id: number) {
  const rows = await testServer.database.read("platform", (db) =>
    db.many<{ id: number }>(sql`select id from role where tenant_id = ${id} order by default_for`),
  );
  const [operators = 0, maintenance = 0] = rows.map((row) => row.id);
  return { operators, maintenance };
}

const newName = () => `worker${tenantId}x${count++}`;
const draftOf = (more: object) => ({
  userType: 2,
  username: newName(),
  displayName: `王师傅${count}`,
  phone: "13812345678",
  password: PASSWORD,
  roleIds: [roles.maintenance],
  storeIds: [storeId],
  remark: "",
  ...more,
});
const add = (more: object = {}, as = operator) =>
  testServer.call(operatorContract.add, as, { body: draftOf(more) });
const get = (id: number, as = operator) =>
  testServer.call(operatorContract.get, as, { params: { id } });
const update = (id: number, body: object, as = operator) =>
  testServer.call(operatorContract.update, as, {
    body: {
      ...{ id, userType: 2, displayName: `王师傅 ${id}`, storeIds: [storeId], remark: "" },
      ...{ editVersion: 1, ...body },
    },
  });
const bind = (id: number, roleIds: string, as = operator) =>
  testServer.call(operatorContract.bindRoles, as, { body: { id, roleIds } });
const staff = async (query: object = {}, as = operator) =>
  (await testServer.call(operatorContract.maintenanceList, as, { query })).data.list;
const operators = async (query: object = {}, as = operator) =>
  (await testServer.call(operatorContract.list, as, { query })).data.list;
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);

async function made(more: object = {}, as = operator): Promise<number> {
  const reply = await add(more, as);
  expect(reply.errMsg).toBe("");
  return reply.data.id;
}

describe("new account", () => {
  it("has its roles and stores, masks its phone, and is audited without secrets", async () => {
    const username = newName();
    const id = await made({ username, displayName: " 王师傅 ", remark: "早班 " });
    expect((await get(id)).data).toMatchObject({
      ...{ id, tenantId, username, displayName: "王师傅", phone: "138****5678", userType: 2 },
      ...{ state: "NORMAL", mustChangePassword: true, lastSignInAt: null, remark: "早班" },
      roles: [{ id: roles.maintenance, name: "运维人员" }],
      stores: [{ id: storeId }],
      ...{ isStoreBound: true, isManageable: true, editVersion: 1, failures: 0, sessions: 0 },
    });
    const role = await testServer.call(operatorContract.roles, operator, { params: { id } });
    expect(role.data).toEqual([{ id: roles.maintenance, name: "运维人员" }]);
    const entry = (await findAudit(testServer, tenantId)).at(-1);
    expect(entry).toMatchObject({
      target: `运维人员 王师傅（${username}）`,
      after: { username, roleIds: ["运维人员"] },
    });
    expect(JSON.stringify(entry)).not.toMatch(/13812345678|kT7m/);
  });

  it("signs in with its first password and must change it before anything else", async () => {
    const username = newName();
    const id = await made({ username });
    const { data } = await signIn(testServer, { username, password: PASSWORD });
    expect(data).toMatchObject({ userType: 2, tenantId, mustChangePassword: true });
    const worker: Person = { tenantId, operatorId: id, username, userType: 2, token: data.token };
    const menu = () => testServer.call(accessContract.menu, worker);
    expect((await menu()).errMsg).toBe("首次登录请先修改密码");
    const changed = await testServer.call(authContract.changePassword, worker, {
      body: { oldPassword: PASSWORD, newPassword: "晴天 7 点出发-Kite" },
    });
    worker.token = changed.data.token;
    expect((await menu()).code).toBe(0);
    const shown = (await get(id)).data;
    expect(shown).toMatchObject({ mustChangePassword: false, sessions: 1 });
    expect(Date.now() - Date.parse(shown.lastSignInAt ?? "")).toBeLessThan(60_000);
  });

  it("its first password expires after a week, and a reset one begins anew", async () => {
    const username = newName();
    const id = await made({ username });
    const age = sql`
      update operator set first_password_until = first_password_until - interval '7 days'
      where id = ${id}`;
    const login = () => signIn(testServer, { username, password: PASSWORD });
    const isExpired = async () =>
      (await staff()).find((row) => row.id === id)?.isFirstPasswordExpired;
    expect(await isExpired()).toBe(false);
    await testServer.database.transaction("platform", (db) => db.run(age));
    expect(await isExpired()).toBe(true);
    expect((await login()).errMsg).toBe("初始密码已过期，请联系管理员重置密码");
    const log = await testServer.call(loginLogContract.list, operator, { query: { username } });
    expect(log.data.list[0]?.outcome).toBe("FIRST_PASSWORD_EXPIRED");
    const body = { id, password: PASSWORD, reason: "没有及时登录" };
    expect((await testServer.call(operatorContract.resetPassword, operator, { body })).errMsg).toBe(
      "",
    );
    const worker: Person = {
      ...{ tenantId, operatorId: id, username, userType: 2 },
      ...(await login()).data,
    };
    const change = { oldPassword: PASSWORD, newPassword: "晴天 7 点出发-Kite" };
    await testServer.call(authContract.changePassword, worker, { body: change });
    await testServer.database.transaction("platform", (db) => db.run(age));
    expect(await isExpired()).toBe(false);
    expect((await signIn(testServer, { username, password: change.newPassword })).errMsg).toBe("");
  });

  it.each([
    [{ username: "张三丰" }, "账号"],
    [{ username: "a" }, "账号"],
    [{ displayName: "  " }, "姓名"],
    [{ phone: "0571-8888888" }, "“手机号”应为 11 位"],
    [{ password: "password123456" }, "密码过于简单"],
    [{ password: "short1" }, "密码"],
    [{ roleIds: [] }, "请至少选择一个角色"],
    [{ roleIds: [999_999_999] }, "角色不存在"],
    [{ storeIds: [999_999_999] }, "门店不存在"],
    [{ userType: 0, roleIds: [] }, "只有平台自己可以有管理员账号"],
    [{ tenantId: 1 }, "租户不存在"],
  ])("is refused with %j and leaves no trace", async (wrong, words) => {
    const before = ids(await staff());
    expect(await add(wrong)).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    expect(ids(await staff())).toEqual(before);
  });

  it("requires a username unique across tenants, ignoring case", async () => {
    const other = await testServer.makeTenant();
    const taken = other.people[1].username;
    const reply = await add({ username: taken.toUpperCase() });
    expect(reply.errMsg).toBe(`账号“${taken.toUpperCase()}”已被使用，请换一个`);
    const username = newName();
    const both = await Promise.all([add({ username }), add({ username })]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  });

  it("can be created for any tenant by platform staff; administrators only for the platform", async () => {
    const id = await made({ tenantId }, platform);
    expect((await get(id)).data.tenantId).toBe(tenantId);
    const administrator = { tenantId: 1, userType: 0, roleIds: [], storeIds: [] };
    const adminId = await made(administrator, platform);
    expect((await get(adminId, platform)).data).toMatchObject({ userType: 0, roles: [] });
    expect((await add({ ...administrator, tenantId }, platform)).errMsg).toContain("只有平台自己");
    const foreignStore = await makeStore(testServer, (await testServer.makeTenant()).id);
    const foreign = await add({ tenantId, storeIds: [foreignStore] }, platform);
    expect(foreign.errMsg).toContain("门店不存在，或不在您的管理范围内");
  });
});

describe("account limit of a tenant", () => {
  const limit = (max: number | null) =>
    testServer.database.transaction("platform", (db) =>
      db.run(sql`update tenant set max_operators = ${max} where id = ${tenantId}`),
    );

  it("holds for concurrent requests", async () => {
    await limit(5);
    const replies = await Promise.all(Array.from({ length: 6 }, () => add()));
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1, 1, 1]);
    const refused = replies.find(({ code }) => code === 1);
    expect(refused?.errMsg).toBe(
      `“租户 ${tenantId}”最多 5 个启用的后台账号，现有 5 个：请先停用不用的账号，或联系平台提高上限`,
    );
    expect(await staff()).toHaveLength(3);
  });

  it("counts enabled accounts: a disabled one frees its place and needs one to be enabled", async () => {
    const id = await made();
    await limit(4);
    expect((await add()).errMsg).toContain("最多 4 个");
    const reason = { params: { id }, body: { reason: "已离职" } };
    expect((await testServer.call(operatorContract.disable, operator, reason)).code).toBe(0);
    await made();
    const back = await testServer.call(operatorContract.enable, operator, reason);
    expect(back.errMsg).toContain("最多 4 个");
    await limit(null);
    expect((await testServer.call(operatorContract.enable, operator, reason)).code).toBe(0);
  });
});

describe("account lists", () => {
  it("separate maintenance staff from operators, and the tenants", async () => {
    const id = await made();
    const other = await testServer.makeTenant();
    expect(ids(await staff())).toEqual([people[2].operatorId, id]);
    expect(ids(await operators())).toEqual(ids([people[0], people[1]].map(asRow)));
    expect(await operators({ tenantId: other.id })).toEqual([]);
    expect(ids(await operators({ tenantId }, platform))).toEqual(
      ids([people[0], people[1]].map(asRow)),
    );
    expect((await get(other.people[2].operatorId)).errMsg).toContain("账号不存在");
  });
  const asRow = ({ operatorId }: Person) => ({ id: operatorId });

  it("filter and sort by each of their fields", async () => {
    const id = await made({ displayName: "赵六", phone: "13900001234" });
    const old = people[2].operatorId;
    await testServer.database.transaction("platform", (db) =>
      db.run(
        sql`update operator set last_sign_in_at = now() - interval '40 days' where id = ${old}`,
      ),
    );
    expect(ids(await staff({ keyword: "赵" }))).toEqual([id]);
    expect(ids(await staff({ keyword: people[2].username.toUpperCase() }))).toEqual([old]);
    expect(ids(await staff({ phone: "00001234" }))).toEqual([id]);
    expect(ids(await staff({ phone: "13900001234" }))).toEqual([id]);
    expect(ids(await staff({ storeId }))).toEqual([id]);
    expect(ids(await staff({ roleId: roles.maintenance }))).toEqual([old, id]);
    expect(await staff({ roleId: roles.operators })).toEqual([]);
    expect(await staff({ state: "DISABLED" })).toEqual([]);
    expect(ids(await staff({ dormancy: "NEVER" }))).toEqual([id]);
    expect(ids(await staff({ dormancy: "DAYS_30" }))).toEqual([old]);
    expect(await staff({ dormancy: "DAYS_90" })).toEqual([]);
    expect(ids(await operators({ userType: 0 }))).toEqual([people[0].operatorId]);
    const order = await staff({ sort: "lastSignInAt", order: "desc" });
    expect(order.map((row) => row.id)).toEqual([old, id]);
  });

  it("show a store-bound account only those who share a store, and itself", async () => {
    const elsewhere = await makeStore(testServer, tenantId);
    const here = await made();
    const away = await made({ storeIds: [elsewhere] });
    const bound = people[2];
    await testServer.database.transaction("platform", async (db) => {
      await db.run(
        sql`insert into operator_store values (${tenantId}, ${bound.operatorId}, ${storeId})`,
      );
      await db.run(sql`
        insert into role_menu_entry
        select ${tenantId}, ${roles.maintenance}, id from menu_entry
        where uri in ('/user/userAdmin', '/user/userAdmin:write')`);
    });
    expect(ids(await staff({}, bound))).toEqual([bound.operatorId, here]);
    expect((await get(away, bound)).errMsg).toContain("账号不存在");
    expect(await operators({}, bound)).toEqual([]);
    const moved = { storeIds: [storeId, elsewhere] };
    expect((await update(here, moved, bound)).errMsg).toContain("门店");
    expect((await add({ storeIds: [] }, bound)).errMsg).toContain("至少选择一家");
    expect((await add({}, bound)).code).toBe(0);
  });
});

describe("account change", () => {
  it("keeps an omitted phone and refuses a stale version", async () => {
    const id = await made();
    const { displayName } = (await get(id)).data;
    const second = await makeStore(testServer, tenantId);
    expect((await update(id, { displayName: "王大壮", storeIds: [second] })).code).toBe(0);
    expect((await get(id)).data).toMatchObject({
      ...{ displayName: "王大壮", phone: "138****5678", editVersion: 2 },
      stores: [{ id: second }],
    });
    const phone = await testServer.call(operatorContract.showPhone, operator, { params: { id } });
    expect(phone.data).toEqual({ phone: "13812345678" });
    expect((await update(id, { displayName: "旧表单" })).errMsg).toContain(
      "已在您打开页面之后修改过",
    );
    expect((await update(id, { phone: "+8613912345678", editVersion: 2 })).code).toBe(0);
    expect((await get(id)).data.phone).toBe("139****5678");
    expect((await update(id, { phone: "", editVersion: 3 })).code).toBe(0);
    expect((await get(id)).data.phone).toBe("");
    const [, changed] = await findAudit(testServer, tenantId);
    expect(changed).toMatchObject({
      before: { displayName, phone: "138****5678" },
      after: { displayName: "王大壮", phone: "138****5678" },
    });
  });

  it("grants and revokes roles with immediate effect", async () => {
    const id = await made();
    expect((await bind(id, `${roles.maintenance},${roles.operators}`)).code).toBe(0);
    expect((await get(id)).data.roles).toHaveLength(2);
    expect((await bind(id, "none")).code).toBe(0);
    expect((await get(id)).data.roles).toEqual([]);
    for (const wrong of ["", "1, 2", "1,,2"]) {
      expect((await bind(id, wrong)).errMsg).toContain("角色");
    }
    const foreign = await rolesOf((await testServer.makeTenant()).id);
    expect((await bind(id, String(foreign.operators))).errMsg).toContain(
      "角色不存在，或不在您的管理范围内",
    );
    const entry = (await findAudit(testServer, tenantId)).at(-1);
    expect(entry).toMatchObject({
      before: { roleIds: expect.arrayContaining(["运维人员", "运营管理员"]) },
      after: { roleIds: [] },
    });
  });
});

describe("account deletion", () => {
  it("frees its username and stores; an account in use must be disabled first", async () => {
    const username = newName();
    const displayName = "王师傅（离职）";
    const id = await made({ username, displayName });
    const remove = () => testServer.call(operatorContract.delete, operator, { params: { id } });
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`update operator set last_sign_in_at = now() where id = ${id}`);
      await db.run(sql`update store set manager_id = ${id} where id = ${storeId}`);
    });
    expect((await get(id)).data.managedStores).toHaveLength(1);
    expect((await remove()).errMsg).toContain("请先停用并写明原因");
    const reason = { params: { id }, body: { reason: "已离职" } };
    await testServer.call(operatorContract.disable, operator, reason);
    expect((await remove()).code).toBe(0);
    expect((await get(id)).errMsg).toContain("账号不存在");
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: `运维人员 ${displayName}（${username}）`,
      before: { username, displayName },
    });
    const left = await testServer.database.read("platform", (db) =>
      db.many(sql`
        select 1 from operator_store where operator_id = ${id}
        union all select 1 from store where manager_id = ${id}`),
    );
    expect(left).toEqual([]);
    await made({ username });
  });
});

describe("store scope of an account", () => {
  const makeRole = async (name: string, storeScope: string, storeIds: number[] = []) => {
    const body = { name, remark: "", storeScope, storeIds, entryIds: [] };
    return (await testServer.call(roleContract.create, operator, { body })).data.id;
  };
  const operatorDraft = (more: object) => ({ userType: 1, roleIds: [roles.operators], ...more });

  it("new operator: refuses stores that the role's scope ignores", async () => {
    const refused = await add(operatorDraft({ storeIds: [storeId] }));
    expect(refused).toMatchObject({
      code: 1,
      errMsg:
        "角色“运营管理员”的门店范围是全部门店，负责的 1 家门店不生效，请清空“负责的门店”，或改选其他角色",
    });
    expect(await operators({ keyword: "王师傅" })).toEqual([]);
    const id = await made(operatorDraft({ storeIds: [] }));
    const [row] = (await operators()).filter((one) => one.id === id);
    expect(row).toMatchObject({ isStoreBound: false, stores: [], visibleStores: [] });
  });

  it("changed operator: refuses contradicting stores, kinds and roles", async () => {
    const own = await makeRole("店长", "OWN");
    const id = await made(operatorDraft({ roleIds: [own], storeIds: [storeId] }));
    expect((await bind(id, `${own},${roles.operators}`)).errMsg).toContain("“运营管理员”");
    expect((await get(id)).data).toMatchObject({ roles: [{ id: own }], isStoreBound: true });

    const free = await made(operatorDraft({ storeIds: [] }));
    const moved = await update(free, { userType: 1, storeIds: [storeId] });
    expect(moved.errMsg).toContain("不生效");

    const worker = await made({ roleIds: [roles.operators] });
    expect((await update(worker, { userType: 1 })).errMsg).toContain("不生效");
    expect((await update(worker, { displayName: "王大壮" })).code).toBe(0);
  });

  it("administrator: refuses stores", async () => {
    const own = await makeStore(testServer, 1);
    const administrator = { tenantId: 1, userType: 0, roleIds: [], storeIds: [own] };
    expect((await add(administrator, platform)).errMsg).toBe(
      "管理员可见全部门店：请清空负责的门店",
    );
  });

  it("older contradiction: the list shows all stores, and other fields can be saved", async () => {
    const id = await made(operatorDraft({ storeIds: [] }));
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`insert into operator_store values (${tenantId}, ${id}, ${storeId})`),
    );
    expect((await get(id)).data).toMatchObject({
      ...{ isStoreBound: false, visibleStores: [], stores: [{ id: storeId }] },
    });
    expect((await update(id, { userType: 1, displayName: "李四" })).code).toBe(0);
  });

  it("visible stores: the account's own and those listed by its roles", async () => {
    const listed = await makeStore(testServer, tenantId);
    const role = await makeRole("片区", "LISTED", [listed]);
    const id = await made(operatorDraft({ roleIds: [role], storeIds: [storeId] }));
    const { data } = await get(id);
    expect(ids(data.visibleStores)).toEqual([storeId, listed].sort((a, b) => a - b));
    expect(data.stores).toMatchObject([{ id: storeId }]);
  });

  it("preview: counts the stores and cabinets that the account would see, and no more", async () => {
    const listed = await makeStore(testServer, tenantId);
    const role = await makeRole("片区", "LISTED", [listed]);
    for (const place of [storeId, listed, listed, null]) {
      await makeCabinet(testServer, { tenantId, storeId: place });
    }
    const ask = (body: object, as = operator) => {
      const scope = { userType: 1, roleIds: [role], storeIds: [], ...body };
      return testServer.call(operatorContract.scope, as, { body: scope });
    };
    const preview = async (body: object) => (await ask(body)).data;
    expect(await preview({})).toEqual({ isStoreBound: true, stores: 1, cabinets: 2 });
    expect(await preview({ storeIds: [storeId] })).toMatchObject({ stores: 2, cabinets: 3 });
    const everything = { isStoreBound: false, stores: 2, cabinets: 4 };
    expect(await preview({ roleIds: [roles.operators] })).toEqual(everything);
    // Maintenance staff with the same role see their own stores only.
    const worker = { userType: 2, roleIds: [roles.operators], storeIds: [storeId] };
    expect(await preview(worker)).toEqual({ isStoreBound: true, stores: 1, cabinets: 1 });
    // Nothing of another tenant.
    const stranger = (await testServer.makeTenant()).people[1];
    const own = { roleIds: [], storeIds: [] };
    expect((await ask({ ...own, roleIds: [role] }, stranger)).errMsg).toBe(
      "角色不存在，或不在您的管理范围内",
    );
    expect((await ask({ ...own, storeIds: [storeId] }, stranger)).errMsg).toBe(
      "门店不存在，或不在您的管理范围内",
    );
  });
});
