// Checks restored data: pages and indexes, ledger and SMS credit, audit chains, files.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { SettingsError } from "../platform/env.ts";
import { FILES_FOLDER } from "./manifest.ts";

export interface Checks {
  tables: number;
  rows: number;
  indexes: number;
  journals: number;
  auditEntries: number;
  files: number;
}

/** Throws with a list of all faults. `dataDir` is null when the files are in an S3 store. */
export async function checkData(client: pg.Client, dataDir: string | null): Promise<Checks> {
  const faults: string[] = [];
  const pages = await checkPages(client, faults);
  await checkBooks(client, faults);
  const counts = await client.query<{ journals: number; auditEntries: number }>(`
    select (select count(*)::int from ledger_journal) as journals,
      (select count(*)::int from audit_log) as "auditEntries"`);
  const files = dataDir === null ? 0 : await checkFiles(client, dataDir, faults);
  if (faults.length > 0) {
    throw new SettingsError(
      `恢复出的数据没有通过检查：\n${faults.map((each) => `- ${each}`).join("\n")}`,
    );
  }
  const { journals = 0, auditEntries = 0 } = counts.rows[0] ?? {};
  return { ...pages, journals, auditEntries, files };
}

/** Verifies every page of every table, and every index entry against its table (amcheck). */
async function checkPages(client: pg.Client, faults: string[]) {
  const total = { tables: 0, rows: 0, indexes: 0 };
  await client.query("begin");
  try {
    await client.query("create extension amcheck");
    const { rows: tables } = await client.query<{ oid: number; name: string }>(`
      select c.oid::int, c.oid::regclass::text as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
    for (const { oid, name } of tables) {
      const { rows: found } = await client.query<{ msg: string }>(
        "select msg from verify_heapam($1::regclass) limit 3",
        [oid],
      );
      faults.push(...found.map(({ msg }) => `表 ${name}：${msg}`));
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${name}`);
      total.rows += rows[0]?.n ?? 0;
    }
    total.tables = tables.length;
    const { rows: indexes } = await client.query<{ oid: number; name: string }>(`
      select c.oid::int, c.oid::regclass::text as name from pg_class c
      join pg_am am on am.oid = c.relam join pg_index i on i.indexrelid = c.oid
      where c.relkind = 'i' and am.amname = 'btree' and i.indisvalid and i.indisready`);
    for (const { oid, name } of indexes) {
      await client.query("savepoint looking");
      await client
        .query("select bt_index_check($1::regclass, true)", [oid])
        .catch(async (error: Error) => {
          faults.push(`索引 ${name}：${error.message}`);
          await client.query("rollback to looking");
        });
    }
    total.indexes = indexes.length;
  } finally {
    await client.query("rollback");
  }
  return total;
}

/** Each query counts contradictions; 0 is correct. */
const books: Record<string, string> = {
  借贷不平的流水: `
    select count(*)::int as n from (
      select from ledger_leg group by tenant_id, journal_id having sum(amount_fen) <> 0) odd`,
  余额与流水之和不一致的钱包: `
    select count(*)::int as n from wallet
    left join (
      select tenant_id, end_user_id, sum(principal_fen) as principal, sum(bonus_fen) as bonus
      from ledger_journal group by tenant_id, end_user_id) journal_sum
      on journal_sum.tenant_id = wallet.tenant_id and journal_sum.end_user_id = wallet.end_user_id
    where (wallet.principal_fen, wallet.bonus_fen) is distinct from (coalesce(journal_sum.principal,
      0), coalesce(journal_sum.bonus, 0))`,
  冻结与冻结记录不一致的钱包: `
    select count(*)::int as n from wallet
    left join (
      select tenant_id, end_user_id, sum(principal_fen) as principal, sum(bonus_fen) as bonus
      from wallet_hold where state = 'HELD' group by tenant_id, end_user_id) hold_sum
      on hold_sum.tenant_id = wallet.tenant_id and hold_sum.end_user_id = wallet.end_user_id
    where (wallet.held_principal_fen, wallet.held_bonus_fen)
      is distinct from (coalesce(hold_sum.principal, 0), coalesce(hold_sum.bonus, 0))`,
  短信余额与记录不一致的租户: `
    select count(*)::int as n from sms_account account
    left join (
      select tenant_id, sum(segments) as segments from sms_credit_entry
      group by tenant_id) credit_sum
      on credit_sum.tenant_id = account.tenant_id
    where account.balance <> coalesce(credit_sum.segments, 0)`,
  短信冻结与冻结记录不一致的租户: `
    select count(*)::int as n from sms_account account
    left join (
      select tenant_id, sum(segments) as segments from sms_hold where state = 'HELD'
      group by tenant_id) hold_sum on hold_sum.tenant_id = account.tenant_id
    where account.held <> coalesce(hold_sum.segments, 0)`,
  审计校验链断开或被改的记录: `
    select count(*)::int as n from (
      select link.seq, link.hash,
        lag(link.hash, 1, coalesce(base.hash, '')) over in_order as previous,
        row_number() over in_order + coalesce(base.seq, 0) as due, audit
      from audit_link link
      left join audit_base base on base.tenant_id = link.tenant_id
      left join audit_log audit on audit.tenant_id = link.tenant_id and audit.id = link.entry_id
      window in_order as (partition by link.tenant_id order by link.seq)) placed
    where seq <> due or (audit).id is null or hash <> audit_hash(previous, seq, audit)`,
  末尾被截断的审计校验链: `
    select count(*)::int as n from audit_head head
    left join audit_link link on link.tenant_id = head.tenant_id and link.seq = head.seq
    left join audit_base base on base.tenant_id = head.tenant_id and base.seq = head.seq
    where head.seq > 0 and coalesce(link.hash, base.hash) is distinct from head.hash`,
};

/** Adds a line for each kind of contradiction. */
export async function checkBooks(client: pg.Client, faults: string[]): Promise<void> {
  for (const [fault, query] of Object.entries(books)) {
    const { rows } = await client.query<{ n: number }>(query);
    const n = rows[0]?.n ?? 0;
    if (n > 0) faults.push(`${fault}：${n}`);
  }
}

async function checkFiles(client: pg.Client, dataDir: string, faults: string[]): Promise<number> {
  const { rows } = await client.query<{ name: string; key: string; sha256: string }>(
    "select name, storage_key as key, sha256 from file order by storage_key",
  );
  for (const { name, key, sha256 } of rows) {
    const place = path.join(dataDir, FILES_FOLDER, key.slice(0, 2), key);
    const found = await hashOf(place);
    if (found === null) faults.push(`文件“${name}”（${key}）缺失`);
    else if (found !== sha256) faults.push(`文件“${name}”（${key}）内容与登记的不同`);
  }
  return rows.length;
}

async function hashOf(file: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch {
    return null;
  }
  return hash.digest("hex");
}
