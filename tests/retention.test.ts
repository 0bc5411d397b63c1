// Retention of personal data: what a tenant's days have passed for is removed by the nightly jobs, and nothing else.
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { RETENTION } from "@cabinet/contract/organization/tenant-setting/tenant-setting.rules.ts";
import { pino } from "pino";
import { beforeAll, expect, it } from "vitest";
import { authJobs } from "../apps/server/src/features/identity/auth/index.ts";
import { smsJobs } from "../apps/server/src/features/messaging/sms/index.ts";
import { malfunctionJobs } from "../apps/server/src/features/operations/malfunction/index.ts";
import { endUserJobs } from "../apps/server/src/features/orders/end-user/index.ts";
import { fileJobs } from "../apps/server/src/features/organization/file/index.ts";
import type { Db } from "../apps/server/src/platform/db/db.ts";
import { type Sql, sql } from "../apps/server/src/platform/db/sql.ts";
import type { JobSet } from "../apps/server/src/platform/jobs/jobs.ts";
import { makeCabinet } from "./support/cabinets.ts";
import { insertMalfunctions } from "./support/malfunctions.ts";
import { insertEndUser, insertOrder, insertSms } from "./support/orders.ts";
import { withClient } from "./support/postgres.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();
const log = pino({ level: "silent" });
/** Keeps as usual, and keeps a shorter time. */
let usual: Place;
let short: Place;

interface Place {
  tenantId: number;
  cabinetId: number;
  admin: Person;
}

const write = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);
const run = (statement: Sql) => write((db) => db.run(statement));
const one = <Row>(statement: Sql) => write((db) => db.one<Row>(statement));

async function runTask({ tasks }: JobSet, name: string): Promise<void> {
  await tasks[name]?.({}, { database: testServer.database, log });
}

const FEWEST = {
  keepPeopleDays: RETENTION.keepPeopleDays.least,
  keepMessagesDays: RETENTION.keepMessagesDays.least,
  keepPhotosDays: RETENTION.keepPhotosDays.least,
  keepLogsDays: RETENTION.keepLogsDays.least,
};

async function makePlace(): Promise<Place> {
  const { id: tenantId, people } = await testServer.makeTenant();
  const { id: cabinetId } = await makeCabinet(testServer, { tenantId });
  return { tenantId, cabinetId, admin: people[1] };
}

