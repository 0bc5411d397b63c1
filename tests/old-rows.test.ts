// Removal of old events, commands and audit entries: due rows go in batches, rows that still mean something stay, and the
// rest of an audit chain still verifies.
import { Readable } from "node:stream";
import { auditContract, type ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkBooks } from "../apps/server/src/backup/check.ts";
import { cabinetEventJobs } from "../apps/server/src/features/fleet/cabinet-event/index.ts";
import { commandJobs } from "../apps/server/src/features/fleet/command/index.ts";
import {
  headFileKeyOf,
  signHead,
} from "../apps/server/src/features/identity/audit/audit-seal.crypto.ts";
import { auditJobs } from "../apps/server/src/features/identity/audit/index.ts";
import { publishAuditHead } from "../apps/server/src/features/messaging/webhook/index.ts";
import { type Sql, sql } from "../apps/server/src/platform/db/sql.ts";
import type { JobSet } from "../apps/server/src/platform/jobs/jobs.ts";
import {
  BATCH_ROWS,
  measureRetention,
  removeDue,
} from "../apps/server/src/platform/jobs/retention.ts";
import { registry } from "../apps/server/src/platform/metrics.ts";
import { forgeAudit } from "./support/audit-forgery.ts";
import { makeCabinet } from "./support/cabinets.ts";
import { insertEndUser, insertOrder } from "./support/orders.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();
const DAYS = 200;
/** A connection as the owner of the tables: triggers and row-level security do not bind it. */
let owner: pg.Client;
let lines: Record<string, unknown>[];
const log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });

beforeAll(async () => {
  owner = new pg.Client({ connectionString: testServer.url });
  await owner.connect();
});
afterAll(() => owner.end());
beforeEach(() => {
  lines = [];
});

const run = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const many = <Row>(statement: Sql) =>
  testServer.database.read("platform", (db) => db.many<Row>(statement));
const daysAgo = (days: number) => sql`(now() - make_interval(days => ${days}::int))`;

async function runTask({ tasks }: JobSet, name: string): Promise<void> {
  await tasks[name]?.({}, { database: testServer.database, log });
}

/** A tenant that keeps everything for 200 days. */
async function makePlace(): Promise<{
  tenantId: number;
  people: Record<0 | 1 | 2, Person>;
  cabinetId: number;
}> {
  const { id: tenantId, people } = await testServer.makeTenant();
  await run(sql`
    insert into tenant_setting (tenant_id, keep_events_days, keep_commands_days, keep_audit_days,
      edited_by)
    values (${tenantId}, ${DAYS}, ${DAYS}, ${DAYS}, '测试')`);
  const { id: cabinetId } = await makeCabinet(testServer, { tenantId });
  return { tenantId, people, cabinetId };
}

const completeUntil = async (kind: string) =>
  (
    await many<{ at: string }>(sql`
      select complete_until::text as at from retention_pass where kind = ${kind}`)
  )[0]?.at;

