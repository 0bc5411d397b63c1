// Tests exports over HTTP on a real PostgreSQL: a complete snapshot, visible to its owner only.
import { setTimeout as sleep } from "node:timers/promises";
import { contracts } from "@cabinet/contract/contracts.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { firmwareContract } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { EXPORT_CHUNK_ROWS, isExportable } from "@cabinet/contract/kit/export.rules.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import type { CallName } from "../../../../../../tests/support/call-row.ts";
import { callRows } from "../../../../../../tests/support/call-rows.ts";
import { withClient } from "../../../../../../tests/support/postgres.ts";
import { makeWorld } from "../../../../../../tests/support/tenant-world.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { countWaiting } from "../../../../../../tests/support/waiting.ts";
import { sql } from "../../../platform/db/sql.ts";
import { deleteExpiredExports } from "./export.sql.ts";

const COMMANDS = commandContract.list.path;
const WAIT_MS = 60_000;

const testServer = useTestServer();
let platform: Person;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;
let cabinetId: number;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  people = tenant.people;
  operator = people[1];
  cabinetId = (await makeCabinet(testServer, { tenantId: tenant.id })).id;
});

interface CommandRow {
  id: string;
  reason: string;
}

const start = (call: string, query: object = {}, as = operator) =>
  testServer.call(exportContract.start, as, { body: { call, query } });
const fetchPage = (id: string, page = 1, pageSize = 49, as = operator) =>
  testServer.call(exportContract.page, as, { params: { id }, query: { page, pageSize } });
const end = (id: string, as = operator) =>
  testServer.call(exportContract.end, as, { params: { id } });

async function started(call: string, query: object = {}, as = operator): Promise<string> {
  const reply = await start(call, query, as);
  expect(reply, reply.errMsg).toMatchObject({ status: 200, code: 0 });
  return reply.data.id;
}

/** Polls until the export is ready or refused; returns that answer. */
async function settled(id: string, as = operator) {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const reply = await fetchPage(id, 1, 49, as);
    if (reply.code !== 0 || reply.data.state === "READY") return reply;
    if (Date.now() > until) throw new Error(`still ${reply.data.state}`);
    await sleep(20);
  }
}

async function exported<Row>(id: string, pageSize: number, as = operator) {
  const ready = await settled(id, as);
  expect(ready, ready.errMsg).toMatchObject({ code: 0 });
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { data } = await fetchPage(id, page, pageSize, as);
    if (data.list.length === 0) return { rows, total: data.total };
    rows.push(...(data.list as Row[]));
  }
}

