// Masked phones stay masked: no filter, export or search tells the digits in between, by whatever list.
import { contracts } from "@cabinet/contract/contracts.ts";
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { isExportable } from "@cabinet/contract/kit/export.rules.ts";
import type { PhoneForm } from "@cabinet/contract/kit/phone.rules.ts";
import { phoneSearchFieldsOf } from "@cabinet/contract/kit/phone-search.rules.ts";
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { searchContract } from "@cabinet/contract/orders/search/search.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { PHONE_SEARCHES_PER_DAY } from "../../apps/server/src/features/organization/tenant-setting/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { insertEndUser } from "../support/orders.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
const PHONE = "13812341004";
let tenantId: number;
/** Administrator of the tenant, and an account that may read everything and reveal nothing. */
let admin: Person;
let reader: Person;

const calls = Object.values(contracts).flatMap((contract) =>
  Object.values(contract as Record<string, EndpointSpec>),
);
interface Field {
  "x-phone"?: PhoneForm;
  properties?: Record<string, Field>;
  items?: Field;
}
const isSearch = (field: Field) => ["PART", "SEARCH"].includes(field["x-phone"] ?? "");
const searched = calls.flatMap((spec) =>
  phoneSearchFieldsOf(spec)
    .filter(({ form }) => form === "PART")
    .map(({ name, reveal }) => ({ spec, path: spec.path, name, reveal, other: requiredOf(spec) })),
);

/** The first choice of each field that the list demands. */
function requiredOf({ query }: EndpointSpec): Record<string, unknown> {
  const { required = [], properties = {} } = query as {
    required?: string[];
    properties?: Record<string, { enum?: unknown[] }>;
  };
  return Object.fromEntries(required.map((name) => [name, properties[name]?.enum?.[0]]));
}

function hasSearch(schema: Field | undefined): boolean {
  const inner = [
    ...Object.values(schema?.properties ?? {}),
    ...(schema?.items ? [schema.items] : []),
  ];
  return inner.some((field) => isSearch(field) || hasSearch(field));
}

beforeAll(async () => {
  await testServer.makeTenant(1);
  const made = await testServer.makeTenant();
  tenantId = made.id;
  [admin, reader] = [made.people[1], made.people[2]];
  await testServer.database.transaction("platform", async (db) => {
    const id = await insertEndUser(db, tenantId, "");
    await db.run(sql`update end_user set phone = ${PHONE} where id = ${id}`);
    const otherId = await insertEndUser(db, tenantId, "");
    await db.run(sql`update end_user set phone = '13900000003' where id = ${otherId}`);
    const reveals = searched.map(({ reveal }) => reveal);
    await db.run(sql`
      update operator set is_store_bound = false, permissions = (
        select array_agg(permission) from operator manager, unnest(manager.permissions) permission
        where manager.id = ${admin.operatorId} and permission <> all(${reveals}::text[]))
      where id = ${reader.operatorId}`);
  });
});

const list = (as: Person, spec: EndpointSpec, query: object) =>
  testServer.call<EndpointSpec>(spec, as, { query });
const people = (as: Person, phone: string) =>
  testServer.call(endUserContract.list, as, { query: { phone } });

it("fields of this kind: only in queries of signed-in reads, which have the gate", () => {
  expect(searched.length).toBeGreaterThan(7);
  for (const spec of calls) {
    expect(hasSearch(spec.body as Field | undefined), spec.path).toBe(false);
    if (!hasSearch(spec.query as Field | undefined)) continue;
    expect(["public", "end-user", "partner"], spec.path).not.toContain(spec.access);
    expect(spec.method, spec.path).toBe("GET");
  }
});

describe.each(searched)("$path", ({ spec, name, other }) => {
  it("without the permission to reveal: a part is refused, in the list and in its export", async () => {
    for (const part of ["13812", "1381234", "1381234100", "34100"]) {
      const { errMsg } = await list(reader, spec, { ...other, [name]: part });
      expect(errMsg, part).toContain("请输入完整的手机号或后四位");
      if (!isExportable(spec)) continue;
      const exported = await testServer.call(exportContract.start, reader, {
        body: { call: spec.path, query: { ...other, [name]: part } },
      });
      expect(exported.errMsg, part).toContain("请输入完整的手机号或后四位");
    }
    for (const whole of [PHONE, "1004"]) {
      expect((await list(reader, spec, { ...other, [name]: whole })).errMsg).toBe("");
    }
  });
});

