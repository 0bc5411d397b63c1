// Menu: the entries granted to each userType, and maintenance of the tree.
import {
  accessContract,
  type MenuEntry,
} from "@cabinet/contract/identity/access/access.contract.ts";
import { beforeAll, expect, test } from "vitest";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { seedMenu } from "./index.ts";

const testServer = useTestServer();
let platform: Person;
beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});

const flat = (entries: MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)]);
const tree = async () => flat((await testServer.call(accessContract.menuTree, platform)).data);

function draft(uri: string, more: object = {}) {
  return {
    parentId: null,
    title: uri,
    uri,
    icon: "",
    kind: "MENU",
    permissions: [],
    sort: 1,
    ...more,
  };
}

test("§6 menu: userType 0 gets all but the platform's entries, others those of their roles with ancestors", async () => {
  const { people } = await testServer.makeTenant();
  const [all, operator, maintenance] = await Promise.all(
    [people[0], people[1], people[2]].map(async (person) =>
      flat((await testServer.call(accessContract.menu, person)).data).map((entry) => entry.uri),
    ),
  );
  const isMainTenants = (uri: string) => /^\/(register|set\/power)/.test(uri);
  const uris = (await tree()).map((entry) => entry.uri);
  expect(all).toEqual(uris.filter((uri) => !isMainTenants(uri)));
  const main = flat((await testServer.call(accessContract.menu, platform)).data);
  expect(main.map((entry) => entry.uri)).toEqual(uris);
  expect(operator).toContain("/cupboard/index");
  expect(operator?.filter((uri) => uri.startsWith("/register"))).toEqual([]);
  expect(maintenance).toContain("/malfunction/index");
  expect(maintenance).not.toContain("/smsManage/index");
});

test("menu entry: can be created, edited and deleted; invalid input is refused with a clear text", async () => {
  const { createMenuEntry, updateMenuEntry, deleteMenuEntry } = accessContract;
  const create = (body: object) => testServer.call(createMenuEntry, platform, { body });
  const find = async (uri: string) =>
    (await tree()).find((entry) => entry.uri === uri) as MenuEntry;
  const page = await find("/faq/index");
  expect(
    (await create(draft("/faq/index:tools", { kind: "BUTTON", parentId: page.id }))).code,
  ).toBe(0);
  const child = await find("/faq/index:tools");

  expect((await create(draft("/faq/index"))).errMsg).toContain("已被“问题列表”使用");
  const orphan = draft("/faq/index:x", { kind: "BUTTON", parentId: 999_999 });
  expect((await create(orphan)).errMsg).toContain("上级菜单不存在");
  const under = await testServer.call(updateMenuEntry, platform, {
    params: { id: page.id },
    body: draft("/faq/index", { parentId: child.id }),
  });
  expect(under.errMsg).toBe("上级菜单不能是自己或自己的下级");
  const full = await testServer.call(deleteMenuEntry, platform, { params: { id: page.id } });
  expect(full.errMsg).toContain("个子项");

  const renamed = await testServer.call(updateMenuEntry, platform, {
    params: { id: child.id },
    body: draft(child.uri, { kind: "BUTTON", parentId: page.id, title: "新名称" }),
  });
  expect(renamed.code).toBe(0);
  expect((await find(child.uri)).title).toBe("新名称");
  const remove = () => testServer.call(deleteMenuEntry, platform, { params: { id: child.id } });
  expect((await remove()).code).toBe(0);
  expect(await find(child.uri)).toBeUndefined();
  expect((await remove()).errMsg).toContain("菜单不存在");
});

test("menu entry with an external link: saved at the top or in a group, granted like a page", async () => {
  const { createMenuEntry, deleteMenuEntry } = accessContract;
  const create = (body: object) => testServer.call(createMenuEntry, platform, { body });
  const uri = "https://help.example.com/guide?from=console";
  const [group, page] = (await tree()).filter(({ uri }) => /^\/faq(\/index)?$/.test(uri));
  const misplaced = await create(draft(uri, { title: "帮助", parentId: page?.id }));
  expect(misplaced.errMsg).toBe("外部链接不能放在“问题列表”下：请放在顶级或菜单分组下");
  const icon = "data:image/svg+xml,%3Csvg%20xmlns='x'%3E".replaceAll("'", "%27");
  expect((await create(draft(uri, { title: "帮助", parentId: group?.id, icon }))).errMsg).toBe("");
  const link = (await tree()).find((entry) => entry.uri === uri) as MenuEntry;
  expect(link.icon).toBe(icon);
  const { people } = await testServer.makeTenant();
  const has = async (person: Person) =>
    flat((await testServer.call(accessContract.menu, person)).data).some(
      (entry) => entry.uri === uri,
    );
  expect(await has(people[0])).toBe(true);
  expect(await has(people[2])).toBe(false);
  await testServer.call(deleteMenuEntry, platform, { params: { id: link.id } });
});