/** Inserts commands of the cabinet, each a second older than the one before. */
async function addCommands(count: number, mark = "批"): Promise<void> {
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, state, reason,
        actor_name, created_at, expires_at)
      select ${operator.tenantId}, ${cabinetId}, 'OPEN', 1, 'FRONT', 'CONFIRMED', ${mark} || n, '李伟',
        now() - make_interval(secs => n), now()
      from generate_series(1, ${count}) n`),
  );
}

/**
 * Blocks inserts of export chunks while `work` runs; `work` starts once `count` exports wait to
 * insert one.
 */
async function whilePaused(
  count: number,
  begin: () => Promise<unknown>,
  work: () => Promise<unknown>,
) {
  // The owner's connection has no deadline for an idle transaction.
  await withClient(testServer.url, async (owner) => {
    await owner.query("begin; lock table list_export_chunk in share row exclusive mode");
    await begin();
    const waitingNow = () => countWaiting(testServer.database);
    await expect.poll(waitingNow, { timeout: WAIT_MS, interval: 5 }).toBe(count);
    await work();
    await owner.query("rollback");
  });
}

describe("an export", () => {
  it("has every row once, in the list's order, with any page size", async () => {
    await addCommands(EXPORT_CHUNK_ROWS * 2 + 30);
    const id = await started(COMMANDS);
    const small = await exported<CommandRow>(id, 49);
    const large = await exported<CommandRow>(id, EXPORT_CHUNK_ROWS);
    const odd = await exported<CommandRow>(id, 77);
    expect(small.total).toBe(EXPORT_CHUNK_ROWS * 2 + 30);
    expect(small.rows.map(({ reason }) => reason)).toEqual(
      Array.from({ length: EXPORT_CHUNK_ROWS * 2 + 30 }, (_, index) => `批${index + 1}`),
    );
    expect(large.rows).toEqual(small.rows);
    expect(odd.rows).toEqual(small.rows);
    const { data } = await testServer.call(commandContract.list, operator, {
      query: { pageSize: 100 },
    });
    expect(small.rows.slice(0, 100)).toEqual(data.list);
  });

  it("counts exactly beyond the cap of the list's own count", async () => {
    await addCommands(10_500);
    const { data } = await testServer.call(commandContract.list, operator, { query: {} });
    expect(data).toMatchObject({ total: 10_000, isTotalCapped: true });
    const { rows, total } = await exported<CommandRow>(await started(COMMANDS), EXPORT_CHUNK_ROWS);
    expect(total).toBe(10_500);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(10_500);
  });

  it("is filtered like the list, and may be empty", async () => {
    await addCommands(3);
    const filtered = await exported<CommandRow>(
      await started(COMMANDS, { state: "CONFIRMED" }),
      49,
    );
    expect(filtered.rows).toHaveLength(3);
    const empty = await started(COMMANDS, { state: "EXPIRED" });
    expect((await settled(empty)).data).toMatchObject({ state: "READY", total: 0, list: [] });
  });

  it("shows one snapshot despite inserts, updates and deletes between its pages", async () => {
    await addCommands(EXPORT_CHUNK_ROWS * 3);
    const before = await testServer.database.read("platform", (db) =>
      db.many<CommandRow>(sql`
        select id, reason from command where tenant_id = ${operator.tenantId}
        order by created_at desc, id`),
    );
    let id = "";
    const begin = async () => {
      id = await started(COMMANDS, { state: "CONFIRMED" });
    };
    // Blocked at its first chunk: two thirds of its rows are still to be read.
    await whilePaused(1, begin, async () => {
      await addCommands(200, "新");
      await testServer.database.transaction("platform", async (db) => {
        await db.run(sql`
          update command set state = 'FAILED' where tenant_id = ${operator.tenantId}
            and reason in ('批1500', '批2900')`);
        await db.run(sql`
          update command set created_at = now(), reason = '改'
          where tenant_id = ${operator.tenantId} and reason in ('批990', '批1990', '批2940')`);
      });
    });
    const { rows, total } = await exported<CommandRow>(id, 49);
    expect(total).toBe(EXPORT_CHUNK_ROWS * 3);
    expect(rows.map((row) => ({ id: row.id, reason: row.reason }))).toEqual(before);
    const anew = await started(COMMANDS, { state: "CONFIRMED" });
    const now = await exported<CommandRow>(anew, EXPORT_CHUNK_ROWS);
    expect(now.total).toBe(EXPORT_CHUNK_ROWS * 3 + 200 - 2);
  });

  it("is audited with its filters, phone numbers masked", async () => {
    const call = cabinetContract.list.path;
    const id = await started(call, { keyword: "13812345678" });
    await settled(id);
    expect(await findAudit(testServer, operator.tenantId)).toMatchObject([
      { call: "POST /admin/v1/export", target: cabinetContract.list.summary },
    ]);
    expect(JSON.stringify(await findAudit(testServer, operator.tenantId))).not.toContain(
      "13812345678",
    );
    expect(await end(id)).toMatchObject({ code: 0, data: null });
  });

  it("is audited with a masked phone in whatever form it was typed", async () => {
    for (const phone of ["１３８１２３４５６７８", "138.1234.5678"]) {
      const id = await started(endUserContract.list.path, { phone });
      await settled(id);
      await end(id);
      const entries = await findAudit(testServer, operator.tenantId);
      expect(
        entries.filter(({ call }) => call === "POST /admin/v1/export").at(-1)?.after,
      ).toMatchObject({ query: { phone: "138****5678" } });
    }
  });
});

describe("permission to export", () => {
  it("an account exports exactly the rows that it may see", async () => {
    const other = await testServer.makeTenant();
    const theirs = await makeCabinet(testServer, { tenantId: other.id });
    const call = cabinetContract.list.path;
    for (const query of [{}, { tenantId: String(other.id) }, { keyword: theirs.sn }]) {
      const { rows } = await exported<{ id: number }>(await started(call, query), 49);
      expect(rows.map(({ id }) => id)).not.toContain(theirs.id);
    }
    const all = await exported<{ id: number }>(await started(call, {}, platform), 49, platform);
    expect(all.rows.map(({ id }) => id)).toEqual(expect.arrayContaining([cabinetId, theirs.id]));
    // A caretaker without a store sees no cabinet and exports none.
    const none = await exported(await started(call, {}, people[2]), 49, people[2]);
    expect(none.rows).toEqual([]);
  });

  it("a list that the account may not see is refused, at the start and later", async () => {
    expect(await start(firmwareContract.list.path)).toMatchObject({ status: 403 });
    await addCommands(1);
    const id = await started(COMMANDS);
    await settled(id);
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        delete from operator_role where tenant_id = ${operator.tenantId}
          and operator_id = ${operator.operatorId}`),
    );
    expect(await fetchPage(id)).toMatchObject({ status: 403, data: null });
  });

  it("an export is gone as soon as the visible stores of its owner have changed", async () => {
    const [as, storeId] = [people[2], await makeStore(testServer, operator.tenantId)];
    const isTheirs = (sees: boolean) =>
      testServer.database.transaction("platform", (db) =>
        db.run(
          sees
            ? sql`insert into operator_store (tenant_id, operator_id, store_id)
                values (${as.tenantId}, ${as.operatorId}, ${storeId})`
            : sql`delete from operator_store
                where tenant_id = ${as.tenantId} and operator_id = ${as.operatorId}`,
        ),
      );
    await isTheirs(true);
    const { id: theirs } = await makeCabinet(testServer, { tenantId: operator.tenantId, storeId });
    const id = await started(cabinetContract.list.path, {}, as);
    expect((await exported<{ id: number }>(id, 49, as)).rows).toMatchObject([{ id: theirs }]);
    await isTheirs(false);
    expect(await fetchPage(id, 1, 49, as)).toMatchObject({ code: 1, data: null });
  });

  it("an export is given only to the account that started it", async () => {
    const colleague = (await testServer.makeTenant()).people[0];
    await addCommands(2);
    const id = await started(COMMANDS);
    await settled(id);
    for (const as of [people[0], people[2], colleague, platform]) {
      expect(await fetchPage(id, 1, 49, as)).toMatchObject({ code: 1, data: null });
      expect(await end(id, as)).toMatchObject({ code: 1 });
    }
    expect((await fetchPage(id)).data.list).toHaveLength(2);
  });

  it.each([
    ["a list that there is not", "/admin/v1/nothing/list"],
    ["a call that is no list", cabinetContract.get.path],
    ["a call that writes", commandContract.open.path],
    ["a list with a part of its path open", contracts.rollout.targets.path],
    ["a call of an export", exportContract.page.path],
  ])("%s is refused", async (_, call) => {
    expect(await start(call, {}, platform)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("要导出的列表不存在"),
    });
  });

  it("an invalid filter is named in the refusal", async () => {
    expect(await start(COMMANDS, { nonsense: "1" })).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("nonsense"),
    });
    expect(await start(COMMANDS, { cabinetId: "viele" })).toMatchObject({ code: 1 });
  });
});

