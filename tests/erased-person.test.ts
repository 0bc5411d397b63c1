// Erasure of a person (0095): a search of the whole database finds neither phone, name nor texts, except where the document
// of the promise says so.
import { randomUUID } from "node:crypto";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endUserJobs } from "../apps/server/src/features/orders/end-user/index.ts";
import { fileJobs } from "../apps/server/src/features/organization/file/index.ts";
import type { JobSet } from "../apps/server/src/platform/jobs/jobs.ts";
import { PIXEL_PNG } from "./support/adverts.ts";
import type { Ids } from "./support/call-row.ts";
import { makeWorld } from "./support/tenant-world.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();
/** Triggers and row-level security do not bind the owner of the tables. */
let owner: pg.Client;
let operator: Person;
let ids: Ids;
let phone: string;

const mark = randomUUID().slice(0, 8);
/** Texts that identify the person, or that they or others wrote, by the kind of text. */
let marks: Record<string, string>;

beforeAll(async () => {
  owner = new pg.Client({ connectionString: testServer.url });
  await owner.connect();
  await testServer.makeTenant(1);
  const tenant = await testServer.makeTenant();
  operator = tenant.people[1];
  ({ ids } = await makeWorld(testServer, tenant.id, null));
  const found = await owner.query("select phone from end_user where id = $1", [ids.endUserId]);
  phone = found.rows[0].phone;
  marks = {
    phone,
    masked: maskPhone(phone),
    sealed: Buffer.from(phone).toString("hex"),
    ...{
      name: `张${mark}`,
      openid: `o-${mark}`,
      browser: `agent-${mark}`,
      address: "203.0.113.77",
    },
    ...{
      lock: `锁定-${mark}`,
      note: `备注-${mark}`,
      goods: `物品-${mark}`,
      report: `报修-${mark}`,
    },
    ...{ photo: `photo-${mark}`, reason: `原因-${mark}`, reveal: `核实-${mark}` },
  };
});
afterAll(() => owner.end());

async function runTask({ tasks }: JobSet, name: string): Promise<void> {
  await tasks[name]?.({}, { database: testServer.database, log: pino({ level: "silent" }) });
}

interface Column {
  table: string;
  columns: string[];
}

/** Tables with the names of their columns; partitions belong to their table. */
async function findTables(): Promise<Column[]> {
  const { rows } = await owner.query<Column>(`
    select c.oid::regclass::text as table, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace::regnamespace::text in ('public', 'graphile_worker')
      and c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid`);
  return rows;
}

/** Kinds of the person's texts that the database has, by `table.column`, whatever its type. */
async function findTraces(): Promise<Record<string, string[]>> {
  const traces: Record<string, string[]> = {};
  for (const { table } of await findTables()) {
    const { rows } = await owner.query<{ key: string; value: string }>(
      `select entry.key, entry.value from ${table} source_row
        cross join jsonb_each_text(to_jsonb(source_row)) entry where entry.value like any($1)`,
      [Object.values(marks).map((text) => `%${text}%`)],
    );
    for (const { key, value } of rows) {
      const kinds = Object.keys(marks).filter((kind) => value.includes(marks[kind] ?? ""));
      const place = `${table}.${key}`;
      traces[place] = [...new Set([...(traces[place] ?? []), ...kinds])].sort();
    }
  }
  return traces;
}

const REFERENCES = ["end_user_id", "recipient_id", "rider_id"];

/** Tables that can refer to a person and have no row of this one: the search would prove nothing about them. */
async function findUntouched(): Promise<string[]> {
  const untouched: string[] = [];
  for (const { table, columns } of await findTables()) {
    const conditions = REFERENCES.filter((name) => columns.includes(name)).map(
      (name) => `${name} = $1`,
    );
    if (columns.includes("actor_kind"))
      conditions.push("actor_kind = 'END_USER' and actor_id = $1");
    if (columns.includes("reader_kind"))
      conditions.push("reader_kind = 'END_USER' and reader_id = $1");
    if (conditions.length === 0) continue;
    const { rows } = await owner.query(
      `select from ${table} where ${conditions.join(" or ")} limit 1`,
      [ids.endUserId],
    );
    if (rows.length === 0) untouched.push(table);
  }
  return untouched;
}

async function call(as: Person, spec: keyof typeof endUserContract, input: object): Promise<void> {
  const params = { id: ids.endUserId };
  const { errMsg } = await testServer.call(endUserContract[spec], as, { params, ...input });
  expect(errMsg, spec).toBe("");
}