it("four digits are the last four, not the first", async () => {
  expect((await people(reader, "1004")).data.total).toBe(1);
  for (const four of ["1381", "8123", "3410"]) {
    expect((await people(reader, four)).data.total).toBe(0);
  }
});

it("the search box: whole or the last four, for everybody", async () => {
  const hits = async (text: string, as = admin) =>
    (await testServer.call(searchContract.find, as, { query: { text } })).data.people.length;
  expect([await hits(PHONE), await hits("1004")]).toEqual([1, 1]);
  for (const part of ["1381", "13812", "1381234100", "41004", "2341004"]) {
    expect([part, await hits(part), await hits(part, reader)]).toEqual([part, 0, 0]);
  }
});

it("differences: by their person's whole number or last four digits, in no other way", async () => {
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into reconciliation_difference (tenant_id, day, kind, area, subject, end_user_id, detail)
      select ${tenantId}, current_date, 'WALLET_BALANCE', 'WALLET', '钱包', id, '余额不符'
      from end_user where tenant_id = ${tenantId} and phone = ${PHONE}`),
  );
  const found = async (subject: string) =>
    (await testServer.call(reconciliationContract.differences, reader, { query: { subject } })).data
      .total;
  for (const text of [PHONE, "1004", "+86 138-1234-1004"])
    expect([text, await found(text)]).toEqual([text, 1]);
  for (const part of ["1", "1381", "13812", "1381234100", "41004", "-"]) {
    expect([part, await found(part)]).toEqual([part, 0]);
  }
});

it("with the permission: a part counts as one reveal a day, is audited, and ends at the tenant's limit", async () => {
  expect((await people(admin, "13812")).data.total).toBe(1);
  expect((await people(admin, "13812")).data.total).toBe(1);
  const { data } = await testServer.call(auditContract.list, admin, { query: {} });
  const entries = data.list.filter(({ target }) => target?.includes("手机号中的 5 位"));
  expect(entries).toHaveLength(1);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update ask_count set asked = 100 where key like 'reveal:%'`),
  );
  expect((await people(admin, "13812")).errMsg).toBe("");
  expect((await people(admin, "138123")).errMsg).toContain("查看 100 次完整手机号");
});

it("an export by a part: the audit entry has the number of digits, not the digits", async () => {
  const part = "1381234100";
  await testServer.database.transaction("platform", (db) => db.run(sql`delete from ask_count`));
  const { errMsg } = await testServer.call(exportContract.start, admin, {
    body: { call: endUserContract.list.path, query: { phone: part } },
  });
  expect(errMsg).toBe("");
  const kept = await testServer.database.read("platform", (db) =>
    db.many<{ entry: string }>(sql`
      select audit::text as entry from audit_log audit where audit.tenant_id = ${tenantId}`),
  );
  const entries = kept.filter(({ entry }) => entry.includes("10 位"));
  expect(entries).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toContain(part);
});

it("whole numbers: a limit of different ones a day, shared by lists and search", async () => {
  const free = testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into ask_count (key, asked)
      values (${`phone-search:${tenantId}:${reader.operatorId}/86400`}, ${PHONE_SEARCHES_PER_DAY - 1})
      on conflict (key) do update set asked = excluded.asked`),
  );
  await free;
  expect((await people(reader, "13900000001")).errMsg).toBe("");
  expect((await people(reader, "13900000002")).errMsg).toContain("不同的手机号查找");
  const query = { text: "13900000003" };
  expect((await testServer.call(searchContract.find, reader, { query })).errMsg).toContain(
    "后四位",
  );
  const label = { text: "https://a.cn/m/c/13900000003" };
  const byLabel = await testServer.call(searchContract.find, reader, { query: label });
  expect(byLabel.data.people).toEqual([]);
  const subject = { subject: "13900000003" };
  expect(
    (await testServer.call(reconciliationContract.differences, reader, { query: subject })).errMsg,
  ).toContain("不同的手机号查找");
  // Pages and refreshes of a search that was counted go on.
  expect((await people(reader, "13900000001")).errMsg).toBe("");
  expect((await people(admin, "13900000002")).errMsg).toBe("");
  const kept = await testServer.database.read("platform", (db) =>
    db.many<{ key: string }>(sql`select key from ask_count where key ~ '1[39]\d{9}'`),
  );
  expect(kept).toEqual([]);
});