describe("concurrent exports", () => {
  it("run two at a time in queue order; a third of one account is refused", async () => {
    await addCommands(5);
    const others = await Promise.all([testServer.makeTenant(), testServer.makeTenant()]);
    const [third, fourth] = others.map((tenant) => tenant.people[1]) as [Person, Person];
    const ids: string[] = [];
    const waits: [string, Person][] = [];
    const begin = async () => {
      ids.push(await started(COMMANDS), await started(COMMANDS));
    };
    await whilePaused(2, begin, async () => {
      expect(await start(COMMANDS)).toMatchObject({
        code: 1,
        errMsg: "您已有 2 个导出正在进行，请等它们完成或关闭后再试",
      });
      for (const [ahead, as] of [third, fourth].entries()) {
        const id = await started(COMMANDS, {}, as);
        waits.push([id, as]);
        expect((await fetchPage(id, 1, 49, as)).data).toMatchObject({ state: "WAITING", ahead });
      }
    });
    for (const id of ids) expect((await settled(id)).data.list).toHaveLength(5);
    for (const [id, as] of waits) expect((await settled(id, as)).data.total).toBe(0);
  });

  it("of one account: no more than two begin when many are asked for at once", async () => {
    await addCommands(5);
    let answers: Awaited<ReturnType<typeof start>>[] = [];
    const begin = async () => {
      answers = await Promise.all(Array.from({ length: 6 }, () => start(COMMANDS)));
    };
    await whilePaused(2, begin, async () => {
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(2);
    });
  });

  it("tenants take turns: another's export is read before the second one of an account", async () => {
    await addCommands(5);
    const other = (await testServer.makeTenant()).people[1];
    const ids: string[] = [];
    let theirs = "";
    await whilePaused(
      2,
      async () => {
        ids.push(await started(COMMANDS), await started(COMMANDS));
      },
      async () => {
        const colleague = people[0];
        ids.push(await started(COMMANDS, {}, colleague), await started(COMMANDS, {}, colleague));
        theirs = await started(COMMANDS, {}, other);
      },
    );
    await settled(theirs, other);
    const { beganBefore } = await testServer.database.read("platform", (db) =>
      db.one<{ beganBefore: number }>(sql`
        select count(*)::int as began_before from list_export own_export
        where own_export.id = any(${ids}::uuid[]) and own_export.seen_at < (
          select export.seen_at from list_export export where export.id = ${theirs})`),
    );
    expect(beganBefore).toBeLessThan(4);
  });

  it("a full queue has a place for a tenant that has none in it", async () => {
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        insert into list_export (tenant_id, operator_id, session_hash, is_platform, call, query,
          created_at)
        select ${people[0].tenantId}, ${people[0].operatorId}, '\\x00', true, ${COMMANDS}, '{}',
          now() - interval '1 minute'
        from generate_series(1, 60)`),
    );
    const other = (await testServer.makeTenant()).people[1];
    expect((await start(COMMANDS, {}, other)).errMsg).toBe("");
  });

  it("are refused when the queue is full, until some are done", async () => {
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        insert into list_export (tenant_id, operator_id, session_hash, is_platform, call, query,
          created_at)
        select ${people[0].tenantId}, ${people[0].operatorId}, '\\x00', true, ${COMMANDS}, '{}',
          now() - interval '1 minute'
        from generate_series(1, 22)`),
    );
    expect(await start(COMMANDS)).toMatchObject({
      code: 1,
      errMsg: "正在导出的人较多，请几分钟后再试",
    });
    // Their session is unknown: each fails and frees its place.
    await expect.poll(async () => (await start(COMMANDS)).code, { timeout: WAIT_MS }).toBe(0);
  });
});

