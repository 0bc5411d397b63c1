// SQL for the signed heads of audit chains.
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import type { SignedHead } from "./audit-seal.crypto.ts";

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
  /** Hash at the same place of the chain as it is now; null: the chain is shorter. */
  linkHash: string | null;
}

const fields = (isOf: Sql) => sql`
  select seal.tenant_id, seal.day::text as day, seal.seq, encode(seal.hash, 'hex') as hash,
    translate(encode(seal.signature, 'base64'), E'\n', '') as signature,
    encode(link.hash, 'hex') as link_hash
  from audit_seal seal
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
