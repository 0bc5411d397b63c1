// SQL for the signed heads and bases of audit chains.
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import type { SignedBase, SignedHead } from "./audit-seal.crypto.ts";

/** A head is due by the first of these: entries since the last signed one, minutes since it was signed. */
const DUE = { entries: 100, minutes: 5 };

/** Chains that have grown, and whose head is due. */
export function findUnsealed(db: Db): Promise<{ tenantId: number }[]> {
  return db.many(sql`
    select head.tenant_id from audit_head head
    left join lateral (
      select seal.seq, seal.sealed_at from audit_seal seal where seal.tenant_id = head.tenant_id
      order by seal.seq desc limit 1) newest on true
    where head.seq > coalesce(newest.seq, 0) and (newest.seq is null
      or head.seq - newest.seq >= ${DUE.entries}
      or newest.sealed_at not between now() - make_interval(mins => ${DUE.minutes}) and now())
    order by head.tenant_id`);
}

export function findHead(db: Db, tenantId: number): Promise<Omit<SignedHead, "signature"> | null> {
  return db.maybe(sql`
    select head.tenant_id, head.seq, encode(head.hash, 'hex') as hash,
      to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
    from audit_head head where head.tenant_id = ${tenantId}`);
}

/** Null if the head was signed before; otherwise whether it is the first of its day. */
export async function insertSeal(
  db: Db,
  head: SignedHead,
): Promise<{ isFirstOfDay: boolean } | null> {
  const inserted = await db.maybe<{ isFirstOfDay: boolean }>(sql`
    insert into audit_seal (tenant_id, day, seq, hash, signature)
    values (${head.tenantId}, ${head.day}, ${head.seq}, decode(${head.hash}, 'hex'),
      decode(${head.signature}, 'base64'))
    on conflict do nothing
    returning not exists (
      select from audit_seal seal
      where seal.tenant_id = audit_seal.tenant_id and seal.day = audit_seal.day)
      as is_first_of_day`);
  if (inserted?.isFirstOfDay) await db.run(sql`select prune_audit_seals(${head.tenantId})`);
  return inserted;
}

/** Hash of the chain at this place, as it is now; null where the chain is shorter. */
export async function findLinkHash(db: Db, tenantId: number, seq: number): Promise<string | null> {
  const link = await db.maybe<{ hash: string }>(sql`
    select encode(link.hash, 'hex') as hash from audit_link link
    where link.tenant_id = ${tenantId} and link.seq = ${seq}`);
  return link?.hash ?? null;
}

export interface SealRow extends SignedHead {
  /** Hash at the same place of the chain as it is now, as signed where its link was removed; null: the chain is shorter. */
  linkHash: string | null;
}

/** The last head of each day: it contains those before it. */
const fields = (isOf: Sql) => sql`
  select distinct on (seal.day) seal.tenant_id, seal.day::text as day, seal.seq, encode(seal.hash, 'hex') as hash,
    translate(encode(seal.signature, 'base64'), E'\n', '') as signature,
    encode(case when seal.seq < base.seq then seal.hash when seal.seq = base.seq then base.hash
      else link.hash end, 'hex') as link_hash
  from audit_seal seal
  left join audit_base base on base.tenant_id = seal.tenant_id
  left join audit_link link on link.tenant_id = seal.tenant_id and link.seq = seal.seq
  where ${isOf}
  order by seal.day, seal.seq desc`;

export function findSeals(db: Db, session: Session, tenantId: number): Promise<SealRow[]> {
  return db.many(
    fields(sql`seal.tenant_id = ${tenantId} and ${tenantPredicate(session, sql`seal.tenant_id`)}`),
  );
}

/** All signed heads of the transaction's tenant. */
export function findSealsOf(db: Db, tenantId: number): Promise<SealRow[]> {
  return db.many(fields(sql`seal.tenant_id = ${tenantId}`));
}

/** The base of the transaction's tenant; null while its chain begins with its first entry. */
export function findBaseOf(db: Db, tenantId: number): Promise<SignedBase | null> {
  return db.maybe(sql`
    select base.tenant_id, base.seq, encode(base.hash, 'hex') as hash,
      translate(encode(base.signature, 'base64'), E'\n', '') as signature
    from audit_base base where base.tenant_id = ${tenantId}`);
}

/** Place of the newest signed head whose entries are all older than the tenant keeps them; null if they are gone. */
export async function findRemovableTo(db: Db, tenantId: number): Promise<number | null> {
  const { upTo } = await db.one<{ upTo: number | null }>(sql`
    select max(seal.seq) as up_to
    from audit_seal seal
    left join audit_base base on base.tenant_id = seal.tenant_id
    where seal.tenant_id = ${tenantId} and seal.seq > coalesce(base.seq, 0)
      and ${dayStartSql(sql`seal.day`, 1)} <= ${dueBeforeSql("keepAuditDays", sql`${tenantId}::int`)}`);
  return upTo;
}

/** Triggers remove the entries up to the base. */
export async function moveBase(db: Db, base: SignedBase): Promise<void> {
  await db.run(sql`
    insert into audit_base (tenant_id, seq, hash, signature)
    values (${base.tenantId}, ${base.seq}, decode(${base.hash}, 'hex'),
      decode(${base.signature}, 'base64'))
    on conflict (tenant_id) do update set seq = excluded.seq, hash = excluded.hash,
      signature = excluded.signature, moved_at = now()`);
}
