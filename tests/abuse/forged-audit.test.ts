// A forged audit chain: rows and hashes rewritten with all rights in the database, found by the signed heads.
import { Readable } from "node:stream";
import { auditContract, type ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  headFileKeyOf,
  signHead,
} from "../../apps/server/src/features/identity/audit/audit-seal.crypto.ts";
import { insertSeal } from "../../apps/server/src/features/identity/audit/audit-seal.sql.ts";
import { acceptChain, auditJobs } from "../../apps/server/src/features/identity/audit/index.ts";
import { publishAuditHead } from "../../apps/server/src/features/messaging/webhook/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { forgeAudit } from "../support/audit-forgery.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
/** A connection as the owner of the tables: triggers and row-level security do not bind it. */
let owner: pg.Client;
let tenantId: number;
let person: Person;
let lines: Record<string, unknown>[];

const log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });

beforeAll(async () => {
  owner = new pg.Client({ connectionString: testServer.url });
  await owner.connect();
});
afterAll(() => owner.end());

beforeEach(async () => {
  lines = [];
  const made = await testServer.makeTenant();
  [tenantId, person] = [made.id, made.people[0]];
  for (let n = 1; n <= 8; n++) await write(n);
  await seal();
});

const write = (n: number) =>
  testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`
      insert into audit_log (tenant_id, call, summary, target)
      values (${tenantId}, 'POST /x', '退款', ${`订单 ${n}`})`),
  );

async function seal(): Promise<void> {
  const { tasks } = auditJobs({ files: testServer.files, publish: publishAuditHead });
  await tasks["audit.seal"]?.({}, { database: testServer.database, log });
}

async function check(): Promise<ChainCheck> {
  const query = { tenantId };
  return (await testServer.call(auditContract.check, person, { query })).data;
}

const put = (key: string, content: string) => testServer.files.put(key, Readable.from([content]));

const forge = (statement: string, values: unknown[] = [tenantId]) =>
  forgeAudit(owner, statement, values);

/** Recomputes all hashes with the database's own function, so that the chain agrees with itself again. */
const recompute = () =>
  forge(`
    with recursive chain as (
      select link.seq, link.entry_id, audit_hash('', link.seq, audit) as hash
      from audit_link link join audit_log audit on audit.tenant_id = link.tenant_id and audit.id = link.entry_id
      where link.tenant_id = $1 and link.seq = 1
      union all
      select link.seq, link.entry_id, audit_hash(chain.hash, link.seq, audit)
      from chain join audit_link link on link.tenant_id = $1 and link.seq = chain.seq + 1
      join audit_log audit on audit.tenant_id = link.tenant_id and audit.id = link.entry_id
    ), relinked as (
      update audit_link link set hash = chain.hash from chain
      where link.tenant_id = $1 and link.seq = chain.seq
    )
    update audit_head head set (seq, hash) = (select seq, hash from chain order by seq desc limit 1)
    where head.tenant_id = $1`);

it("untouched: agrees with the head of the day, which is in the log and with the tenant's receivers", async () => {
  const { fault, sealed, headHash } = await check();
  expect([fault, sealed?.seq]).toEqual([null, 8]);
  expect(lines.find((line) => line.tenantId === tenantId)).toMatchObject({
    msg: "audit head signed",
    seq: 8,
    hash: headHash,
    publicKey: expect.stringContaining("PUBLIC KEY"),
  });
  const events = await testServer.database.read("platform", (db) =>
    db.many<{ data: object }>(sql`
      select data from callback_event where tenant_id = ${tenantId} and type = 'audit.sealed'`),
  );
  expect(events).toMatchObject([{ data: { seq: 8, hash: headHash } }]);
});

it("entry changed and the chain recomputed: found", async () => {
  await forge("update audit_log set target = '订单 99' where tenant_id = $1 and target = '订单 3'");
  await recompute();
  expect((await check()).fault).toMatchObject({ kind: "SEAL_BROKEN", seq: 8 });
});

it("tail cut off with the head set back: found", async () => {
  await forge(
    "delete from audit_log where tenant_id = $1 and id in (select entry_id from audit_link where tenant_id = $1 and seq > 5)",
  );
  await forge("delete from audit_link where tenant_id = $1 and seq > 5");
  await recompute();
  expect((await check()).fault).toMatchObject({ kind: "SEAL_BROKEN" });
});

