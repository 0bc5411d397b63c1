// 网页版 on the real database: the switch with its audit entry, concurrent edits, and the stickers.
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const { setting, saveSetting, stickers } = webPageContract;

const save = (person: Person, isOn: boolean, editVersion: number) =>
  testServer.call(saveSetting, person, { body: { isOn, editVersion } });

it("the switch: off at first, audited, and refused from an outdated page", async () => {
  const { id, people } = await testServer.makeTenant();
  expect((await testServer.call(setting, people[1])).data).toMatchObject({
    ...{ tenantId: id, isOn: false, editVersion: 0, editedAt: null },
  });
  expect(await save(people[1], true, 0)).toMatchObject({ code: 0 });
  expect(await save(people[0], false, 0)).toMatchObject({ errCode: "EDIT_OUTDATED" });
  expect((await testServer.call(setting, people[0])).data).toMatchObject({
    ...{ isOn: true, editVersion: 1, editedBy: people[1].username },
  });
  const entries = await testServer.database.read("platform", (db) =>
    db.many(sql`
      select target, before, after from audit_log
      where tenant_id = ${id} and call like 'PUT %web-page/setting' order by id`),
  );
  expect(entries).toEqual([
    { target: `网页版 租户 ${id}`, before: { isOn: false }, after: { isOn: true } },
  ]);
});

it("stickers: cabinets in use, by store and name, of the stores that the account sees", async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  const seen = await makeStore(testServer, tenantId, [people[2].operatorId]);
  const unseen = await makeStore(testServer, tenantId);
  const make = (storeId: number, name: string) =>
    makeCabinet(testServer, { tenantId, storeId, cells: [{}], name });
  const [second, first] = [await make(seen, "乙柜"), await make(seen, "丙柜")];
  const other = await make(unseen, "甲柜");
  const retired = await make(seen, "旧柜");
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update cabinet set lifecycle = 'RETIRED' where id = ${retired.id}`),
  );
  const sns = async (person: Person, query: object = {}) => {
    const { data } = await testServer.call(stickers, person, { query });
    expect(data.total).toBe(data.list.length);
    return data.list.map(({ sn }) => sn);
  };
  expect((await sns(people[0])).sort()).toEqual([first.sn, second.sn, other.sn].sort());
  expect(await sns(people[0], { storeId: unseen })).toEqual([other.sn]);
  const stranger = (await testServer.makeTenant()).people[0];
  expect(await sns(stranger)).toEqual([]);
  expect(await sns(stranger, { storeId: seen })).toEqual([]);
});
