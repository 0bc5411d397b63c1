// SQL for the signed heads and bases of audit chains.
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import type { SignedBase, SignedHead } from "./audit-seal.crypto.ts";

/** Chains that have grown since their last signed head. */
export function findUnsealed(db: Db): Promise<{ tenantId: number }[]> {
  return db.many(sql`
    select head.tenant_id from audit_head head
    where head.seq > coalesce((
      select max(seal.seq) from audit_seal seal where seal.tenant_id = head.tenant_id), 0)
    order by head.tenant_id`);
}

export function findHead(db: Db, tenantId: number): Promise<Omit<SignedHead, "signature"> | null> {
  return db.maybe(sql`
    select head.tenant_id, head.seq, encode(head.hash, 'hex') as hash,
      to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
    from audit_head head where head.tenant_id = ${tenantId}`);
}

export async function insertSeal(db: Db, head: SignedHead): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into audit_seal (tenant_id, day, seq, hash, signature)
    values (${head.tenantId}, ${head.day}, ${head.seq}, decode(${head.hash}, 'hex'),
      decode(${head.signature}, 'base64'))
    on conflict do nothing`);
  return inserted === 1;
}

export interface SealRow extends SignedHead {
  /** Hash at the same place of the chain as it is now, as signed where its link was removed; null: the chain is shorter. */
  linkHash: string | null;
}

const fields = (isOf: Sql) => sql`
  select seal.tenant_id, seal.day::text as day, seal.seq, encode(seal.hash, 'hex') as hash,
    translate(encode(seal.signature, 'base64'), E'\n', '') as signature,
    encode(case when seal.seq < base.seq then seal.hash when seal.seq = base.seq then base.hash
      else link.hash end, 'hex') as link_hash
  from audit_seal seal
  left join audit_base base on base.tenant_id = seal.tenant_id
  left join audit_link link on link.tenant_id = seal.tenant_id and link.seq = seal.seq
  where ${isOf}
  order by seal.day`;

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
