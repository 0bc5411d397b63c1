// Roles over HTTP on a real PostgreSQL: grants, members, and limits of the granter.
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { flat, useRoles } from "../../../../../../tests/support/roles.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { ensureDefaultRoles, seedMenu } from "./index.ts";

const testServer = useTestServer();
const team = useRoles(testServer);
const {
  create,
  entryIds,
  get,
  list,
  made,
  permissionsOf,
  remove,
  roleNamed,
  saveMembers,
  update,
  withRoles,
} = team;

describe("creating a role", () => {
  it("stores the input, counts the grants and writes an audit entry", async () => {
    const storeId = await makeStore(testServer, team.tenantId);
    const id = await made({
      name: " 区域主管 ",
      remark: "华东",
      storeScope: "LISTED",
      storeIds: [storeId],
      entryIds: entryIds("/cupboard", "/cupboard/index", "/cupboard/index:open"),
    });
    expect(await get(id)).toMatchObject({
      name: "区域主管",
      remark: "华东",
      tenantId: team.tenantId,
      storeScope: "LISTED",
      stores: [{ id: storeId }],
      pages: 1,
      buttons: 1,
      members: 0,
      people: [],
      defaultFor: null,
      isWithinReach: true,
      editedBy: team.admin.username,
      editVersion: 1,
    });
    expect((await findAudit(testServer, team.tenantId)).at(-1)).toMatchObject({
      target: "角色 区域主管",
      after: { entryIds: ["设备管理", "设备管理 / 设备列表", "设备列表 / 远程开门"] },
    });
  });

  it.each([
    [{ name: "  " }, "角色名称"],
    [{ name: "运营管理员" }, "已有名为“运营管理员”的角色"],
    [{ storeScope: "LISTED" }, "请至少选择一家门店"],
    [{ storeScope: "LISTED", storeIds: [999_999_999] }, "门店不存在"],
    [{ entryIds: [999_999_999] }, "菜单不存在"],
  ])("refuses %j with a text that says what to do", async (wrong, words) => {
    const before = await list();
    const reply = await create(wrong);
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    expect(await list()).toEqual(before);
  });

  it("three concurrent creations with one name: one succeeds", async () => {
    const replies = await Promise.all([create(), create(), create()]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  });

  it("creates the role in the tenant that platform staff name, invisible to other tenants", async () => {
    const other = await testServer.makeTenant();
    const id = await made({ tenantId: other.id }, team.platform);
    expect((await list({}, other.people[1])).map((role) => role.id)).toContain(id);
    expect((await create({ tenantId: other.id })).errMsg).toContain("租户不存在");
    const [reading, writing] = await Promise.all([
      testServer.call(roleContract.get, team.admin, { params: { id } }),
      testServer.call(roleContract.delete, team.admin, { params: { id }, query: { members: 0 } }),
    ]);
    expect([reading.errMsg, writing.errMsg]).toEqual(
      Array(2).fill("角色不存在，或不在您的管理范围内"),
    );
    const foreignStore = await makeStore(testServer, other.id);
    const foreign = { storeScope: "LISTED", storeIds: [foreignStore], name: "外" };
    expect((await create(foreign)).errMsg).toContain("门店不存在");
  });
});

describe("changing a role", () => {
  it("takes effect on the member's next request, in the menu too", async () => {
    const id = await made({ entryIds: entryIds("/point/index") });
    const person = await withRoles();
    const stores = () => testServer.call(storeContract.list, person, { query: {} });
    expect((await stores()).status).toBe(403);
    expect((await saveMembers(id, [person])).data).toEqual({ added: 1, removed: 0 });
    expect((await stores()).status).toBe(200);
    expect(await permissionsOf(person)).toEqual(["store:read"]);
    expect((await update(id, { entryIds: entryIds("/cupboard/index") })).errMsg).toBe("");
    expect(await permissionsOf(person)).toContain("cabinet:read");
    expect((await update(id, { entryIds: [] })).errMsg).toBe("");
    expect((await stores()).status).toBe(403);
    expect((await saveMembers(id, [], [person])).data).toEqual({ added: 0, removed: 1 });
    expect((await findAudit(testServer, team.tenantId)).at(-1)).toMatchObject({
      target: "角色 区域主管",
      before: { removedOperatorIds: [person.username] },
      after: { addedOperatorIds: [] },
    });
  });

  it("publishes an access event to the tenant's consoles", async () => {
    const id = await made();
    const messages: unknown[] = [];
    const stop = testServer.listener.on("live", (event) => messages.push(event));
    await update(id, { entryIds: entryIds("/point/index") });
    await expect
      .poll(() => messages)
      .toContainEqual(expect.objectContaining({ tenantId: team.tenantId, topic: "access" }));
    stop();
  });

  it("is refused when somebody else changed the role after it was opened", async () => {
    const id = await made();
    expect((await update(id, { remark: "新" })).errMsg).toBe("");
    expect((await update(id, { editVersion: 1 })).errMsg).toContain(
      `${team.admin.username}已在您打开`,
    );
  });

  it("keeps grants of entries that the tenant does not have now", async () => {
    const [cards, stores] = ["/cupboardRun/pay/payList", "/point/index"];
    const id = await made({ entryIds: entryIds(cards, stores) });
    const person = await withRoles(id);
    const withhold = (statement: ReturnType<typeof sql>) =>
      testServer.database.transaction("platform", (db) => db.run(statement));
    await withhold(
      sql`insert into tenant_withheld_entry values (${team.tenantId}, ${entryIds(cards)[0]})`,
    );
    expect((await get(id)).entryIds).toEqual(entryIds(stores));
    expect(await permissionsOf(person)).toEqual(["store:read"]);
    expect((await create({ name: "二", entryIds: entryIds(cards) })).errMsg).toContain(
      "菜单不存在",
    );
    expect((await update(id, { remark: "仍在" })).errMsg).toBe("");
    await withhold(sql`delete from tenant_withheld_entry where tenant_id = ${team.tenantId}`);
    expect((await get(id)).entryIds.sort()).toEqual(entryIds(cards, stores).sort());
    expect(await permissionsOf(person)).toContain("package:read");
  });

  it("never grants entries of /register or /set/power", async () => {
    for (const uri of ["/register/index", "/set/power"]) {
      expect((await create({ entryIds: entryIds(uri) }, team.people[0])).errMsg).toContain(
        "菜单不存在",
      );
    }
    const { tree } = (await testServer.call(roleContract.grantable, team.admin)).data;
    const uris = flat(tree).map(({ uri }) => uri);
    expect(uris.filter((uri) => /^\/(register|set\/power|settings)/.test(uri))).toEqual([]);
  });
});

describe("deleting a role", () => {
  it("removes its members' grants, if the number of members is still as seen", async () => {
    const id = await made({ entryIds: entryIds("/point/index") });
    const person = await withRoles(id);
    expect((await remove(id, 0)).errMsg).toContain("现有 1 名成员");
    expect((await remove(id, 1)).code).toBe(0);
    expect(await permissionsOf(person)).toEqual([]);
    expect((await findAudit(testServer, team.tenantId)).at(-1)).toMatchObject({
      before: { name: "区域主管", members: [person.username] },
    });
  });

  it("a copy has the grants and stores, without the members", async () => {
    const storeId = await makeStore(testServer, team.tenantId);
    const id = await made({
      storeScope: "LISTED",
      storeIds: [storeId],
      entryIds: entryIds("/point/index"),
    });
    await saveMembers(id, [team.people[2]]);
    const copy = await testServer.call(roleContract.copy, team.admin, {
      params: { id },
      body: { name: "副本" },
    });
    expect(await get(copy.data.id)).toMatchObject({
      name: "副本",
      storeScope: "LISTED",
      stores: [{ id: storeId }],
      entryIds: entryIds("/point/index"),
      members: 0,
    });
  });
});

describe("limits of the granter", () => {
  let lesserRole: number;
  let lesser: Person;
  beforeEach(async () => {
    lesserRole = await made({
      name: "小组长",
      entryIds: entryIds("/set/role", "/set/role:write", "/point/index"),
    });
    lesser = await withRoles(lesserRole);
  });

  it("cannot add or remove grants beyond their own, in a new role or an existing one", async () => {
    expect((await create({ entryIds: entryIds("/point/index") }, lesser)).errMsg).toBe("");
    const above = { name: "二", entryIds: entryIds("/cupboard/index:open") };
    expect((await create(above, lesser)).errMsg).toContain("您自己没有“设备列表 / 远程开门”");
    const own = await get(lesserRole);
    const more = { entryIds: [...own.entryIds, ...entryIds("/point/index:write")] };
    expect((await update(lesserRole, more, lesser)).errMsg).toContain("您自己没有");
    const great = await made({ name: "大", entryIds: entryIds("/cupboard/index:open") });
    expect((await update(great, { entryIds: [] }, lesser)).errMsg).toContain("您自己没有");
    expect((await update(great, { remark: "只改备注" }, lesser)).errMsg).toBe("");
    expect(await permissionsOf(lesser)).not.toContain("command:open");
  });

  it("cannot bind, copy or delete a role beyond their own scope", async () => {
    const great = await made({ name: "大", entryIds: entryIds("/cupboard/index:open") });
    const copying = testServer.call(roleContract.copy, lesser, {
      params: { id: great },
      body: { name: "副本" },
    });
    for (const reply of [
      await saveMembers(great, [lesser], [], lesser),
      await copying,
      await remove(great, 0, lesser),
    ]) {
      expect(reply.errMsg).toContain("角色“大”的权限或门店范围超出您自己的");
    }
    const { entryIds: offered } = (await testServer.call(roleContract.grantable, lesser)).data;
    expect(offered).toEqual(expect.arrayContaining(entryIds("/point/index", "/set/role")));
    expect(offered).not.toContain(entryIds("/cupboard/index:open")[0]);
  });

  it("cannot change roles of an account with a wider scope", async () => {
    const role = await made({ name: "门店", entryIds: entryIds("/point/index") });
    const reply = await saveMembers(role, [team.admin], [], lesser);
    expect(reply.errMsg).toContain(`账号“${team.admin.username}”的权限或门店范围超出您自己的`);
    const offered = (
      await testServer.call(roleContract.candidates, lesser, { params: { id: role } })
    ).data;
    const scope = new Map(offered.map(({ id, isWithinReach }) => [id, isWithinReach]));
    expect(scope.get(team.admin.operatorId)).toBe(false);
    expect(scope.get(lesser.operatorId)).toBe(true);
    expect(scope.has(team.people[0].operatorId)).toBe(false);
    expect((await saveMembers(role, [team.admin])).errMsg).toBe("");
    const words = `账号“${team.admin.username}”的权限或门店范围超出您自己的`;
    expect((await saveMembers(role, [], [team.admin], lesser)).errMsg).toContain(words);
    expect((await remove(role, 1, lesser)).errMsg).toContain(words);
    expect((await remove(role, 1)).errMsg).toBe("");
  });

  it("cannot remove role management from themselves", async () => {
    const words = "会让您自己失去角色管理权限";
    const without = { entryIds: entryIds("/set/role", "/point/index") };
    expect((await update(lesserRole, without, lesser)).errMsg).toContain(words);
    expect((await saveMembers(lesserRole, [], [lesser], lesser)).errMsg).toContain(words);
    expect((await remove(lesserRole, 1, lesser)).errMsg).toContain(words);
    expect((await get(lesserRole)).members).toBe(1);
  });

  it("property: the permissions of all accounts stay within the granter's", async () => {
    const uris = ["/set/role", "/point/index", "/point/index:write", "/cupboard/index:open"];
    const before = new Set(await permissionsOf(lesser));
    await fc.assert(
      fc.asyncProperty(fc.subarray(uris), fc.boolean(), async (some, isOwn) => {
        const name = crypto.randomUUID().slice(0, 20);
        if (isOwn) await update(lesserRole, { entryIds: entryIds(...some) }, lesser);
        else {
          const reply = await create({ name, entryIds: entryIds(...some) }, lesser);
          if (reply.code === 0) await saveMembers(reply.data.id, [lesser], [], lesser);
        }
        for (const word of await permissionsOf(lesser)) expect(before).toContain(word);
      }),
      { numRuns: 12 },
    );
  });
});

it("role list: filters by each field and sorts", async () => {
  const id = await made({ name: "甲", remark: "夜班", storeScope: "OWN" });
  await saveMembers(id, [team.people[2], team.people[1]]);
  const names = async (query: object) => (await list(query)).map(({ name }) => name);
  expect(await names({ keyword: "夜" })).toEqual(["甲"]);
  expect(await names({ keyword: "%" })).toEqual([]);
  expect(await names({ storeScope: "ALL" })).toEqual(["运营管理员"]);
  expect(
    await names({ operatorId: team.people[2].operatorId, sort: "members", order: "desc" }),
  ).toEqual(["甲", "运维人员"]);
  const mine = await list({ tenantId: team.tenantId }, team.platform);
  expect(mine).toHaveLength(3);
  expect(mine.every(({ tenantName }) => tenantName === `租户 ${team.tenantId}`)).toBe(true);
});

it("renamed default roles still receive new menu entries", async () => {
  const id = await roleNamed("运营管理员");
  expect((await update(id, { name: "店长们" })).errMsg).toBe("");
  const again = await testServer.database.transaction("platform", (db) =>
    ensureDefaultRoles(db, team.tenantId),
  );
  expect(again[1]).toBe(id);
  const uri = "/point/index:write";
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`delete from menu_entry where uri = ${uri}`);
    await db.run(sql`
      update installation set value = (
        select jsonb_agg(seen) from jsonb_array_elements_text(value) seen where seen not like ${`${uri}%`})
      where key = 'menu.seeded'`);
    await seedMenu(db);
  });
  const { tree } = (await testServer.call(roleContract.grantable, team.admin)).data;
  const added = flat(tree).find((entry) => entry.uri === uri)?.id;
  expect((await get(id)).entryIds).toContain(added);
});
