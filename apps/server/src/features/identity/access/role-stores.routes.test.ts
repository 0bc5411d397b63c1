// Stores of roles: the visibility they give to members, and limits on granting them.
import { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { describe, expect, it } from "vitest";
import { advertDraft, makePicture } from "../../../../../../tests/support/adverts.ts";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { useRoles } from "../../../../../../tests/support/roles.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const team = useRoles(testServer);
const { create, entryIds, list, made, saveMembers, update, withRoles } = team;

describe("stores of a role", () => {
  it("members see these and the stores they look after, no others", async () => {
    const [listed, own, other] = await Promise.all(
      [1, 2, 3].map(() => makeStore(testServer, team.tenantId)),
    );
    const entries = entryIds("/point/index", "/cupboard/index");
    const byList = await made({
      storeScope: "LISTED",
      storeIds: [listed],
      entryIds: entries,
    });
    const person = await withRoles(byList);
    await testServer.database.transaction("platform", (db) =>
      db.run(
        sql`insert into operator_store values (${team.tenantId}, ${person.operatorId}, ${own})`,
      ),
    );
    for (const storeId of [listed, own, other])
      await makeCabinet(testServer, { tenantId: team.tenantId, storeId });
    const seen = async () => {
      const query = { pageSize: 100 };
      const stores = await testServer.call(storeContract.list, person, { query });
      const cabinets = await testServer.call(cabinetContract.list, person, { query });
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

  it("only an account that sees a store can grant it", async () => {
    const [seen, unseen] = await Promise.all(
      [1, 2].map(() => makeStore(testServer, team.tenantId)),
    );
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

  it("a store-bound account cannot change roles of people at other stores", async () => {
    const [seen, unseen] = await Promise.all(
      [1, 2].map(() => makeStore(testServer, team.tenantId)),
    );
    const entries = entryIds("/set/role", "/set/role:write", "/point/index");
    const lead = await made({ storeScope: "LISTED", storeIds: [seen], entryIds: entries });
    const own = await made({ name: "各管各的", storeScope: "OWN" });
    const [person, elsewhere] = [await withRoles(lead), await withRoles(own)];
    await testServer.database.transaction("platform", (db) =>
      db.run(
        sql`insert into operator_store values (${team.tenantId}, ${elsewhere.operatorId}, ${unseen})`,
      ),
    );
    const reply = await update(own, { entryIds: entryIds("/point/index") }, person);
    expect(reply.errMsg).toContain(`账号“${elsewhere.username}”`);
    expect((await saveMembers(own, [], [elsewhere], person)).errMsg).toContain("超出您自己的");
  });
});

describe("store-bound account", () => {
  it("sees and changes adverts and prices of its own stores only", async () => {
    const [seen, unseen] = await Promise.all(
      [1, 2].map(() => makeStore(testServer, team.tenantId)),
    );
    const entries = entryIds(
      "/cupboard/index",
      "/cupboard/index:advert",
      "/cupboard/index:advertWrite",
      "/cupboard/index:pricing",
    );
    const bound = await made({ storeScope: "LISTED", storeIds: [seen], entryIds: entries });
    const person = await withRoles(bound);
    const fileId = () =>
      testServer.database.transaction("platform", (db) =>
        makePicture(testServer, db, team.tenantId, "ADVERT"),
      );
    const advert = async (more: object, as: Person) => {
      const body = { ...advertDraft, fileId: await fileId(), ...more };
      return testServer.call(advertContract.create, as, { body });
    };
    const atStore = { targetKind: "STORE" as const };
    await advert({ title: "别店", ...atStore, targetIds: [unseen] }, team.admin);
    await advert({ title: "各店", ...atStore, targetIds: [seen, unseen] }, team.admin);
    await advert({ title: "全部" }, team.admin);
    expect((await advert({ title: "本店", ...atStore, targetIds: [seen] }, person)).errMsg).toBe(
      "",
    );
    expect((await advert({}, person)).errMsg).toContain("您只管理部分门店");
    const foreign = await advert({ ...atStore, targetIds: [seen, unseen] }, person);
    expect(foreign.errMsg).toContain("所选的投放对象不存在");

    const { list: shown } = (
      await testServer.call(advertContract.list, person, { query: { pageSize: 100 } })
    ).data;
    expect(shown.map(({ title }) => title).sort()).toEqual(["全部", "各店", "本店"].sort());
    expect(shown.find(({ title }) => title === "各店")?.targets.map(({ id }) => id)).toEqual([
      seen,
    ]);
    const idOf = (title: string) => shown.find((row) => row.title === title)?.id ?? 0;
    const putOn = (title: string) =>
      testServer.call(advertContract.putOn, person, { params: { id: idOf(title) } });
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
      testServer.call(pricingContract.save, person, { body: { ...place, version: 0, rule } });
    expect((await price({})).errMsg).toContain("租户的计费规则对所有门店生效");
    expect((await price({ storeId: unseen })).errMsg).toContain("门店不存在");
    expect((await price({ storeId: seen })).errMsg).toBe("");
  });
});
