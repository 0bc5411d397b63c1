// Limits of a tenant's requests and exports: refused with a sentence, counted across processes, shown in 租户管理.
import { randomUUID } from "node:crypto";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Sql, sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeCabinet } from "../support/cabinets.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
let platform: Person;
let owner: Person;
let other: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ 1: owner, 2: other } = (await testServer.makeTenant()).people);
});

const run = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const page = { query: { page: 1, pageSize: 10 } };
const list = (person = owner) => testServer.call(faqContract.list, person, page);
const shown = async () =>
  (await testServer.call(tenancyContract.get, platform, { params: { id: owner.tenantId } })).data;

/** Requests of another process in this minute, and in the next, which may begin before the report of our own. */
const requestsElsewhere = (requests: number) =>
  run(sql`
    insert into tenant_use (tenant_id, minute, process_id, requests, live_channels)
    select ${owner.tenantId}, date_trunc('minute', now()) + make_interval(mins => n),
      ${randomUUID()}, ${requests}, 0
    from generate_series(0, 1) n`);

test("requests: those of all processes count; doors and other tenants are not refused", async () => {
  await run(sql`update tenant set max_requests = 500 where id = ${owner.tenantId}`);
  await requestsElsewhere(5_000);
  // The report of the first calls brings the limit.
  const refused = await vi.waitFor(
    async () => {
      const reply = await list();
      expect(reply.status).toBe(429);
      return reply;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(refused).toMatchObject({ errCode: "TENANT_REQUESTS_USED_UP" });
  expect(refused.errMsg).toMatch(/^本租户每分钟最多 500 次请求，现已用完，请 \d+ 秒后再试/);
  const neighbour = (await testServer.makeTenant()).people[1];
  expect((await list(neighbour)).code).toBe(0);
  const { id: cabinetId } = await makeCabinet(testServer, {
    tenantId: owner.tenantId,
    cells: [{}],
  });
  expect(
    await testServer.call(commandContract.open, owner, {
      params: { id: cabinetId },
      body: { no: 1, reason: "取出物品" },
    }),
  ).toMatchObject({ code: 0 });
  expect(await shown()).toMatchObject({ maxRequests: 500 });
  expect((await shown()).requests).toBeGreaterThan(5_000);
});

test("requests: a tenant without a limit is counted only", async () => {
  await requestsElsewhere(1_000_000);
  await list();
  await vi.waitFor(async () => expect((await shown()).requests).toBeGreaterThan(1_000_000), {
    timeout: 60_000,
  });
  expect((await list()).code).toBe(0);
});

test("exports: those of all accounts count against the tenant's limit", async () => {
  await run(sql`update tenant set max_exports = 1 where id = ${owner.tenantId}`);
  // One that another process reads, of another account.
  await run(sql`
    insert into list_export (tenant_id, operator_id, session_hash, is_platform, reach, call, query,
      state, seen_at)
    values (${owner.tenantId}, ${other.operatorId}, ${Buffer.alloc(32)}, false, '*',
      ${faqContract.list.path}, '{}', 'RUNNING', now() + interval '1 minute')`);
  expect(await shown()).toMatchObject({ exports: 1, maxExports: 1 });
  const start = () =>
    testServer.call(exportContract.start, owner, {
      body: { call: faqContract.list.path, query: {} },
    });
  expect(await start()).toMatchObject({
    errCode: "TENANT_EXPORTS_USED_UP",
    errMsg: "本租户已有 1 个导出正在进行，达到上限，请等它们完成后再试",
  });
  await run(sql`update tenant set max_exports = 2 where id = ${owner.tenantId}`);
  expect(await start()).toMatchObject({ code: 0 });
});
