// Full phone numbers: an account sees as many in 24 hours as its tenant allows, by whatever road.
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { insertEndUser } from "../support/orders.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
const body = { reason: "处理投诉" };

async function makePeople(tenantId: number, count: number): Promise<number[]> {
  return testServer.database.transaction("platform", async (db) => {
    const ids: number[] = [];
    for (let at = 0; at < count; at++) ids.push(await insertEndUser(db, tenantId, ""));
    return ids;
  });
}

async function allow(admin: Person, revealsPerDay: number) {
  const { data } = await testServer.call(tenantSettingContract.setting, admin, { query: {} });
  const { isHint, tellsOverdue, servicePhone, openingHours, smsSign, logoId, mapKey } = data;
  const kept = { isHint, tellsOverdue, servicePhone, openingHours, smsSign, logoId, mapKey };
  const saved = await testServer.call(tenantSettingContract.saveSetting, admin, {
    body: { ...kept, revealsPerDay, editVersion: data.editVersion },
  });
  expect(saved.errMsg).toBe("");
}

const show = (as: Person, id: number) =>
  testServer.call(endUserContract.showPhone, as, { params: { id }, body });

it("one account: refused beyond the tenant's limit, for 24 hours; others are not", async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  const ids = await makePeople(tenantId, 5);
  await allow(people[1], 3);
  const outcomes = await Promise.all(ids.map((id) => show(people[1], id)));
  expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(3);
  const refused = outcomes.find(({ code }) => code === 1);
  expect(refused?.errMsg).toMatch(/已查看 3 次完整手机号或取件码，请 24 小时后再试/);
  expect((await show(people[0], ids[0] as number)).errMsg).toBe("");

  await testServer.database.transaction("platform", (db) =>
    db.run(
      sql`update ask_count set began_at = began_at - interval '24 hours' where key like 'reveal:%'`,
    ),
  );
  expect((await show(people[1], ids[0] as number)).errMsg).toBe("");
});

it("orders count for the same limit, and the audit log has the figure", async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  const [id = 0] = await makePeople(tenantId, 1);
  await allow(people[1], 1);
  expect((await show(people[1], id)).errMsg).toBe("");
  const params = { id: 1 };
  const foreign = await testServer.call(orderContract.showPhones, people[1], { params, body });
  expect(foreign.errMsg).toContain("订单不存在");
  expect((await show(people[1], id)).errMsg).toContain("已查看 1 次");
  const { data } = await testServer.call(auditContract.list, people[1], { query: {} });
  const entry = data.list.find(({ reason }) => reason === body.reason);
  const detail = await testServer.call(auditContract.get, people[1], {
    params: { id: entry?.id ?? 0 },
  });
  expect(detail.data.changes).toContainEqual(
    expect.objectContaining({ label: "24 小时内第几次查看", after: "1" }),
  );
});