describe("events of cabinets", () => {
  const eventsOf = async (tenantId: number) =>
    (
      await many<{ mark: string }>(sql`
        select payload ->> 'mark' as mark from cabinet_event
        where tenant_id = ${tenantId} and payload ? 'mark' order by 1`)
    ).map(({ mark }) => mark);
  interface Made {
    tenantId: number;
    cabinetId: number;
    age: number;
    mark: string;
    kind?: string;
    n?: number;
  }
  const make = ({ tenantId, cabinetId, age, mark, kind = "VIBRATION", n }: Made) => sql`
    insert into cabinet_event (tenant_id, cabinet_id, boot_no, n, kind, received_at, payload)
    values (${tenantId}, ${cabinetId}, ${n === undefined ? null : 1}::bigint, ${n ?? null}::bigint,
      ${kind}, ${daysAgo(age)}, ${JSON.stringify({ mark })})
    on conflict (tenant_id, cabinet_id, boot_no, n) do nothing`;

  it("due ones go, in as many batches as it takes; the others and other tenants' stay", async () => {
    const place = await makePlace();
    const usual = await testServer.makeTenant();
    const { id: cabinetId } = await makeCabinet(testServer, { tenantId: usual.id });
    await run(sql`
      insert into cabinet_event (tenant_id, cabinet_id, boot_no, n, kind, received_at, payload)
      select ${place.tenantId}, ${place.cabinetId}, 7, n, 'VIBRATION', ${daysAgo(DAYS + 1)}, '{"mark": "many"}'
      from generate_series(1, ${2 * BATCH_ROWS + 500}::int) n`);
    await run(make({ ...place, age: DAYS + 1, mark: "old" }));
    await run(make({ ...place, age: DAYS - 1, mark: "kept" }));
    await run(make({ tenantId: usual.id, cabinetId, age: DAYS + 1, mark: "elsewhere" }));
    const before = await completeUntil("events");
    await runTask(cabinetEventJobs, "cabinetEvent.removeOld");
    expect(await eventsOf(place.tenantId)).toEqual(["kept"]);
    expect(await eventsOf(usual.id)).toEqual(["elsewhere"]);
    expect(await completeUntil("events")).not.toBe(before);
    expect(lines).toEqual([]);
  });

  it("the last ONLINE or OFFLINE before the term stays: reports on the days after it begin with it", async () => {
    const place = await makePlace();
    for (const [age, kind] of [
      [DAYS + 9, "ONLINE"],
      [DAYS + 8, "OFFLINE"],
      [DAYS + 7, "ONLINE"],
      [DAYS - 1, "OFFLINE"],
    ] as const) {
      await run(make({ ...place, age, kind, mark: `${kind} ${age}` }));
    }
    await runTask(cabinetEventJobs, "cabinetEvent.removeOld");
    await runTask(cabinetEventJobs, "cabinetEvent.removeOld");
    expect(await eventsOf(place.tenantId)).toEqual(["OFFLINE 199", "ONLINE 207"]);
  });

  it("a report that its silent cabinet may still repeat stays, and counts once", async () => {
    const place = await makePlace();
    const silent = { ...place, age: DAYS + 1, mark: "silent", n: 1 };
    await run(sql`
      update cabinet set last_seen_at = ${daysAgo(DAYS - 5)}, offline_at = ${daysAgo(DAYS - 5)}
      where tenant_id = ${place.tenantId}`);
    await run(make(silent));
    await run(make({ ...silent, age: DAYS + 20, mark: "long acknowledged", n: 0 }));
    await runTask(cabinetEventJobs, "cabinetEvent.removeOld");
    expect(await eventsOf(place.tenantId)).toEqual(["silent"]);
    expect(await run(make(silent))).toBe(0);
  });
});

it("commands: settled ones go; in flight, unseen by their order, or of an open order they stay", async () => {
  const { tenantId, cabinetId } = await makePlace();
  const { open, ended } = await testServer.database.transaction("platform", async (db) => {
    const recipientId = await insertEndUser(db, tenantId, "李四");
    const open = await insertOrder(db, { tenantId, cabinetId, recipientId, no: 2 });
    const ended = await insertOrder(db, { tenantId, cabinetId, recipientId, state: "COMPLETED" });
    return { open, ended };
  });
  const make = (
    mark: string,
    more: { age?: number; state?: string; orderId?: number; seen?: string } = {},
  ) => {
    const { age = DAYS + 1, state = "CONFIRMED", orderId = null, seen = null } = more;
    return run(sql`
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, state, reason, actor_name,
        created_at, expires_at, order_id, purpose, order_seen)
      values (${tenantId}, ${cabinetId}, 'OPEN', 1, 'FRONT', ${state}, ${mark}, '李伟',
        ${daysAgo(age)}, ${daysAgo(age)}, ${orderId}::bigint,
        ${orderId === null ? null : "PICKUP"}, ${seen})`);
  };
  await make("settled");
  await make("lost", { state: "UNKNOWN" });
  await make("of an ended order", { orderId: ended, seen: "CONFIRMED" });
  await make("young", { age: DAYS - 1 });
  await make("in flight", { state: "SENT" });
  await make("of an open order", { orderId: open, seen: "CONFIRMED" });
  await make("unseen", { orderId: ended, seen: "ACKED" });
  await runTask(commandJobs, "command.removeOld");
  const left = await many<{ reason: string }>(sql`
    select reason from command where tenant_id = ${tenantId} order by reason`);
  expect(left.map(({ reason }) => reason)).toEqual([
    "in flight",
    "of an open order",
    "unseen",
    "young",
  ]);
  const books = await many(sql`select from ledger_journal where tenant_id = ${tenantId}`);
  expect(books).toHaveLength(1);
});