/** The person uses the app, and operators work on them, by calls. */
async function leaveTracesByCalls(): Promise<void> {
  await owner.query("update end_user set name = $2 where id = $1", [ids.endUserId, marks.name]);
  await call(operator, "lock", { query: { lock: true, reason: marks.lock } });
  await call(operator, "lock", { query: { lock: false, reason: `误锁 ${marks.lock}` } });
  await call(operator, "addNote", { body: { text: marks.note } });
  await call(operator, "showPhone", { body: { reason: marks.reveal } });
  const person = await testServer.makeAppPerson(ids.tenantId, ids.endUserId);
  const { rows } = await owner.query("select sn from cabinet where id = $1", [ids.cabinetId]);
  const file = { name: `${marks.photo}.png`, bytes: PIXEL_PNG };
  const photo = await testServer.call(appPageContract.uploadPhoto, person, { body: {}, file });
  for (const photoIds of [[photo.data.id], []]) {
    const words = `${marks.report}，请回电 ${phone}`;
    const body = { sn: rows[0].sn, kind: "OTHER", description: words, photoIds };
    const { errMsg } = await testServer.call(appPageContract.reportMalfunction, person, { body });
    expect(errMsg).toBe("");
  }
}

/** Rows that doors, payments and messages leave; money and goods are settled, so that the person can be deleted. */
async function leaveTracesByRows(): Promise<void> {
  const { tenantId, endUserId, orderId, cabinetId } = ids;
  const { name, openid, browser, address, goods, reason, sealed } = marks;
  const run = (text: string, values: unknown[]) => owner.query(text, values);
  await run("delete from live_order where order_id = $1", [orderId]);
  await run(
    `update storage_order set state = 'COMPLETED', ended_at = now(), item_note = $2,
      exception_reason = $3 where id = $1`,
    [orderId, goods, reason],
  );
  await run(
    `insert into order_event (tenant_id, order_id, kind, actor_kind, actor_id, actor_name, detail)
      values ($1, $2, 'DOOR_OPENED', 'END_USER', $3, $4, jsonb_build_object('reason', $5::text))`,
    [tenantId, orderId, endUserId, name, reason],
  );
  await run(
    `insert into command (tenant_id, cabinet_id, kind, compartment_no, side, state, reason, order_id,
      actor_kind, actor_id, actor_name, expires_at)
      values ($1, $2, 'OPEN', 3, 'FRONT', 'CONFIRMED', '取件', $3, 'END_USER', $4, $5, now())`,
    [tenantId, cabinetId, orderId, endUserId, name],
  );
  const actor = "actor_kind = 'END_USER', actor_id = $1, actor_name = $2, reason = $3";
  await run(`update ledger_journal set ${actor} where end_user_id = $1`, [endUserId, name, reason]);
  await run(`update top_up set ${actor}, openid = $4, payer_address = $5 where end_user_id = $1`, [
    endUserId,
    name,
    reason,
    openid,
    address,
  ]);
  await run("update wallet set principal_fen = 0, bonus_fen = 0 where end_user_id = $1", [
    endUserId,
  ]);
  await run("update user_package set expires_at = now() where end_user_id = $1", [endUserId]);
  await run(
    "update reconciliation_difference set state = 'RESOLVED', resolution = $2 where end_user_id = $1",
    [endUserId, reason],
  );
  await run("update mini_program_user set openid = $2 where end_user_id = $1", [endUserId, openid]);
  await run("update app_session set user_agent = $2, address = $3 where end_user_id = $1", [
    ...[endUserId, browser, address],
  ]);
  await run("update subscribe_message set sealed_content = $2 where end_user_id = $1", [
    ...[endUserId, Buffer.from(sealed ?? "", "hex")],
  ]);
  await run("update sms_message set phone = $2, sealed_text = $3 where order_id = $1", [
    ...[orderId, phone, Buffer.from(phone)],
  ]);
  await run("update sign_in_code set phone = $2 where tenant_id = $1", [tenantId, phone]);
  await run("update sign_in_request set phone = $2 where tenant_id = $1", [tenantId, phone]);
  await run(
    `insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id)
      select tenant_id, id, 'END_USER', $2 from announcement where tenant_id = $1 limit 1`,
    [tenantId, endUserId],
  );
  await run("update idempotency_key set reply = $2 where tenant_id = $1", [
    ...[tenantId, JSON.stringify({ name })],
  ]);
  await run("update list_export_chunk set rows = $2 where tenant_id = $1", [
    ...[tenantId, JSON.stringify([marks.masked])],
  ]);
  await run("update open_call set request_body = $2 where tenant_id = $1", [
    ...[tenantId, JSON.stringify({ itemNote: goods })],
  ]);
}