beforeAll(async () => {
  [usual, short] = [await makePlace(), await makePlace()];
  const { data } = await testServer.call(tenantSettingContract.setting, short.admin, { query: {} });
  const { isHint, tellsOverdue, servicePhone, openingHours, smsSign, logoId, mapKey } = data;
  const kept = { isHint, tellsOverdue, servicePhone, openingHours, smsSign, logoId, mapKey };
  const body = { ...kept, ...FEWEST, editVersion: 0 };
  const saved = await testServer.call(tenantSettingContract.saveSetting, short.admin, { body });
  expect(saved.errMsg).toBe("");
});

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days}::int)`;

async function makeSeen(tenantId: number, days: number): Promise<number> {
  const id = await write((db) => insertEndUser(db, tenantId, "李四"));
  await run(sql`update end_user set created_at = ${daysAgo(days)} where id = ${id}`);
  await run(sql`update wallet set principal_fen = 0, bonus_fen = 0 where end_user_id = ${id}`);
  return id;
}

async function areForgotten(ids: number[]): Promise<boolean[]> {
  const rows = await write((db) =>
    db.many<{ id: number }>(
      sql`select id from end_user where id = any(${ids}::bigint[]) and deleted_at is not null`,
    ),
  );
  return ids.map((id) => rows.some((row) => row.id === id));
}

it("people: forgotten after their tenant's days, unless they came back, owe, own or are locked", async () => {
  const { keepPeopleDays: days } = FEWEST;
  const gone = await makeSeen(short.tenantId, days + 1);
  await run(sql`
    insert into end_user_note (tenant_id, end_user_id, text, actor_id, actor_name)
    values (${short.tenantId}, ${gone}, '常投诉', 1, '李伟')`);
  const lately = await makeSeen(short.tenantId, days - 1);
  const elsewhere = await makeSeen(usual.tenantId, days + 1);
  const longGone = await makeSeen(usual.tenantId, RETENTION.keepPeopleDays.usual + 1);
  const returned = await makeSeen(short.tenantId, days + 1);
  await run(sql`update end_user set last_seen_at = now() where id = ${returned}`);
  const ordered = await makeSeen(short.tenantId, days + 1);
  const { tenantId, cabinetId } = short;
  await write((db) =>
    insertOrder(db, { tenantId, cabinetId, recipientId: ordered, state: "COMPLETED" }),
  );
  const old = await makeSeen(short.tenantId, days + 9);
  const createdAt = new Date(Date.now() - (days + 1) * 86_400_000);
  await write((db) =>
    insertOrder(db, { tenantId, cabinetId, recipientId: old, state: "COMPLETED", createdAt }),
  );
  const owning = await makeSeen(short.tenantId, days + 1);
  await run(sql`update wallet set principal_fen = 1 where end_user_id = ${owning}`);
  const locked = await makeSeen(short.tenantId, days + 1);
  await run(sql`
    update end_user set state = 'LOCKED', locked_at = now(), lock_reason = '损坏柜机' where id = ${locked}`);

  await runTask(endUserJobs, "endUser.forgetInactive");
  expect(await areForgotten([gone, longGone, old])).toEqual([true, true, true]);
  expect(await areForgotten([lately, elsewhere, returned, ordered, owning, locked])).toEqual(
    Array(6).fill(false),
  );
  const notes = await write((db) => db.many(sql`select from end_user_note`));
  expect(notes).toEqual([]);
});

it("text messages: phone and text go, number and cost stay", async () => {
  const { keepMessagesDays: days } = FEWEST;
  const make = async ({ tenantId, cabinetId }: Place, age: number) => {
    const recipientId = await write((db) => insertEndUser(db, tenantId, "李四"));
    const orderId = await write((db) =>
      insertOrder(db, { tenantId, cabinetId, recipientId, state: "COMPLETED" }),
    );
    const id = await write((db) => insertSms(db, { tenantId, orderId, mark: "取件码 1234" }));
    // Requests may not change the time of a message.
    await withClient(testServer.url, (owner) =>
      owner.query(
        `update sms_message set state = 'DELIVERED', due_at = null,
          created_at = now() - make_interval(days => $1) where id = $2`,
        [age, id],
      ),
    );
    return id;
  };
  const due = await make(short, days + 1);
  const kept = [await make(short, days - 1), await make(usual, days + 1)];
  const waiting = await make(short, days + 1);
  await run(sql`update sms_message set state = 'QUEUED', due_at = now() where id = ${waiting}`);
  const urls = { aliyunSmsUrl: "http://127.0.0.1:1", tencentSmsUrl: "http://127.0.0.1:1" };
  await runTask(smsJobs(urls), "sms.forgetOld");
  const erased = await write((db) =>
    db.many<{ id: number; segments: number; text: Buffer }>(sql`
      select id, segments, sealed_text as text from sms_message
      where phone = '' and id = any(${[due, waiting, ...kept]}::bigint[])`),
  );
  expect(erased).toEqual([{ id: due, segments: expect.any(Number), text: Buffer.alloc(0) }]);
});

it("photos of malfunctions: deleted with their bytes after the malfunction was closed", async () => {
  const make = async (place: Place, age: number | null) => {
    const { workedMalfunctionId, malfunctionPhotoId } = await write((db) =>
      insertMalfunctions(testServer, db, { ...place, mark: `照片 ${age}` }),
    );
    if (age !== null) {
      await run(sql`
        update malfunction set state = 'CLOSED', closed_at = ${daysAgo(age)}
        where id = ${workedMalfunctionId}`);
    }
    return malfunctionPhotoId;
  };
  const { keepPhotosDays: days } = FEWEST;
  const due = await make(short, days + 1);
  const other = await makePlace();
  const kept = [await make(usual, days + 1), await make(other, null)];
  await runTask(malfunctionJobs, "malfunction.removeOldPhotos");
  await run(sql`
    update file set unused_since = unused_since - interval '2 days' where unused_since is not null`);
  await runTask(fileJobs(testServer.files), "file.sweep");
  const { ids } = await one<{ ids: string[] }>(sql`
    select array_agg(id::text) as ids from file where id = any(${[due, ...kept]}::uuid[])`);
  expect(ids.sort()).toEqual(kept.sort());
});

it("sign-in log: deleted after the tenant's days", async () => {
  const { keepLogsDays: days } = FEWEST;
  for (const { admin } of [usual, short]) {
    const { tenantId, operatorId, username } = admin;
    await run(sql`
      insert into login_log (tenant_id, operator_id, username, outcome, at)
      select ${tenantId}, ${operatorId}, ${username}, 'SIGNED_IN', now() - make_interval(days => d)
      from unnest(array[1, ${days + 1}::int]) d`);
  }
  await runTask(authJobs, "auth.deleteExpired");
  const count = async ({ admin }: Place) =>
    (await testServer.call(loginLogContract.list, admin, { query: {} })).data.total;
  expect([await count(usual), await count(short)]).toEqual([2, 1]);
});
