// Tenants and their terms on a real PostgreSQL: creation, limits, renewal, suspension, deletion.
import { randomUUID } from "node:crypto";
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  accessContract,
  type MenuEntry,
} from "@cabinet/contract/identity/access/access.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import { exemptFromFactor } from "../../../../../../tests/support/factor.ts";
import { insertEndUser, insertOrder } from "../../../../../../tests/support/orders.ts";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { weaknessOf } from "../auth/index.ts";

const testServer = useTestServer();
let staff: Person;
let id: number;
let people: Record<0 | 1 | 2, Person>;

beforeAll(async () => {
  staff = (await testServer.makeTenant(1)).people[0];
  // At a quarter of the speed, loading the dictionaries for the first password takes longer than a call may.
  await weaknessOf(PASSWORD, { username: "" });
});
beforeEach(async () => {
  ({ id, people } = await testServer.makeTenant());
});

const PASSWORD = "Tnz4-kWq7-Rm2x";
const reason = "合同到期未续";
const run = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const newName = () => `云柜 ${randomUUID().slice(0, 8)}`;
const newAccount = () => ({
  username: `first-${randomUUID().slice(0, 8)}`,
  displayName: "周敏",
  phone: "13800004455",
  password: PASSWORD,
});
const enter = ({ username, password }: ReturnType<typeof newAccount>) =>
  signIn(testServer, { username, password });
/** Without the demand of a second factor, which has its own tests. */
const create = async (more: object = {}, as = staff) => {
  const made = await testServer.call(tenancyContract.create, as, {
    body: { name: newName(), account: newAccount(), ...more },
  });
  const { id: madeId } = made.data ?? {};
  if (madeId)
    await testServer.database.transaction("platform", (db) => exemptFromFactor(db, madeId));
  return made;
};
const get = async (of = id) =>
  (await testServer.call(tenancyContract.get, staff, { params: { id: of } })).data;
const update = (more: object = {}, of = id) =>
  testServer.call(tenancyContract.update, staff, {
    query: { id: of, name: `租户 ${of}`, editVersion: 1, ...more },
  });
const renew = (body: object, of = id) =>
  testServer.call(tenancyContract.renew, staff, { params: { id: of }, body: { reason, ...body } });
const suspend = (of = id) =>
  testServer.call(tenancyContract.suspend, staff, { params: { id: of }, body: { reason } });
const resume = (of = id) =>
  testServer.call(tenancyContract.resume, staff, {
    params: { id: of },
    body: { reason: "已付清" },
  });
const remove = (of = id) => testServer.call(tenancyContract.delete, staff, { params: { id: of } });
const list = async (query: object = {}) =>
  (await testServer.call(tenancyContract.list, staff, { query: { pageSize: 100, ...query } })).data;
const menu = (as: Person) => testServer.call(accessContract.menu, as);
const urisOf = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap((entry) => [entry.uri, ...urisOf(entry.children)]);

async function entryId(uri: string): Promise<number> {
  const found = await testServer.database.read("platform", (db) =>
    db.one<{ id: number }>(sql`select id from menu_entry where uri = ${uri}`),
  );
  return found.id;
}

/** New devices in stock. */
async function stock(count: number): Promise<number[]> {
  return testServer.database.transaction("platform", async (db) => {
    const model = await db.one<{ id: number }>(sql`
      insert into cabinet_model (name, side, layout) values (${randomUUID()}, 'SINGLE', '[]')
      returning id`);
    const rows = await db.many<{ id: number }>(sql`
      insert into device_stock (sn, model_id, imported_by)
      select upper(substr(md5(random()::text), 1, 16)), ${model.id}, '李伟'
      from generate_series(1, ${count}::int) returning id`);
    return rows.map((row) => row.id);
  });
}
const assign = (stockIds: number[]) =>
  testServer.call(deviceStockContract.assign, staff, { body: { stockIds, tenantId: id } });