describe("audit entries", () => {
  let tenantId: number;
  let person: Person;

  beforeEach(async () => {
    const place = await makePlace();
    [tenantId, person] = [place.tenantId, place.people[0]];
    for (let n = 1; n <= 4; n++) await write(n, DAYS + 9);
    await sealAt(DAYS + 8);
    for (let n = 5; n <= 6; n++) await write(n, DAYS + 3);
    await sealAt(DAYS + 2);
    for (let n = 7; n <= 9; n++) await write(n, DAYS - 2);
    await seal();
  });

  const write = (n: number, age: number) =>
    testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        insert into audit_log (tenant_id, at, call, summary, target)
        values (${tenantId}, ${daysAgo(age)}, 'POST /x', '退款', ${`订单 ${n}`})`),
    );

  const jobs = () => auditJobs({ files: testServer.files, publish: publishAuditHead });
  const seal = () => runTask(jobs(), "audit.seal");
  const removeOld = () => runTask(jobs(), "audit.removeOld");

  /** The head as it was signed some days ago. */
  async function sealAt(age: number): Promise<void> {
    await testServer.database.transaction("platform", async (db) => {
      const head = await db.one<{ day: string; seq: number; hash: string }>(sql`
        select (${daysAgo(age)} at time zone 'Asia/Shanghai')::date::text as day, seq,
          encode(hash, 'hex') as hash from audit_head where tenant_id = ${tenantId}`);
      const { signature } = signHead(db.vault, { tenantId, ...head });
      await db.run(sql`
        insert into audit_seal (tenant_id, day, seq, hash, signature, sealed_at)
        values (${tenantId}, ${head.day}, ${head.seq}, decode(${head.hash}, 'hex'),
          decode(${signature}, 'base64'), ${daysAgo(age)})`);
      const text = JSON.stringify({ tenantId, ...head, signature });
      await testServer.files.put(headFileKeyOf(tenantId), Readable.from([text]));
    });
  }

  async function check(after = 0): Promise<ChainCheck> {
    const query = { tenantId, after };
    return (await testServer.call(auditContract.check, person, { query })).data;
  }

  const targets = async () =>
    (
      await many<{ target: string }>(sql`
        select target from audit_log where tenant_id = ${tenantId} order by id`)
    ).map(({ target }) => target);
  const links = async () =>
    (
      await many<{ seq: number }>(sql`
        select seq from audit_link where tenant_id = ${tenantId} order by seq`)
    ).map(({ seq }) => seq);

  const forge = (statement: string, values: unknown[] = [tenantId]) =>
    forgeAudit(owner, statement, values);

  /** Faults that the check of a restored backup finds. */
  async function faultsOfRestored(): Promise<string[]> {
    const faults: string[] = [];
    await owner.query("begin; set local role cabinet_platform");
    await checkBooks(owner, faults);
    await owner.query("rollback");
    return faults;
  }

  it("go up to a signed head that is old enough; the rest verifies, also in stretches and in a restored backup", async () => {
    await removeOld();
    expect(await targets()).toEqual(["订单 7", "订单 8", "订单 9"]);
    expect(await links()).toEqual([7, 8, 9]);
    const checked = { fault: null, isDone: true, count: 9, checkedTo: 9, removed: 6 };
    expect(await check()).toMatchObject({ ...checked, sealed: { seq: 9 } });
    expect(await check(3)).toMatchObject(checked);
    expect(await check(8)).toMatchObject(checked);
    expect(await faultsOfRestored()).toEqual([]);
    await write(10, 0);
    expect(await check()).toMatchObject({ fault: null, count: 10, removed: 6 });
    await removeOld();
    expect(await links()).toEqual([7, 8, 9, 10]);
    expect(lines.filter(({ level }) => level === 50)).toEqual([]);
  });

  it("all of a quiet tenant go, and its next entry goes on with the chain", async () => {
    const quiet = await makePlace();
    [tenantId, person] = [quiet.tenantId, quiet.people[0]];
    for (let n = 1; n <= 3; n++) await write(n, DAYS + 9);
    await sealAt(DAYS + 8);
    await removeOld();
    expect(await targets()).toEqual([]);
    expect(await check()).toMatchObject({ fault: null, count: 3, checkedTo: 3, removed: 3 });
    expect(await faultsOfRestored()).toEqual([]);
    await write(4, 0);
    expect(await check()).toMatchObject({ fault: null, count: 4, checkedTo: 4, removed: 3 });
  });

  it("a broken chain loses nothing: the evidence stays", async () => {
    await forge(
      "update audit_log set target = '订单 99' where tenant_id = $1 and target = '订单 3'",
    );
    await removeOld();
    expect(await targets()).toHaveLength(9);
    expect(lines.at(-1)).toMatchObject({
      msg: "audit chain broken",
      tenantId,
      kind: "ENTRY_CHANGED",
    });
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_CHANGED", seq: 3 });
  });

  it("forged after the removal: changed and inserted entries are found", async () => {
    await removeOld();
    await forge(
      "update audit_log set target = '订单 99' where tenant_id = $1 and target = '订单 7'",
    );
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_CHANGED", seq: 7 });
    await forge(
      "update audit_log set target = '订单 7' where tenant_id = $1 and target = '订单 99'",
    );
    await forge(`
      with entry as (
        insert into audit_log (tenant_id, call, summary) values ($1, 'POST /x', '没有发生过')
        returning id)
      insert into audit_link select $1, 2, id, '' from entry`);
    expect((await check()).fault).toMatchObject({ kind: "ENTRY_ADDED", summary: "没有发生过" });
  });

  it("entries deleted by hand behind a base of one's own are found", async () => {
    await removeOld();
    const { hash } = (
      await owner.query("select hash from audit_link where tenant_id = $1 and seq = 8", [tenantId])
    ).rows[0];
    await forge("delete from audit_log where tenant_id = $1 and target in ('订单 7', '订单 8')");
    await forge("delete from audit_link where tenant_id = $1 and seq <= 8");
    expect((await check()).fault).toMatchObject({ kind: "LINK_MISSING", seq: 7 });
    await forge("update audit_base set seq = 8, hash = $2 where tenant_id = $1", [tenantId, hash]);
    expect((await check()).fault).toMatchObject({ kind: "SEAL_CHANGED", seq: 8 });
    await forge("delete from audit_base where tenant_id = $1");
    expect((await check()).fault).toMatchObject({ kind: "LINK_MISSING", seq: 1 });
  });

  it("the server's roles delete none by hand, none of the last 180 days, and set no base back", async () => {
    await removeOld();
    for (const statement of [
      sql`delete from audit_log where tenant_id = ${tenantId}`,
      sql`delete from audit_link where tenant_id = ${tenantId}`,
      sql`delete from audit_base`,
      sql`update audit_base set seq = 5 where tenant_id = ${tenantId}`,
      sql`update audit_base set seq = 8, hash = '\\x00' where tenant_id = ${tenantId}`,
    ]) {
      await expect(run(statement), statement.text).rejects.toMatchObject({ code: "42501" });
    }
    await write(10, 1);
    await expect(
      run(sql`
        update audit_base base set seq = link.seq, hash = link.hash from audit_link link
        where base.tenant_id = ${tenantId} and link.tenant_id = ${tenantId} and link.seq = 10`),
    ).rejects.toMatchObject({ code: "42501" });
    expect(await links()).toEqual([7, 8, 9, 10]);
  });
});

it("lag: a tenant that fails is logged, holds up no other, and the metric goes on growing", async () => {
  const [first, second] = [await makePlace(), await makePlace()];
  await run(sql`
    update retention_pass set complete_until = now() - interval '3 days' where kind = 'events'`);
  const seen: number[] = [];
  await removeDue({ database: testServer.database, log }, "events", async (_db, tenantId) => {
    if (tenantId === first.tenantId) throw new Error("broken");
    seen.push(tenantId);
    return null;
  });
  expect(seen).toContain(second.tenantId);
  expect(lines).toMatchObject([{ msg: "old rows not removed", tenantId: first.tenantId }]);
  const lag = async () => {
    await measureRetention(testServer.database);
    const text = await registry.getSingleMetricAsString("retention_lag_seconds");
    return Number(/kind="events"} ([\d.]+)/.exec(text)?.[1]);
  };
  expect(await lag()).toBeGreaterThan(250_000);
  await runTask(cabinetEventJobs, "cabinetEvent.removeOld");
  expect(await lag()).toBeLessThan(1_000);
});