it("signed heads rewritten, or deleted: found, and the next run signs nothing over it", async () => {
  await forge("update audit_log set target = '订单 99' where tenant_id = $1 and target = '订单 3'");
  await recompute();
  await forge(
    "update audit_seal seal set hash = head.hash from audit_head head where head.tenant_id = $1 and seal.tenant_id = $1",
  );
  expect((await check()).fault).toMatchObject({ kind: "SEAL_CHANGED" });
  await forge("delete from audit_seal where tenant_id = $1");
  expect((await check()).fault).toMatchObject({ kind: "SEAL_MISSING", seq: 8 });
  await write(9);
  await seal();
  expect((await check()).fault).toMatchObject({ kind: "SEAL_MISSING", seq: 8 });
  expect(lines.at(-1)).toMatchObject({ msg: "audit chain broken", level: 50, tenantId });
});

/** As if the last head had been signed six minutes ago. */
const laterThatDay = () =>
  forge("update audit_seal set sealed_at = now() - interval '6 minutes' where tenant_id = $1");

it("entry of the same day changed and the chain recomputed: found minutes later", async () => {
  await write(9);
  await laterThatDay();
  await seal();
  expect(await check()).toMatchObject({ fault: null, sealed: { seq: 9 } });
  await forge("update audit_log set target = '订单 99' where tenant_id = $1 and target = '订单 9'");
  await recompute();
  expect((await check()).fault).toMatchObject({ kind: "SEAL_BROKEN", seq: 9 });
});

it("hundred entries within five minutes: signed at once", async () => {
  for (let n = 9; n <= 107; n++) await write(n);
  await seal();
  expect((await check()).sealed?.seq).toBe(8);
  await write(108);
  await seal();
  expect((await check()).sealed?.seq).toBe(108);
});

it("of a day that is over, the last head stays", async () => {
  tenantId = (await testServer.makeTenant()).id;
  for (let n = 1; n <= 8; n++) await write(n);
  const signed = async (seq: number) => {
    const link = await testServer.database.read("platform", (db) =>
      db.one<{ day: string; hash: string }>(sql`
        select ((now() at time zone 'Asia/Shanghai')::date - 1)::text as day,
          encode(hash, 'hex') as hash
        from audit_link where tenant_id = ${tenantId} and seq = ${seq}`),
    );
    return signHead(testServer.vault, { tenantId, seq, ...link });
  };
  for (const seq of [4, 6]) {
    const head = await signed(seq);
    await testServer.database.transaction("platform", (db) => insertSeal(db, head));
    await put(headFileKeyOf(tenantId), JSON.stringify(head));
  }
  await forge("update audit_seal set sealed_at = now() - interval '1 day' where tenant_id = $1");
  await seal();
  const { seqs } = await testServer.database.read("platform", (db) =>
    db.one<{ seqs: number[] }>(sql`
      select array_agg(seq order by seq) as seqs from audit_seal where tenant_id = ${tenantId}`),
  );
  expect(seqs).toEqual([6, 8]);
});

it.each([
  ["deleted", (key: string) => testServer.files.remove(key), "SEAL_MISSING"],
  ["emptied", (key: string) => put(key, ""), "SEAL_CHANGED"],
  ["replaced", (key: string) => put(key, JSON.stringify({ seq: 8 })), "SEAL_CHANGED"],
])("file of the head %s: found, and accepted by hand alone", async (_, harm, kind) => {
  await harm(headFileKeyOf(tenantId));
  expect((await check()).fault).toMatchObject({ kind, seq: 8 });
  await write(9);
  await laterThatDay();
  await seal();
  expect((await check()).fault).toMatchObject({ kind });
  await testServer.database.transaction("platform", (db) =>
    acceptChain(db, { files: testServer.files, log }, tenantId),
  );
  expect(await check()).toMatchObject({ fault: null, sealed: { seq: 9 } });
});

it("run killed between file and row: no fault, and the next run goes on", async () => {
  await write(9);
  const head = await testServer.database.transaction("platform", async (db) => {
    const row = await db.one<{ day: string; seq: number; hash: string }>(sql`
      select '2026-11-30' as day, seq, encode(hash, 'hex') as hash
      from audit_head where tenant_id = ${tenantId}`);
    return signHead(db.vault, { tenantId, ...row });
  });
  await put(headFileKeyOf(tenantId), JSON.stringify(head));
  expect((await check()).fault).toBe(null);
  await laterThatDay();
  await seal();
  expect(await check()).toMatchObject({ fault: null, sealed: { seq: 9 } });
});

it("same day: a second run signs nothing more", async () => {
  await write(9);
  await seal();
  const { sealed, fault, count } = await check();
  expect([sealed?.seq, fault, count]).toEqual([8, null, 9]);
});