describe("creating a tenant", () => {
  it("saves its terms, and its first account signs in with the tenant's functions", async () => {
    const account = newAccount();
    const withheldIds = [await entryId("/smsManage"), await entryId("/cupboard/index:open")];
    const terms = {
      maxOperators: 3,
      maxCabinets: 5,
      maxStorageMb: 7,
      expiresOn: "2099-12-31",
      remark: "内部备注",
    };
    const name = newName();
    const made = await create({
      ...{ ...terms, name: ` ${name} `, withheldIds, account },
      ...{ contactName: "沈佳宁", contactPhone: "13800003011" },
    });
    expect(made.errMsg).toBe("");
    const tenant = await get(made.data.id);
    expect(tenant).toMatchObject({
      ...{ ...terms, name, state: "ACTIVE", operators: 1, cabinets: 0, smsLeft: 0 },
      ...{ contactName: "沈佳宁", contactPhone: "138****3011", editVersion: 1 },
    });
    expect(tenant.withheldIds.sort()).toEqual(withheldIds.sort());
    const signedIn = await enter(account);
    expect(signedIn).toMatchObject({
      code: 0,
      data: { userType: 1, tenantId: made.data.id, mustChangePassword: true },
    });
    await run(sql`
      update operator set must_change_password = false where tenant_id = ${made.data.id}`);
    const person = { ...staff, tenantId: made.data.id, token: signedIn.data.token };
    const uris = urisOf((await menu(person)).data);
    expect(uris).toContain("/cupboard/index");
    expect(uris.filter((uri) => /^\/(register|smsManage)|power|:open$/.test(uri))).toEqual([
      expect.stringContaining("rider/order:open"),
      expect.stringContaining("rider/order:open"),
    ]);
  });

  it("one audit entry in the platform's log, without phone and password", async () => {
    const account = newAccount();
    const name = newName();
    await create({ name, account, contactPhone: "13800003011" });
    const entries = (await findAudit(testServer, 1)).filter(
      ({ target }) => target === `租户 ${name}`,
    );
    expect(entries).toMatchObject([{ after: { name, username: account.username } }]);
    const text = JSON.stringify(entries);
    for (const secret of [PASSWORD, "13800003011", account.phone])
      expect(text).not.toContain(secret);
  });

  it.each([
    [{ name: " " }, "租户名称"],
    [{ contactPhone: "0571-88" }, "“联系电话”应为 11 位手机号"],
    [{ maxCabinets: 0 }, "设备上限"],
    [{ withheldIds: [999_999_999] }, "可选的功能不存在"],
    [{ account: { ...newAccount(), password: "1234567890" } }, "密码过于简单"],
    [{ account: { ...newAccount(), username: "1" } }, "账号"],
  ])("refuses %j and creates nothing", async (wrong, words) => {
    const { total } = await list();
    expect(await create(wrong)).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    expect((await list()).total).toBe(total);
  });

  it("refuses a taken name, also for concurrent requests, and the platform's own name", async () => {
    const name = newName();
    const both = await Promise.all([create({ name }), create({ name })]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.errMsg).toBe(
      `已有名为“${name}”的租户，请换一个名称`,
    );
    const withheldIds = [await entryId("/dashboard")];
    expect((await create({ withheldIds })).errMsg).toContain("可选的功能不存在");
  });

  it("platform only", async () => {
    const { id: platformId, people: others } = await testServer.makeTenant(1);
    for (const as of [people[0], people[1], others[1], others[2]]) {
      expect((await create({}, as)).status).toBe(403);
      expect((await testServer.call(tenancyContract.list, as, { query: {} })).status).toBe(403);
      expect(urisOf((await menu(as)).data).some((uri) => uri.startsWith("/register"))).toBe(
        as.tenantId === platformId && as.userType === 0,
      );
    }
    expect(urisOf((await menu(staff)).data)).toContain("/register/index");
  });
});