describe("an export that does not finish", () => {
  it("is not read further once its owner ended it", async () => {
    await addCommands(EXPORT_CHUNK_ROWS * 2);
    const id = await started(COMMANDS);
    await end(id);
    expect(await fetchPage(id)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("重新导出"),
    });
    expect(await end(id)).toMatchObject({ code: 1 });
    await expect.poll(countOfChunks).toBe(0);
  });

  const change = (id: string, set: ReturnType<typeof sql>) =>
    testServer.database.transaction("platform", (db) =>
      db.run(sql`update list_export set ${set} where id = ${id}`),
    );
  const countOfChunks = () =>
    testServer.database.read("platform", async (db) => {
      const { count } = await db.one<{ count: number }>(sql`
        select count(*)::int as count from list_export_chunk
        where tenant_id = ${operator.tenantId}`);
      return count;
    });

  it("reports that its process is gone, and starts over when requested again", async () => {
    await addCommands(1);
    const id = await started(COMMANDS);
    await settled(id);
    await change(id, sql`state = 'RUNNING', seen_at = now() - interval '1 minute'`);
    expect(await fetchPage(id)).toMatchObject({
      code: 1,
      errMsg: "服务在导出途中重启，文件没有生成，请重试",
    });
    expect((await exported(await started(COMMANDS), 49)).rows).toHaveLength(1);
  });

  it("names the maximum number of rows", async () => {
    const id = await started(COMMANDS);
    await settled(id);
    await change(id, sql`state = 'FAILED', failure = 'TOO_LARGE'`);
    expect((await fetchPage(id)).errMsg).toContain("一次最多导出 200000 条");
  });

  it("is read with the session that started it, and fails once that has ended", async () => {
    const id = await started(COMMANDS);
    await settled(id);
    await change(id, sql`state = 'WAITING', session_hash = '\\x01'`);
    await started(COMMANDS);
    expect(await settled(id)).toMatchObject({
      code: 1,
      errMsg: "导出没有完成，文件没有生成，请稍后重试",
    });
  });

  it("is deleted after half an hour, with all its rows", async () => {
    await addCommands(1);
    const [old, young] = [await started(COMMANDS), await started(COMMANDS)];
    await settled(old);
    await settled(young);
    await change(old, sql`created_at = now() - interval '31 minutes'`);
    expect(await fetchPage(old)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("过期"),
    });
    expect(await countOfChunks()).toBe(2);
    await testServer.database.transaction("platform", deleteExpiredExports);
    expect(await countOfChunks()).toBe(1);
    expect((await fetchPage(young)).data.list).toHaveLength(1);
  });
});