test("menu entry with an unknown target: refused on saving with a clear text", async () => {
  const create = (body: object) =>
    testServer.call(accessContract.createMenuEntry, platform, { body });
  for (const body of [draft("/nowhere"), draft("/nowhere:open", { kind: "BUTTON" })]) {
    const { code, errMsg } = await create(body);
    expect({ code, errMsg }).toEqual({
      code: 1,
      errMsg: `${body.uri} 没有对应的页面：菜单请填已有页面的路径或 https:// 开头的外部链接，按钮请填“页面路径:按钮名”`,
    });
  }
  const asButton = await create(draft("https://a.example", { kind: "BUTTON" }));
  expect(asButton.errMsg).toContain("没有对应的页面");
  for (const uri of [
    "javascript:alert(1)",
    "//a.example",
    "data:text/html,x",
    "https://u:p@a.example",
  ]) {
    expect((await create(draft(uri))).errMsg, uri).toContain("路径");
  }
  expect((await tree()).some(({ uri }) => /nowhere|example|script/.test(uri))).toBe(false);
});

test("menu seeding: a later start adds nothing twice and restores nothing deleted or renamed", async () => {
  await testServer.database.transaction("platform", async (db) => {
    await db.run(sql`delete from menu_entry where uri = '/faq/index:write'`);
    await db.run(sql`delete from menu_entry where uri = '/faq/index'`);
    await db.run(sql`update menu_entry set title = '改过的标题' where uri = '/faq'`);
    await seedMenu(db);
    await seedMenu(db);
  });
  const after = await tree();
  expect(after.some((entry) => entry.uri === "/faq/index")).toBe(false);
  expect(after.find((entry) => entry.uri === "/faq")?.title).toBe("改过的标题");
});

test("menu seeding: default roles get entries and permissions of a new version; removed ones stay removed", async () => {
  const { people } = await testServer.makeTenant();
  await testServer.database.transaction("platform", async (db) => {
    // The state of an earlier version: without the button, and with fewer permissions.
    await db.run(sql`delete from menu_entry where uri = '/cupboard/index:open'`);
    await db.run(sql`
      update menu_entry set permissions = '{cabinet:read}' where uri = '/cupboard/index'`);
    const key = sql`key = 'menu.seeded'`;
    await db.run(sql`
      update installation set value = value - '/cupboard/index:open' - '/cupboard/index store:read'
      where ${key}`);
    await seedMenu(db);
  });
  const entries = flat((await testServer.call(accessContract.menu, people[1])).data);
  expect(entries.some((entry) => entry.uri === "/cupboard/index:open")).toBe(true);
  const list = entries.find((entry) => entry.uri === "/cupboard/index");
  expect(list?.permissions).toEqual(["cabinet:read", "store:read"]);
});

test("stored permissions: follow every change of roles and grants at once", async () => {
  const { id, people } = await testServer.makeTenant();
  const { operatorId } = people[1];
  const kept = () =>
    testServer.database.read("platform", async (db) => {
      const row = await db.one<{ kept: string[]; due: string[] }>(sql`
        select permissions as kept, permissions_of(tenant_id, id) as due
        from operator where tenant_id = ${id} and id = ${operatorId}`);
      expect(row.kept).toEqual(row.due);
      return row.kept;
    });
  const change = (scope: "own" | "platform", statement: ReturnType<typeof sql>) =>
    testServer.database.transaction(scope === "own" ? { tenantId: id } : "platform", (db) =>
      db.run(statement),
    );
  const word = "spare:read";
  expect(await kept()).not.toContain(word);
  await change(
    "platform",
    sql`insert into menu_entry (kind, uri, title, permissions)
      values ('BUTTON', '/spare', '备用', ${[word]})`,
  );
  const entry = sql`(select id from menu_entry where uri = '/spare')`;
  const role = sql`(select role_id from operator_role where operator_id = ${operatorId})`;
  await change("own", sql`insert into role_menu_entry values (${id}, ${role}, ${entry})`);
  expect(await kept()).toContain(word);
  await change(
    "platform",
    sql`update menu_entry set permissions = '{spare:write}' where uri = '/spare'`,
  );
  expect(await kept()).toContain("spare:write");
  await change("platform", sql`delete from menu_entry where uri = '/spare'`);
  expect(await kept()).not.toContain("spare:write");
  await change("own", sql`delete from operator_role where operator_id = ${operatorId}`);
  expect(await kept()).toEqual([]);
});

test("removing a grant while an account gets the role: the account does not keep the permission", async () => {
  const { id, people } = await testServer.makeTenant();
  const { operatorId } = people[2];
  const role = await testServer.database.transaction({ tenantId: id }, async (db) => {
    const { role: made } = await db.one<{ role: number }>(sql`
      insert into role (tenant_id, name) values (${id}, '临时') returning id as role`);
    await db.run(sql`
      insert into role_menu_entry
      select ${id}, ${made}, id from menu_entry where uri = '/cupboard/index:write'`);
    return made;
  });
  await testServer.database
    .transaction({ tenantId: id }, async (db) => {
      await db.run(sql`delete from role_menu_entry where role_id = ${role}`);
      const given = testServer.database.transaction({ tenantId: id }, (other) =>
        other.run(sql`insert into operator_role values (${id}, ${operatorId}, ${role})`),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { given };
    })
    .then(({ given }) => given);
  const { kept, due } = await testServer.database.read("platform", (db) =>
    db.one<{ kept: string[]; due: string[] }>(sql`
      select permissions as kept, permissions_of(tenant_id, id) as due
      from operator where tenant_id = ${id} and id = ${operatorId}`),
  );
  expect(kept).toEqual(due);
  expect(kept).not.toContain("cabinet:write");
});