describe("changing a tenant", () => {
  it("update: absent fields stay, empty ones are cleared, an older form is refused", async () => {
    expect((await update({ contactPhone: "13800003011", maxCabinets: 9 })).errMsg).toBe("");
    expect((await update({ name: "旧表单" })).errMsg).toBe(
      `租户“租户 ${id}”刚刚被修改过，请刷新后重试`,
    );
    const cleared = { name: `改名 ${id}`, maxCabinets: "", editVersion: 2 };
    expect((await update(cleared)).errMsg).toBe("");
    expect(await get()).toMatchObject({ name: `改名 ${id}`, maxCabinets: null, editVersion: 3 });
    const shown = await testServer.call(tenancyContract.showContact, staff, { params: { id } });
    expect(shown.data).toEqual({ contactPhone: "13800003011" });
    const entries = (await findAudit(testServer, 1)).filter(
      ({ target }) => target === `租户 租户 ${id}` || target === `租户 改名 ${id}`,
    );
    expect(entries.map(({ call }) => call)).toEqual([
      expect.stringContaining("modify"),
      expect.stringContaining("modify"),
      expect.stringContaining("contact"),
    ]);
    expect(entries[1]).toMatchObject({
      before: { maxCabinets: 9, contactPhone: "138****3011" },
      after: { maxCabinets: null, name: `改名 ${id}` },
    });
  });

  it("withheld functions are gone with the next request of its accounts, and can be given back", async () => {
    const open = () => testServer.call(packageContract.list, people[1], { query: {} });
    expect((await open()).code).toBe(0);
    const pages = ["/cupboardRun/pay", "/userApplet/pay"];
    const withheldIds = (await Promise.all(pages.map(entryId))).join(",");
    await update({ withheldIds });
    expect((await open()).status).toBe(403);
    expect((await testServer.call(packageContract.list, people[0], { query: {} })).status).toBe(
      403,
    );
    for (const as of [people[0], people[1]]) {
      expect(urisOf((await menu(as)).data)).not.toContain("/cupboardRun/pay/payList");
    }
    await update({ editVersion: 2 });
    expect((await open()).status).toBe(403);
    await update({ editVersion: 3, withheldIds: "" });
    expect((await open()).code).toBe(0);
    expect(urisOf((await menu(people[1])).data)).toContain("/cupboardRun/pay/payList");
  });

  it("the platform has neither limits nor withheld functions", async () => {
    const { editVersion } = await get(1);
    for (const more of [{ maxCabinets: 5 }, { withheldIds: String(await entryId("/smsManage")) }]) {
      const reply = await update({ ...more, name: "平台", editVersion }, 1);
      expect(reply.errMsg).toBe("平台自身不能限制数量或功能");
    }
    expect((await suspend(1)).errMsg).toBe("平台自身不能停用");
    expect((await remove(1)).errMsg).toBe("平台自身不能删除");
    expect((await renew({ expiresOnBefore: null, months: 1 }, 1)).errMsg).toBe("平台自身不能续期");
    await expect(run(sql`update tenant set state = 'SUSPENDED' where id = 1`)).rejects.toThrow();
  });
});

describe("limit on cabinets", () => {
  it("refuses an assignment beyond the limit with the remaining number; retired cabinets do not count", async () => {
    await update({ maxCabinets: 2 });
    await makeCabinet(testServer, { tenantId: id, lifecycle: "RETIRED" });
    await makeCabinet(testServer, { tenantId: id });
    const [one = 0, two = 0] = await stock(2);
    expect((await assign([one, two])).errMsg).toBe(
      `租户“租户 ${id}”已有 1 台设备，上限 2 台，最多还能分配 1 台：请减少选择，或先提高上限`,
    );
    expect((await assign([one])).code).toBe(0);
    expect((await assign([two])).errMsg).toContain("最多还能分配 0 台");
    expect(await get()).toMatchObject({ cabinets: 2, maxCabinets: 2 });
  });

  it("concurrent assignments do not exceed the limit", async () => {
    await update({ maxCabinets: 3 });
    const devices = await stock(6);
    const replies = await Promise.all(devices.map((device) => assign([device])));
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 0, 0, 1, 1, 1]);
    expect((await get()).cabinets).toBe(3);
  });
});

