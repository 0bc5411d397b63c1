// Roles over HTTP on a real PostgreSQL: what they grant, to whom, and that nobody grants more than they have.
import { accessContract, type MenuEntry } from "@cabinet/contract/access/access.contract.ts";
import { roleContract } from "@cabinet/contract/access/role.contract.ts";
import { advertContract } from "@cabinet/contract/advert/advert.contract.ts";
import type { UserType } from "@cabinet/contract/auth/auth.contract.ts";
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { pricingContract } from "@cabinet/contract/pricing/pricing.contract.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { advertDraft, makePicture } from "../../../../../tests/support/adverts.ts";
import { findAudit, makeCabinet, makeStore } from "../../../../../tests/support/cabinets.ts";
import { type Person, useHouse } from "../../../../../tests/support/house.ts";
import { makePerson } from "../../../../../tests/support/people.ts";
import { sql } from "../../platform/db.ts";
import { ensureDefaultRoles, seedMenu } from "./index.ts";

const house = useHouse();
let platform: Person;
let tenantId: number;
let people: Record<UserType, Person>;
let admin: Person;
let ids: Map<string, number>;

const flat = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)]);

beforeAll(async () => {
  platform = (await house.makeTenant(1)).people[0];
  const tree = await house.call(accessContract.menuTree, platform);
  ids = new Map(flat(tree.data).map(({ uri, id }) => [uri, id]));
});
beforeEach(async () => {
  ({ id: tenantId, people } = await house.makeTenant());
  admin = people[1];
});

const entryIds = (...uris: string[]) => uris.map((uri) => ids.get(uri) ?? 0);
const draft = { name: "区域主管", remark: "", storeScope: "ALL", storeIds: [], entryIds: [] };
const create = (more: object = {}, as = admin) =>
  house.call(roleContract.create, as, { body: { ...draft, ...more } });
const get = async (id: number, as = admin) =>
  (await house.call(roleContract.get, as, { params: { id } })).data;
const update = async (id: number, more: object = {}, as = admin) => {
  const { name, remark, storeScope, stores, entryIds: had, editVersion } = await get(id, platform);
  const storeIds = stores.map((store) => store.id);
  const body = { name, remark, storeScope, storeIds, entryIds: had, editVersion, ...more };
  return house.call(roleContract.update, as, { params: { id }, body });
};
const remove = (id: number, members: number, as = admin) =>
  house.call(roleContract.delete, as, { params: { id }, query: { members } });
const saveMembers = (id: number, added: Person[], removed: Person[] = [], as = admin) =>
  house.call(roleContract.saveMembers, as, {
    params: { id },
    body: {
      addedOperatorIds: added.map(({ operatorId }) => operatorId),
      removedOperatorIds: removed.map(({ operatorId }) => operatorId),
    },
  });
const list = async (query: object = {}, as = admin) =>
  (await house.call(roleContract.list, as, { query })).data.list;

async function made(more: object = {}, as = admin): Promise<number> {
  const reply = await create(more, as);
  expect(reply.errMsg).toBe("");
  return reply.data.id;
}

/** Somebody new of the tenant, whose roles are these and no other. */
const withRoles = (...roleIds: number[]) => makePerson(house, tenantId, { roleIds });

const permissionsOf = async (person: Person) =>
  flat((await house.call(accessContract.menu, person)).data).flatMap((entry) => entry.permissions);
const roleNamed = async (name: string) =>
  (await list({ keyword: name })).find((role) => role.name === name)?.id ?? 0;