it("erasure: nothing is left of a person in the whole database, except what is listed", async () => {
  await leaveTracesByCalls();
  await leaveTracesByRows();
  expect(await findUntouched()).toEqual([]);
  const before = await findTraces();
  const kinds = new Set(Object.values(before).flat());
  expect([...kinds].sort(), "each text is somewhere").toEqual(Object.keys(marks).sort());

  await call(operator, "delete", {});
  await owner.query("update file set unused_since = unused_since - interval '2 days'");
  await runTask(fileJobs(testServer.files), "file.sweep");
  expect(await findTraces()).toEqual({
    // Accounts for operators: a chain of hashes that nobody can edit, kept for the tenant's days.
    "audit_log.target": ["masked", "name"],
    "audit_log.before": ["lock", "masked", "name"],
    "audit_log.after": ["lock"],
    "audit_log.reason": ["lock", "reveal"],
    // Reasons of orders and money are evidence.
    "storage_order.exception_reason": ["reason"],
    "order_event.detail": ["reason"],
    "ledger_journal.reason": ["reason"],
    "top_up.reason": ["reason"],
    "reconciliation_difference.resolution": ["reason"],
    // Gone by themselves: after three days, an hour, and thirty days.
    "idempotency_key.reply": ["name"],
    "list_export_chunk.rows": ["masked"],
    "open_call.request_body": ["goods"],
  });
});

it("erasure: once more in the night after, for requests under way and for people whom an earlier release deleted", async () => {
  const { tenantId, endUserId } = ids;
  const run = async (text: string) => (await owner.query(text, [endUserId])).rows;
  const state = "select deleted_at, is_erased from end_user where id = $1";
  const leaveLock = () =>
    run(`insert into end_user_lock (tenant_id, end_user_id, is_lock, reason, actor_name)
      values (${tenantId}, $1, true, '损坏柜机', '李伟')`);
  const locks = () => run("select from end_user_lock where end_user_id = $1");
  const [deleted] = await run(state);
  expect(deleted).toEqual({ deleted_at: expect.anything(), is_erased: false });
  await leaveLock();
  await runTask(endUserJobs, "endUser.forgetInactive");
  expect(await locks()).toEqual([]);
  expect(await run(state)).toEqual([{ ...deleted, is_erased: true }]);
  await leaveLock();
  await runTask(endUserJobs, "endUser.forgetInactive");
  expect(await locks(), "not every night").toHaveLength(1);
});

it("erasure: a courier's thousands of orders are erased by the next night, in transactions of two thousand at most", async () => {
  const { tenantId, orderId } = ids;
  const courier = await owner.query(
    `insert into end_user (tenant_id, phone, name) values ($1, '13900001111', '赵四') returning id`,
    [tenantId],
  );
  const endUserId = courier.rows[0].id;
  await owner.query(
    `insert into storage_order
      select (jsonb_populate_record(null::storage_order, to_jsonb(ord)
        || jsonb_build_object('id', new_order_id(), 'rider_id', $2::bigint, 'item_note', '文件'))).*
      from storage_order ord, generate_series(1, 2500) where ord.tenant_id = $1 and ord.id = $3`,
    [tenantId, endUserId, orderId],
  );
  await owner.query(
    `insert into order_event (tenant_id, order_id, kind, actor_kind, actor_id, actor_name)
      select tenant_id, id, 'DOOR_OPENED', 'END_USER', rider_id, '赵四' from storage_order
      where rider_id = $1`,
    [endUserId],
  );
  const { errMsg } = await testServer.call(endUserContract.delete, operator, {
    params: { id: endUserId },
  });
  expect(errMsg).toBe("");
  await runTask(endUserJobs, "endUser.forgetInactive");
  // Rows that one transaction has written have its number.
  const { rows } = await owner.query(
    `select actor_name, count(*)::int as orders from order_event where actor_id = $1
      group by actor_name, xmin order by orders`,
    [endUserId],
  );
  expect(rows).toEqual([
    { actor_name: "已注销用户", orders: 500 },
    { actor_name: "已注销用户", orders: 2_000 },
  ]);
  const left = await owner.query(
    "select from storage_order where rider_id = $1 and item_note <> ''",
    [endUserId],
  );
  expect(left.rows).toEqual([]);
});
