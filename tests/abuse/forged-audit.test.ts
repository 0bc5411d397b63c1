// A forged audit chain: rows and hashes rewritten with all rights in the database, found by the signed heads.
import { auditContract, type ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { auditJobs } from "../../apps/server/src/features/identity/audit/index.ts";
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

it("same day: a second run signs nothing more", async () => {
  await write(9);
  await seal();
  const { sealed, fault, count } = await check();
  expect([sealed?.seq, fault, count]).toEqual([8, null, 9]);
});