describe("making a role", () => {
  it("keeps what was given, counts what it grants, and writes down who did it", async () => {
    const storeId = await makeStore(house, tenantId);
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
      tenantId,
      storeScope: "LISTED",
      stores: [{ id: storeId }],
      pages: 1,
      buttons: 1,
      members: 0,
      people: [],
      defaultFor: null,
      isWithinReach: true,
      editedBy: admin.username,
      editVersion: 1,
    });
    expect((await findAudit(house, tenantId)).at(-1)).toMatchObject({
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
  ])("refuses %j and says what to do", async (wrong, words) => {
    const before = await list();
    const reply = await create(wrong);
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    expect(await list()).toEqual(before);
  });

  it("gives a name to one of those who ask for it at once", async () => {
    const replies = await Promise.all([create(), create(), create()]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  });

  it("belongs to the tenant that platform staff name, and to nobody else's", async () => {
    const other = await house.makeTenant();
    const id = await made({ tenantId: other.id }, platform);
    expect((await list({}, other.people[1])).map((role) => role.id)).toContain(id);
    expect((await create({ tenantId: other.id })).errMsg).toContain("租户不存在");
    const [reading, writing] = await Promise.all([
      house.call(roleContract.get, admin, { params: { id } }),
      house.call(roleContract.delete, admin, { params: { id }, query: { members: 0 } }),
    ]);
    expect([reading.errMsg, writing.errMsg]).toEqual(
      Array(2).fill("角色不存在，或不在您的管理范围内"),
    );
    const foreignStore = await makeStore(house, other.id);
    const foreign = { storeScope: "LISTED", storeIds: [foreignStore], name: "外" };
    expect((await create(foreign)).errMsg).toContain("门店不存在");
  });
});

describe("a change", () => {
  it("counts with the member's next request, and the menu follows", async () => {
    const id = await made({ entryIds: entryIds("/point/index") });
    const person = await withRoles();
    const stores = () => house.call(storeContract.list, person, { query: {} });
    expect((await stores()).status).toBe(403);
    expect((await saveMembers(id, [person])).data).toEqual({ added: 1, removed: 0 });
    expect((await stores()).status).toBe(200);
    expect(await permissionsOf(person)).toEqual(["store:read"]);
    expect((await update(id, { entryIds: entryIds("/cupboard/index") })).errMsg).toBe("");
    expect(await permissionsOf(person)).toContain("cabinet:read");
    expect((await update(id, { entryIds: [] })).errMsg).toBe("");
    expect((await stores()).status).toBe(403);
    expect((await saveMembers(id, [], [person])).data).toEqual({ added: 0, removed: 1 });
    expect((await findAudit(house, tenantId)).at(-1)).toMatchObject({
      target: "角色 区域主管",
      before: { removedOperatorIds: [person.username] },
      after: { addedOperatorIds: [] },
    });
  });

  it("is told to the consoles of the tenant", async () => {
    const id = await made();
    const told: unknown[] = [];
    const stop = house.listener.on("live", (event) => told.push(event));
    await update(id, { entryIds: entryIds("/point/index") });
    await expect.poll(() => told).toContainEqual({ tenantId, topic: "access", cabinetId: null });
    stop();
  });

  it("is refused to whoever opened the role before somebody else changed it", async () => {
    const id = await made();
    expect((await update(id, { remark: "新" })).errMsg).toBe("");
    expect((await update(id, { editVersion: 1 })).errMsg).toContain(`${admin.username}已在您打开`);
  });

  it("keeps for later what the tenant does not have now", async () => {
    const [cards, stores] = ["/cupboardRun/pay/payList", "/point/index"];
    const id = await made({ entryIds: entryIds(cards, stores) });
    const person = await withRoles(id);
    const withhold = (statement: ReturnType<typeof sql>) =>
      house.database.transaction("platform", (db) => db.run(statement));
    await withhold(
      sql`insert into tenant_withheld_entry values (${tenantId}, ${entryIds(cards)[0]})`,
    );
    expect((await get(id)).entryIds).toEqual(entryIds(stores));
    expect(await permissionsOf(person)).toEqual(["store:read"]);
    expect((await create({ name: "二", entryIds: entryIds(cards) })).errMsg).toContain(
      "菜单不存在",
    );
    expect((await update(id, { remark: "仍在" })).errMsg).toBe("");
    await withhold(sql`delete from tenant_withheld_entry where tenant_id = ${tenantId}`);
    expect((await get(id)).entryIds.sort()).toEqual(entryIds(cards, stores).sort());
    expect(await permissionsOf(person)).toContain("package:read");
  });

  it("lets no other tenant's grants appear by /register or /set/power", async () => {
    for (const uri of ["/register/index", "/set/power"]) {
      expect((await create({ entryIds: entryIds(uri) }, people[0])).errMsg).toContain("菜单不存在");
    }
    const { tree } = (await house.call(roleContract.grantable, admin)).data;
    const uris = flat(tree).map(({ uri }) => uri);
    expect(uris.filter((uri) => /^\/(register|set\/power|settings)/.test(uri))).toEqual([]);
  });
});

describe("deleting a role", () => {
  it("takes its members' grants, when their number is what was seen", async () => {
    const id = await made({ entryIds: entryIds("/point/index") });
    const person = await withRoles(id);
    expect((await remove(id, 0)).errMsg).toContain("现有 1 名成员");
    expect((await remove(id, 1)).code).toBe(0);
    expect(await permissionsOf(person)).toEqual([]);
    expect((await findAudit(house, tenantId)).at(-1)).toMatchObject({
      before: { name: "区域主管", members: [person.username] },
    });
  });

  it("copies one with its grants and stores, without its members", async () => {
    const storeId = await makeStore(house, tenantId);
    const id = await made({
      storeScope: "LISTED",
      storeIds: [storeId],
      entryIds: entryIds("/point/index"),
    });
    await saveMembers(id, [people[2]]);
    const copy = await house.call(roleContract.copy, admin, {
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

describe("nobody grants more than they have", () => {
  let lesserRole: number;
  let lesser: Person;
  beforeEach(async () => {
    lesserRole = await made({
      name: "小组长",
      entryIds: entryIds("/set/role", "/set/role:write", "/point/index"),
    });
    lesser = await withRoles(lesserRole);
  });

  it("neither to a role of theirs, nor to a new one, nor by taking away", async () => {
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

  it("neither by binding, copying nor deleting a role that may do more", async () => {
    const great = await made({ name: "大", entryIds: entryIds("/cupboard/index:open") });
    const copying = house.call(roleContract.copy, lesser, {
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
    const { entryIds: offered } = (await house.call(roleContract.grantable, lesser)).data;
    expect(offered).toEqual(expect.arrayContaining(entryIds("/point/index", "/set/role")));
    expect(offered).not.toContain(entryIds("/cupboard/index:open")[0]);
  });

  it("nor touches who may do more", async () => {
    const role = await made({ name: "门店", entryIds: entryIds("/point/index") });
    const reply = await saveMembers(role, [admin], [], lesser);
    expect(reply.errMsg).toContain(`账号“${admin.username}”的权限或门店范围超出您自己的`);
    const offered = (await house.call(roleContract.candidates, lesser, { params: { id: role } }))
      .data;
    const reach = new Map(offered.map(({ id, isWithinReach }) => [id, isWithinReach]));
    expect(reach.get(admin.operatorId)).toBe(false);
    expect(reach.get(lesser.operatorId)).toBe(true);
    expect(reach.has(people[0].operatorId)).toBe(false);
    expect((await saveMembers(role, [admin])).errMsg).toBe("");
    const words = `账号“${admin.username}”的权限或门店范围超出您自己的`;
    expect((await saveMembers(role, [], [admin], lesser)).errMsg).toContain(words);
    expect((await remove(role, 1, lesser)).errMsg).toContain(words);
    expect((await remove(role, 1)).errMsg).toBe("");
  });

  it("nor takes role management from themselves", async () => {
    const words = "会让您自己失去角色管理权限";
    const without = { entryIds: entryIds("/set/role", "/point/index") };
    expect((await update(lesserRole, without, lesser)).errMsg).toContain(words);
    expect((await saveMembers(lesserRole, [], [lesser], lesser)).errMsg).toContain(words);
    expect((await remove(lesserRole, 1, lesser)).errMsg).toContain(words);
    expect((await get(lesserRole)).members).toBe(1);
  });

  it("whatever is asked for: the words of all accounts stay within the granter's", async () => {
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

describe("stores of a role", () => {
  it("are all that its members see, beside those they look after", async () => {
    const [listed, own, other] = await Promise.all([1, 2, 3].map(() => makeStore(house, tenantId)));
    const entries = entryIds("/point/index", "/cupboard/index");
    const byList = await made({
      storeScope: "LISTED",
      storeIds: [listed],
      entryIds: entries,
    });
    const person = await withRoles(byList);
    await house.database.transaction("platform", (db) =>
      db.run(sql`insert into operator_store values (${tenantId}, ${person.operatorId}, ${own})`),
    );
    for (const storeId of [listed, own, other]) await makeCabinet(house, { tenantId, storeId });
    const seen = async () => {
      const query = { pageSize: 100 };
      const stores = await house.call(storeContract.list, person, { query });
      const cabinets = await house.call(cabinetContract.list, person, { query });
      const storeIds = stores.data.list.map(({ id }) => id).sort();
      expect(cabinets.data.list.map(({ storeId }) => storeId).sort()).toEqual(storeIds);
      return storeIds;
    };
    expect(await seen()).toEqual([listed, own].sort());
    expect((await update(byList, { storeScope: "OWN", storeIds: [] })).errMsg).toBe("");
    expect(await seen()).toEqual([own]);
    expect((await update(byList, { storeScope: "ALL" })).errMsg).toBe("");
    expect(await seen()).toEqual([listed, own, other].sort());
  });

  it("are granted only by who sees them", async () => {
    const [seen, unseen] = await Promise.all([1, 2].map(() => makeStore(house, tenantId)));
    const entries = entryIds("/set/role", "/set/role:write", "/point/index");
    const bound = await made({ storeScope: "LISTED", storeIds: [seen], entryIds: entries });
    const person = await withRoles(bound);
    const hidden = await made({ name: "别处", storeScope: "LISTED", storeIds: [unseen] });
    const everywhere = await made({ name: "各处", storeScope: "ALL", entryIds: entries });

    const names = (await list({}, person)).map(({ name }) => name);
    expect(names).toContain("各处");
    expect(names).not.toContain("别处");
    expect((await update(hidden, { remark: "x" }, person)).errMsg).toContain("角色不存在");
    expect((await create({ name: "二" }, person)).errMsg).toContain("所选门店范围超出");
    const listed = { name: "三", storeScope: "LISTED" };
    expect((await create({ ...listed, storeIds: [unseen] }, person)).errMsg).toContain(
      "超出您自己",
    );
    expect((await create({ ...listed, storeIds: [seen] }, person)).errMsg).toBe("");
    expect((await update(bound, { storeScope: "ALL" }, person)).errMsg).toContain("超出您自己");
    expect((await saveMembers(everywhere, [person], [], person)).errMsg).toContain("超出您自己的");
    const widened = { entryIds: entryIds("/set/role") };
    expect((await update(everywhere, widened, person)).errMsg).toContain("超出您自己");
  });

  it("do not let who sees one store change roles of people at others", async () => {
    const [seen, unseen] = await Promise.all([1, 2].map(() => makeStore(house, tenantId)));
    const entries = entryIds("/set/role", "/set/role:write", "/point/index");
    const lead = await made({ storeScope: "LISTED", storeIds: [seen], entryIds: entries });
    const own = await made({ name: "各管各的", storeScope: "OWN" });
    const [person, elsewhere] = [await withRoles(lead), await withRoles(own)];
    await house.database.transaction("platform", (db) =>
      db.run(
        sql`insert into operator_store values (${tenantId}, ${elsewhere.operatorId}, ${unseen})`,
      ),
    );
    const reply = await update(own, { entryIds: entryIds("/point/index") }, person);
    expect(reply.errMsg).toContain(`账号“${elsewhere.username}”`);
    expect((await saveMembers(own, [], [elsewhere], person)).errMsg).toContain("超出您自己的");
  });
});

it("lists by each of its filters, and sorts", async () => {
  const id = await made({ name: "甲", remark: "夜班", storeScope: "OWN" });
  await saveMembers(id, [people[2], people[1]]);
  const names = async (query: object) => (await list(query)).map(({ name }) => name);
  expect(await names({ keyword: "夜" })).toEqual(["甲"]);
  expect(await names({ keyword: "%" })).toEqual([]);
  expect(await names({ storeScope: "ALL" })).toEqual(["运营管理员"]);
  expect(await names({ operatorId: people[2].operatorId, sort: "members", order: "desc" })).toEqual(
    ["甲", "运维人员"],
  );
  const mine = await list({ tenantId }, platform);
  expect(mine).toHaveLength(3);
  expect(mine.every(({ tenantName }) => tenantName === `租户 ${tenantId}`)).toBe(true);
});

it("keeps the default roles under other names: new entries still come to them", async () => {
  const id = await roleNamed("运营管理员");
  expect((await update(id, { name: "店长们" })).errMsg).toBe("");
  const again = await house.database.transaction("platform", (db) =>
    ensureDefaultRoles(db, tenantId),
  );
  expect(again[1]).toBe(id);
  const uri = "/point/index:write";
  await house.database.transaction("platform", async (db) => {
    await db.run(sql`delete from menu_entry where uri = ${uri}`);
    await db.run(sql`
      update installation set value = (
        select jsonb_agg(seen) from jsonb_array_elements_text(value) seen where seen not like ${`${uri}%`})
      where key = 'menu.seeded'`);
    await seedMenu(db);
  });
  const { tree } = (await house.call(roleContract.grantable, admin)).data;
  const added = flat(tree).find((entry) => entry.uri === uri)?.id;
  expect((await get(id)).entryIds).toContain(added);
});

describe("who sees some stores", () => {
  it("sees and changes what is shown at theirs alone: adverts and prices", async () => {
    const [seen, unseen] = await Promise.all([1, 2].map(() => makeStore(house, tenantId)));
    const entries = entryIds(
      "/cupboard/index",
      "/cupboard/index:advert",
      "/cupboard/index:advertWrite",
      "/cupboard/index:pricing",
    );
    const bound = await made({ storeScope: "LISTED", storeIds: [seen], entryIds: entries });
    const person = await withRoles(bound);
    const fileId = () =>
      house.database.transaction("platform", (db) => makePicture(house, db, tenantId, "ADVERT"));
    const advert = async (more: object, as: Person) => {
      const body = { ...advertDraft, fileId: await fileId(), ...more };
      return house.call(advertContract.create, as, { body });
    };
    const atStore = { targetKind: "STORE" as const };
    await advert({ title: "别店", ...atStore, targetIds: [unseen] }, admin);
    await advert({ title: "各店", ...atStore, targetIds: [seen, unseen] }, admin);
    await advert({ title: "全部" }, admin);
    expect((await advert({ title: "本店", ...atStore, targetIds: [seen] }, person)).errMsg).toBe(
      "",
    );
    expect((await advert({}, person)).errMsg).toContain("您只管理部分门店");
    const foreign = await advert({ ...atStore, targetIds: [seen, unseen] }, person);
    expect(foreign.errMsg).toContain("所选的投放对象不存在");

    const { list: shown } = (
      await house.call(advertContract.list, person, { query: { pageSize: 100 } })
    ).data;
    expect(shown.map(({ title }) => title).sort()).toEqual(["全部", "各店", "本店"].sort());
    expect(shown.find(({ title }) => title === "各店")?.targets.map(({ id }) => id)).toEqual([
      seen,
    ]);
    const idOf = (title: string) => shown.find((row) => row.title === title)?.id ?? 0;
    const putOn = (title: string) =>
      house.call(advertContract.putOn, person, { params: { id: idOf(title) } });
    for (const title of ["全部", "各店"]) {
      expect((await putOn(title)).errMsg).toContain(`广告“${title}”对所有门店生效`);
    }
    expect((await putOn("本店")).errMsg).toBe("");

    const rule = {
      freeMinutes: 30,
      perUseFen: 0,
      stepMinutes: 60,
      stepFen: 100,
      capFen: null,
      overdueAfterMinutes: 1440,
    };
    const price = (place: object) =>
      house.call(pricingContract.save, person, { body: { ...place, version: 0, rule } });
    expect((await price({})).errMsg).toContain("租户的计费规则对所有门店生效");
    expect((await price({ storeId: unseen })).errMsg).toContain("门店不存在");
    expect((await price({ storeId: seen })).errMsg).toBe("");
  });
});
