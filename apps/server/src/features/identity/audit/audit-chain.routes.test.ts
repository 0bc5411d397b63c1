// Promise L2: the audit hash chain stays valid under concurrent writers, and verification detects
// tampering.
import { auditContract, type ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
/** A connection as the owner of the tables, who can change everything in the database. */
let owner: pg.Client;
let person: Person;
let colleague: Person;
let tenantId: number;

beforeAll(async () => {
  owner = new pg.Client({ connectionString: testServer.url });
  await owner.connect();
});
afterAll(() => owner.end());

const write = (db: Db, n: number, of = tenantId) =>
  db.run(sql`
    insert into audit_log (tenant_id, actor_tenant_id, call, summary, target, before, after, address)
    values (${of}, ${of}, 'PUT /x', '测试', ${`对象 ${n}`}, ${JSON.stringify({ n, b: 1 })},
      ${JSON.stringify({ n: n + 1, a: [1.5, "二"] })}, '203.0.113.7')`);
const writeOne = (n: number, of = tenantId) =>
  testServer.database.transaction({ tenantId: of }, (db) => write(db, n, of));

beforeEach(async () => {
  const { id, people } = await testServer.makeTenant();
  [tenantId, person, colleague] = [id, people[0], people[1]];
  for (let n = 1; n <= 8; n++) await writeOne(n);
});

async function check(as = person, of = tenantId, after = 0): Promise<ChainCheck> {
  const { data } = await testServer.call(auditContract.check, as, {
    query: { tenantId: of, after },
  });
  return data;
}
const links = () =>
  testServer.database.read({ tenantId }, (db) =>
    db.many<{ seq: number; entryId: number }>(sql`
      select seq, entry_id from audit_link where tenant_id = ${tenantId} order by seq`),
  );
const entryOf = async (seq: number) =>
  (await links()).find((link) => link.seq === seq)?.entryId ?? 0;

const tables = ["audit_log", "audit_link", "audit_head"];
const forAll = async (change: string) => {
  for (const table of tables) await owner.query(`alter table ${table} ${change}`);
};
/** Runs the statement with triggers and row-level security disabled, as only the owner can. */
async function tamper(statement: string, values: unknown[]): Promise<void> {
  await owner.query("begin");
  await forAll("disable trigger user");
  await forAll("no force row level security");
  await owner.query(statement, values);
  await forAll("force row level security");
  await forAll("enable trigger user");
  await owner.query("commit");
}

describe("untouched audit chain", () => {
  it("is valid and numbered without gaps in commit order", async () => {
    expect(await check()).toMatchObject({ isDone: true, fault: null, count: 8, checkedTo: 8 });
    expect((await links()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await testServer.database.transaction({ tenantId }, async (db) => {
      await write(db, 100);
      await writeOne(101);
    });
    const targets = await testServer.database.read({ tenantId }, (db) =>
      db.many<{ target: string }>(sql`
        select audit.target from audit_link link
        join audit_log audit on audit.tenant_id = link.tenant_id and audit.id = link.entry_id
        where link.tenant_id = ${tenantId} and link.seq > 8 order by link.seq`),
    );
    expect(targets.map(({ target }) => target)).toEqual(["对象 101", "对象 100"]);
    expect((await check()).fault).toBeNull();
  });

  it("stays valid under concurrent writers, without gaps after rollbacks", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        testServer.database.transaction({ tenantId }, async (db) => {
          await write(db, n);
          if (n % 3 === 0) throw new Error("undone");
          await write(db, n + 1000);
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(40);
    expect(await check()).toMatchObject({ fault: null, count: 88, checkedTo: 88 });
  });

  it("is separate for each tenant, even where one transaction writes into two", async () => {
    const other = (await testServer.makeTenant()).id;
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        testServer.database.transaction("platform", async (db) => {
          await write(db, n, other);
          await write(db, n, tenantId);
        }),
      ),
    );
    const { people } = await testServer.makeTenant(1);
    for (const [of, count] of [
      [tenantId, 20],
      [other, 12],
    ] as const) {
      expect(await check(people[0], of)).toMatchObject({ fault: null, count });
    }
    const foreign = await testServer.call(auditContract.check, person, {
      query: { tenantId: other },
    });
    expect(foreign.errMsg).toContain("租户不存在");
  });

  it("is verified in stretches, each continuing the one before", async () => {
    await testServer.database.transaction({ tenantId }, async (db) => {
      await db.run(sql`
        insert into audit_log (tenant_id, call, summary)
        select ${tenantId}, 'POST /x', '批量' from generate_series(1, 7000)`);
    });
    const first = await check();
    expect(first).toMatchObject({ isDone: false, fault: null, count: 7008 });
    const second = await check(person, tenantId, first.checkedTo);
    expect(second).toMatchObject({ isDone: true, fault: null, checkedTo: 7008 });
    const broken = await entryOf(7000);
    await tamper("update audit_log set summary = '别的' where id = $1", [broken]);
    expect((await check(person, tenantId, first.checkedTo)).fault).toMatchObject({
      kind: "ENTRY_CHANGED",
      seq: 7000,
    });
  });

  it("has one entry for each call of the console", async () => {
    const before = await check();
    await testServer.call(authContract.logout, colleague);
    expect(await check()).toMatchObject({ fault: null, count: before.count + 1 });
  });
});

describe("tampered audit chain", () => {
  it("a changed entry is reported", async () => {
    const id = await entryOf(5);
    for (const change of [
      "target = '别的对象'",
      "actor_name = 'someone'",
      `after = '{"n": 7}'`,
      "at = at + interval '1 second'",
      "address = '203.0.113.8'",
    ]) {
      const { people, id: of } = await testServer.makeTenant();
      for (let n = 1; n <= 3; n++) await writeOne(n, of);
      await tamper(
        `update audit_log set ${change} where tenant_id = $1 and id in
          (select entry_id from audit_link where tenant_id = $1 and seq = 2)`,
        [of],
      );
      const { fault } = await check(people[0], of);
      expect(fault, change).toMatchObject({ kind: "ENTRY_CHANGED", seq: 2, summary: "测试" });
    }
    await tamper("update audit_log set reason = '补充' where id = $1", [id]);
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_CHANGED", seq: 5, entryId: id });
  });

  it("a deleted entry is reported, alone or with its link", async () => {
    await tamper("delete from audit_log where id = $1", [await entryOf(6)]);
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_MISSING", seq: 6 });
    const id = await entryOf(3);
    await tamper("delete from audit_log where id = $1", [id]);
    await tamper("delete from audit_link where tenant_id = $1 and entry_id = $2", [tenantId, id]);
    expect((await check()).fault).toMatchObject({ kind: "LINK_MISSING", seq: 3 });
    await tamper("update audit_link set seq = seq - 1 where tenant_id = $1 and seq > 3", [
      tenantId,
    ]);
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_CHANGED", seq: 3 });
  });

  it("an inserted entry is reported", async () => {
    await tamper(
      "insert into audit_log (tenant_id, call, summary) values ($1, 'POST /x', '没有发生过')",
      [tenantId],
    );
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_ADDED", summary: "没有发生过" });
  });

  it("swapped entries are reported", async () => {
    const [two, four] = [await entryOf(2), await entryOf(4)];
    const place = (id: number, entryId: number) =>
      tamper("update audit_link set entry_id = $3 where tenant_id = $1 and entry_id = $2", [
        tenantId,
        id,
        entryId,
      ]);
    await place(two, 0);
    await place(four, two);
    await place(0, four);
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_CHANGED", seq: 2 });
  });

  it("a truncated tail is reported, even when its links are gone too", async () => {
    const ids = [await entryOf(7), await entryOf(8)];
    await tamper("delete from audit_log where id = any($1)", [ids]);
    await tamper("delete from audit_link where tenant_id = $1 and seq > 6", [tenantId]);
    expect((await check()).fault).toMatchObject({ kind: "TAIL_MISSING", seq: 7 });
  });

  it("a changed or deleted head is reported", async () => {
    await tamper("update audit_head set seq = 6 where tenant_id = $1", [tenantId]);
    expect((await check()).fault).toMatchObject({ kind: "HEAD_CHANGED" });
    await tamper("delete from audit_head where tenant_id = $1", [tenantId]);
    expect((await check()).fault).toMatchObject({ kind: "HEAD_CHANGED" });
  });

  it("the server's own roles cannot tamper", async () => {
    for (const scope of [{ tenantId }, "platform"] as const) {
      for (const statement of [
        sql`update audit_log set summary = 'x'`,
        sql`delete from audit_log`,
        sql`update audit_link set seq = 1`,
        sql`delete from audit_link`,
        sql`insert into audit_link values (${tenantId}, 99, 99, '')`,
        sql`update audit_head set seq = 1 where tenant_id = ${tenantId}`,
        sql`insert into audit_head values (987654, 1, '')`,
        sql`delete from audit_head`,
      ]) {
        const tried = testServer.database.transaction(scope, (db) => db.run(statement));
        await expect(tried, statement.text).rejects.toMatchObject({ code: "42501" });
      }
    }
    expect((await check()).fault).toBeNull();
  });
});