describe("term", () => {
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

  it("ends with the midnight after its last day, and is renewed from there", async () => {
    await renew({ expiresOnBefore: null, endsOn: "2099-12-31" });
    expect(await get()).toMatchObject({ expiresOn: "2099-12-31", state: "ACTIVE" });
    const { at } = await testServer.database.read("platform", (db) =>
      db.one<{ at: string }>(sql`select expires_at as at from tenant where id = ${id}`),
    );
    expect(at).toBe("2099-12-31T16:00:00.000Z");
    expect((await renew({ expiresOnBefore: "2099-12-31", months: 2 })).errMsg).toBe("");
    expect((await get()).expiresOn).toBe("2100-02-28");
    expect((await renew({ expiresOnBefore: "2100-02-28", months: 1 })).errMsg).toBe("");
    expect(await get()).toMatchObject({ expiresOn: "2100-03-31", expiryDate: 31 });
    expect((await renew({ expiresOnBefore: "2100-03-31", endsOn: "2100-02-28" })).errMsg).toBe("");
    expect((await renew({ expiresOnBefore: "2099-12-31", months: 2 })).errMsg).toContain(
      "刚刚被修改过",
    );
    const neither = { expiresOnBefore: "2100-02-28" };
    expect((await renew(neither)).errMsg).toBe("请填写续期月数，或选择到期日（二选一）");
    expect((await renew({ ...neither, endsOn: null })).errMsg).toBe("");
    expect(await get()).toMatchObject({ expiresOn: null, daysLeft: null });
    expect((await findAudit(testServer, 1)).at(-1)).toMatchObject({
      ...{ target: `租户 租户 ${id}`, reason },
      ...{ before: { expiresOn: "2100-02-28" }, after: { expiresOn: null } },
    });
    const both = { expiresOnBefore: null, months: 1, endsOn: "2099-01-01" };
    expect((await renew(both)).errMsg).toBe("请填写续期月数，或选择到期日（二选一）");
    expect((await renew({ expiresOnBefore: null, endsOn: "2020-01-01" })).errMsg).toContain(
      "不能早于今天",
    );
  });

  it("filters the list by remaining days, and appears on the home page", async () => {
    const home = async (as: Person) =>
      (await testServer.call(statisticsContract.home, as, { query: {} })).data;
    const before = await home(staff);
    await run(sql`update tenant set expires_at = ${days(10)} where id = ${id}`);
    const other = await testServer.makeTenant();
    await run(sql`update tenant set expires_at = ${days(-1)} where id = ${other.id}`);
    const ids = async (query: object) => (await list(query)).list.map((tenant) => tenant.id);
    expect(await ids({ state: "EXPIRING" })).toContain(id);
    expect(await ids({ state: "EXPIRED" })).toContain(other.id);
    expect(await ids({ withinDays: 15 })).toContain(id);
    expect(await ids({ withinDays: 5 })).not.toContain(id);
    expect(await ids({ keyword: `租户 ${id}` })).toContain(id);
    expect(await ids({ keyword: "%" })).toEqual([]);
    const soonest = await list({ sort: "expiresOn", order: "asc" });
    const ends = soonest.list.flatMap(({ expiresOn }) => expiresOn ?? []);
    expect(ends).toEqual([...ends].sort());
    const after = await home(staff);
    expect(after.expiringTenants).toBe(before.expiringTenants + 1);
    expect(after.expiredTenants).toBe(before.expiredTenants + 1);
    const own = await home(people[1]);
    expect(own).toMatchObject({ expiringTenants: 0, expiredTenants: 0 });
    expect(own.ownExpiresOn).toBe((await get()).expiresOn);
    expect((await home(staff)).ownExpiresOn).toBeNull();
  });

  it("expiry closes the console with the next request and at sign-in; renewal reopens it", async () => {
    const account = newAccount();
    const { data } = await create({ account });
    const token = (await enter(account)).data.token;
    const person: Person = { ...staff, tenantId: data.id, token };
    await run(sql`
      update operator set must_change_password = false where tenant_id = ${data.id}`);
    expect((await menu(person)).code).toBe(0);
    await run(sql`update tenant set expires_at = ${days(-1)} where id = ${data.id}`);
    expect(await menu(person)).toMatchObject({ status: 499, errMsg: "租户信息已过期，请联系客服" });
    expect((await enter(account)).status).toBe(499);
    const { expiresOn } = await get(data.id);
    expect((await renew({ expiresOnBefore: expiresOn, months: 1 }, data.id)).errMsg).toBe("");
    expect((await menu(person)).code).toBe(0);
    expect((await enter(account)).code).toBe(0);
  });
});

describe("suspending", () => {
  it("ends sessions, sign-in and live channels at once; resume restores access", async () => {
    const address = await testServer.app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "auth-token": people[1].token, tenantid: String(id), "auth-id": "cupboard" };
    const live = await fetch(`${address}${LIVE_PATH}`, { headers });
    expect(live.status).toBe(200);
    expect((await suspend()).errMsg).toBe("");
    await live.text();
    for (const person of Object.values(people)) expect((await menu(person)).status).toBe(499);
    expect((await fetch(`${address}${LIVE_PATH}`, { headers })).status).toBe(499);
    expect(await get()).toMatchObject({ state: "SUSPENDED", suspendReason: reason });
    expect((await suspend()).errMsg).toBe(`租户“租户 ${id}”当前状态为“已停用”，不能再次停用`);
    expect((await resume()).errMsg).toBe("");
    expect((await menu(people[1])).code).toBe(0);
    expect(await get()).toMatchObject({ state: "ACTIVE", suspendReason: null, suspendedAt: null });
    expect((await resume()).errMsg).toContain("不能恢复");
    const entries = (await findAudit(testServer, 1)).filter(
      ({ target }) => target === `租户 租户 ${id}`,
    );
    expect(entries).toMatchObject([
      { reason, before: { state: "ACTIVE" }, after: { state: "SUSPENDED" } },
      { reason: "已付清", before: { state: "SUSPENDED" }, after: { state: "ACTIVE" } },
    ]);
  });

  it("leaves the cabinets unchanged", async () => {
    const cabinet = await makeCabinet(testServer, { tenantId: id });
    const facts = () =>
      testServer.database.read("platform", (db) =>
        db.one(sql`select to_jsonb(cabinet) as row from cabinet where cabinet.id = ${cabinet.id}`),
      );
    const before = await facts();
    await suspend();
    expect(await facts()).toEqual(before);
  });
});

