// Pricing rules over HTTP on a real PostgreSQL: the nearest rule applies, and no stale edit
// overwrites another.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { nearestRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { sampleRates } from "../../../../../../tests/support/pricing.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let storeId: number;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  storeId = await makeStore(testServer, tenantId);
});

const rule = {
  freeMinutes: 15,
  perUseFen: 0,
  stepMinutes: 60,
  stepFen: 100,
  capFen: 1_000,
  overdueAfterMinutes: 2_880,
};
const save = (body: object, as: Person = people[1]) =>
  testServer.call(pricingContract.save, as, { body: { version: 0, rule, ...body } });
const get = async (query: object = {}, as: Person = people[1]) =>
  (await testServer.call(pricingContract.get, as, { query })).data;
const pricingOf = async (id: number) =>
  (await testServer.call(cabinetContract.get, people[1], { params: { id } })).data.pricing;

describe("pricing rule of a tenant or a store", () => {
  it("applies where no nearer rule exists, and counts its cabinets", async () => {
    const here = await makeCabinet(testServer, { tenantId, storeId });
    const elsewhere = await makeCabinet(testServer, { tenantId });
    await makeCabinet(testServer, { tenantId, lifecycle: "RETIRED" });
    expect(nearestRule({ STORE: (await pricingOf(here.id)).store }).scope).toBe("DEFAULT");
    expect((await save({})).code).toBe(0);
    expect(await get()).toMatchObject({ rule: { ...rule, version: 1 }, cabinets: 2 });
    expect((await save({ storeId, rule: { ...rule, stepFen: 200 } })).code).toBe(0);
    expect(await get()).toMatchObject({ cabinets: 1 });
    expect(await get({ storeId })).toMatchObject({ rule: { stepFen: 200 }, cabinets: 1 });
    const inForce = async (id: number) => {
      const { cabinet, store, tenant } = await pricingOf(id);
      return nearestRule({ CABINET: cabinet, STORE: store, TENANT: tenant });
    };
    expect(await inForce(here.id)).toMatchObject({ scope: "STORE", rule: { stepFen: 200 } });
    expect(await inForce(elsewhere.id)).toMatchObject({ scope: "TENANT", rule: { stepFen: 100 } });
    expect((await findAudit(testServer, tenantId)).map(({ target }) => target)).toEqual([
      `计费规则 租户 租户 ${tenantId}`,
      expect.stringContaining("计费规则 门店"),
    ]);
  });

  it("is changed and deleted only at its current version", async () => {
    await save({});
    expect((await save({})).errMsg).toContain(`${people[1].username}已在您打开页面之后修改过`);
    expect((await save({ version: 1, rule: { ...rule, capFen: null } })).code).toBe(0);
    expect((await save({ version: 1, rule: null })).errMsg).toContain("修改过");
    expect(await get()).toMatchObject({ rule: { capFen: null, version: 2 } });
    expect((await save({ version: 2, rule: null })).code).toBe(0);
    expect(await get()).toMatchObject({ rule: null });
    expect((await save({ version: 2 })).errMsg).toContain("修改过");
  });

  it("has other prices for sizes and hours: those that are not given stay, an empty list clears them", async () => {
    const { overdueAfterMinutes: _, ...fees } = rule;
    const night = { ...fees, size: null, hours: { from: "20:00", to: "08:00" }, stepFen: 50 };
    const large = { ...fees, size: "L", hours: null, capFen: null };
    expect((await save({ rule: { ...rule, rates: [night, large] } })).code).toBe(0);
    expect((await save({ version: 1, rule: { ...rule, stepFen: 200 } })).code).toBe(0);
    expect(await get()).toMatchObject({ rule: { stepFen: 200, rates: [night, large] } });
    const [first] = await findAudit(testServer, tenantId);
    expect(JSON.stringify(first?.after)).toContain("20:00–次日 08:00：前 15 分钟免费");
    expect((await save({ version: 2, rule: { ...rule, rates: [] } })).code).toBe(0);
    expect(await get()).toMatchObject({ rule: { rates: [] } });
  });

  it.each([
    [
      [{ size: "L" }, { size: "L", hours: { from: "20:00", to: "08:00" } }, { size: "L" }],
      "第 1 行（大格）与第 3 行（大格）的规格相同",
    ],
    [[{}], "第 1 行请选择规格或时段"],
    [[{ hours: { from: "8:00", to: "20:00" } }], "开始时间"],
    [Array.from({ length: 13 }, () => ({ size: "L" })), "按规格、时段的价格"],
  ])("is refused with rates like %j", async (rows, text) => {
    const { overdueAfterMinutes: _, ...fees } = rule;
    const rates = rows.map((row) => ({ ...fees, size: null, hours: null, ...row }));
    expect((await save({ rule: { ...rule, rates } })).errMsg).toContain(text);
    expect(await get()).toMatchObject({ rule: null });
  });

  it.each([
    "{}",
    JSON.stringify([{ ...sampleRates[0], size: null }]),
    JSON.stringify([{ ...sampleRates[0], stepMinutes: 0 }]),
    JSON.stringify(Array.from({ length: 13 }, () => sampleRates[0])),
  ])("is refused by the database itself with rates like %s", async (rates) => {
    const inserted = testServer.database.transaction("platform", (db) =>
      db.run(sql`
        insert into pricing_rule (tenant_id, free_minutes, per_use_fen, step_minutes, step_fen,
          overdue_after_minutes, edited_by, rates)
        values (${tenantId}, 0, 0, 60, 100, 1440, 'x', ${rates})`),
    );
    await expect(inserted).rejects.toMatchObject({ constraint: "pricing_rule_rates_check" });
  });

  it("is created once by two concurrent requests", async () => {
    const replies = await Promise.all([save({}), save({ rule: { ...rule, stepFen: 1 } })]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
  });

  it("belongs to one tenant: another tenant's is answered as not found", async () => {
    const other = await testServer.makeTenant();
    const foreign = await makeStore(testServer, other.id);
    expect((await save({ storeId: foreign })).errMsg).toBe((await save({ storeId: 9e8 })).errMsg);
    expect((await save({ tenantId: other.id })).errMsg).toContain("租户不存在");
    expect((await save({ tenantId: 9e8 })).errMsg).toContain("租户不存在");
    expect((await save({ storeId, tenantId: other.id })).errMsg).toContain("门店");
    const { people: platform } = await testServer.makeTenant(1);
    expect((await save({ tenantId }, platform[0])).code).toBe(0);
    expect(await get()).toMatchObject({ rule: { editedBy: platform[0].username } });
    expect((await save({}, people[2])).status).toBe(403);
  });
});