describe("every exportable list", () => {
  const lists = Object.entries(contracts).flatMap(([noun, contract]) =>
    Object.entries(contract as Record<string, EndpointSpec>)
      .filter(([, spec]) => isExportable(spec))
      .map(([call, spec]) => ({ name: `${noun}.${call}` as CallName, spec })),
  );

  it("is found in the contracts", () => {
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["cabinet.list", "command.list", "rollout.list", "store.list"]),
    );
  });

  it.each(lists)("$name gives the same rows as its pages", async ({ name, spec }) => {
    const { people: owners, id: tenantId } = await testServer.makeTenant();
    const world = await makeWorld(testServer, tenantId, owners[2]);
    const { query = {} } = callRows[name].input(world.ids);
    const filters = Object.fromEntries(
      Object.entries({ ...query, page: undefined, pageSize: undefined })
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [field, String(value)]),
    );
    const as = spec.access === "platform" ? platform : owners[0];
    // A figure may change between export and list, such as a tenant's requests every other second.
    await vi.waitFor(async () => {
      // Started first: the audit log's own export adds an entry to it.
      const id = await started(spec.path, filters, as);
      const reply = await testServer.call(spec, as, {
        query: { ...filters, page: 1, pageSize: 100 },
      });
      const listed = (reply as { data: { list: unknown[]; total: number } }).data;
      const found = await exported(id, EXPORT_CHUNK_ROWS, as);
      expect(found.total).toBe(listed.total);
      expect(found.rows.slice(0, 100)).toEqual(listed.list);
    }, WAIT_MS);
  });
});