describe("deleting", () => {
  it("requires a suspension and no remaining data, which the refusal lists with figures", async () => {
    expect((await remove()).errMsg).toBe(`租户“租户 ${id}”当前状态为“正常”，不能删除：请先停用`);
    const cabinet = await makeCabinet(testServer, { tenantId: id });
    await testServer.database.transaction("platform", async (db) => {
      const recipientId = await insertEndUser(db, id, "");
      const order = { tenantId: id, cabinetId: cabinet.id, recipientId };
      await insertOrder(db, order);
      await insertOrder(db, {
        ...{ ...order, state: "COMPLETED", payStatus: "UNPAID", money: { priceFen: 250 } },
      });
      await db.run(sql`
        update wallet set principal_fen = 1234, bonus_fen = 66, held_principal_fen = 300
        where tenant_id = ${id} and end_user_id = ${recipientId}`);
      await db.run(sql`
        insert into top_up (tenant_id, end_user_id, channel, principal_fen, actor_kind, actor_name)
        values (${id}, ${recipientId}, 'WECHAT', 100, 'END_USER', '')`);
    });
    await suspend();
    const words =
      "1 台设备（先收回或停用）；1 笔未结束的订单（先取出物品）；" +
      "1 位用户的钱包余额共 ¥13.00，其中冻结 ¥3.00（先退款）；" +
      "1 笔已结束未付清的订单，共 ¥2.50（先收取或免除）；1 笔处理中的充值";
    expect((await remove()).errMsg).toBe(`“租户 ${id}”还不能删除：${words}`);
    const remains = await testServer.call(tenancyContract.remains, staff, { params: { id } });
    expect(remains.data).toMatchObject({ cabinets: 1, walletFen: 1300, unpaidFen: 250 });
    await run(sql`update cabinet set lifecycle = 'RETIRED' where tenant_id = ${id}`);
    await run(sql`delete from live_order where tenant_id = ${id}`);
    await run(sql`
      update wallet set principal_fen = 0, bonus_fen = 0, held_principal_fen = 0
      where tenant_id = ${id}`);
    await run(sql`update top_up set state = 'CLOSED' where tenant_id = ${id}`);
    expect((await remove()).errMsg).toContain("1 笔已结束未付清的订单");
    await run(sql`
      update storage_order set waived_fen = price_fen, pay_status = 'NONE' where tenant_id = ${id}`);
    expect((await remove()).errMsg).toBe("");
  });

  it("keeps its rows, frees its name, and ends its accounts", async () => {
    await suspend();
    expect((await remove()).code).toBe(0);
    expect(await menu(people[1])).toMatchObject({ status: 499 });
    expect((await remove()).errMsg).toContain("租户不存在");
    expect((await resume()).errMsg).toContain("租户不存在");
    expect((await update({ editVersion: 3 })).errMsg).toContain("租户不存在");
    expect((await list({ keyword: `租户 ${id}` })).list.map((one) => one.id)).not.toContain(id);
    const deleted = await list({ state: "DELETED", keyword: `租户 ${id}` });
    expect(deleted.list).toMatchObject([{ id, deletedAt: expect.any(String), operators: 3 }]);
    const options = (await testServer.call(tenantContract.options, staff)).data.map(
      (one) => one.id,
    );
    expect(options).not.toContain(id);
    expect((await create({ name: `租户 ${id}` })).errMsg).toBe("");
  });

  it("nothing can be created for a deleted tenant", async () => {
    await suspend();
    await remove();
    const draft = {
      ...{ name: "学林街店", code: "A1", region: "", address: "", longitude: null, latitude: null },
      ...{ openingHours: "", contactName: "", managerId: null, remark: "", tenantId: id },
    };
    const store = await testServer.call(storeContract.create, staff, { body: draft });
    expect(store.errMsg).toContain("租户不存在");
    expect((await assign(await stock(1))).errMsg).toContain("租户不存在");
  });

  it("a concurrent assignment never leaves a device at a deleted tenant", async () => {
    for (const device of await stock(4)) {
      const fresh = await testServer.makeTenant();
      await suspend(fresh.id);
      const [assigned, removed] = await Promise.all([
        testServer.call(deviceStockContract.assign, staff, {
          body: { stockIds: [device], tenantId: fresh.id },
        }),
        remove(fresh.id),
      ]);
      expect([assigned.code, removed.code].sort()).toEqual([0, 1]);
    }
  });
});
