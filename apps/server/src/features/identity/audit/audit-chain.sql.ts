// SQL for verifying the audit hash chain: its length per tenant, and one stretch recomputed.
import type { AuditChain, ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";

/** Links verified per call; hashing this many takes a fraction of a second. */
const STRETCH = 5_000;

/** One row per tenant, even where the head of its chain is missing. */
export function findChains(db: Db, session: Session, tenantId?: number): Promise<AuditChain[]> {
  return db.many(sql`
    select t.id as "tenantId", t.name as "tenantName", coalesce(h.seq, 0)::int as count
    from tenant t left join audit_head h on h.tenant_id = t.id
    where ${tenantPredicate(session, sql`t.id`, tenantId)}
    order by t.id`);
}

interface Stretch {
  headSeq: number | null;
  headHash: string | null;
  lastSeq: number | null;
  lastHash: string | null;
  hasMore: boolean;
  fault: ChainCheck["fault"];
}

/**
 * Recomputes the links after `after` in one statement, for a consistent snapshot. The link at
 * `after` is included because the next hash depends on it.
 */
export function checkStretch(
  db: Db,
  session: Session,
  { tenantId, after }: { tenantId: number; after: number },
): Promise<Stretch> {
  return db.one(sql`
    with stretch as materialized (
      select l.seq, l.entry_id, l.hash from audit_link l
      where l.tenant_id = ${tenantId} and l.seq >= ${after}
        and ${tenantPredicate(session, sql`l.tenant_id`)}
      order by l.seq
      limit ${STRETCH + 1}
    ), placed as (
      select s.*, lag(s.hash, 1, '') over in_order as previous,
        row_number() over in_order + greatest(${after}::bigint, 1) - 1 as due
      from stretch s
      window in_order as (order by s.seq)
    ), looked as (
      select p.due, p.entry_id, e.at, e.summary, case
          when p.seq <> p.due then 'LINK_MISSING'
          when p.seq = ${after} then null
          when e.id is null then 'ENTRY_MISSING'
          when p.hash <> audit_hash(p.previous, p.seq, e) then 'ENTRY_CHANGED'
        end as kind
      from placed p
      left join audit_log e on e.tenant_id = ${tenantId} and e.id = p.entry_id
    ), broken as (
      select * from looked where kind is not null order by due limit 1
    )
    select h.seq as "headSeq", encode(h.hash, 'hex') as "headHash",
      last.seq as "lastSeq", encode(last.hash, 'hex') as "lastHash",
      (select count(*) from stretch) > ${STRETCH} as "hasMore",
      (select case b.kind
          when 'LINK_MISSING' then json_build_object('kind', b.kind, 'seq', b.due,
            'entryId', null, 'at', null, 'summary', null)
          else json_build_object('kind', b.kind, 'seq', b.due,
            'entryId', b.entry_id, 'at', b.at, 'summary', b.summary) end
        from broken b) as fault
    from (select 1) one
    left join audit_head h on h.tenant_id = ${tenantId}
      and ${tenantPredicate(session, sql`h.tenant_id`)}
    left join (select * from stretch order by seq desc limit 1) last on true`);
}

/**
 * The first entry without a link. Uses a set difference, whose cost does not depend on planner
 * statistics.
 */
export function findUnchained(
  db: Db,
  session: Session,
  tenantId: number,
): Promise<{ id: number; at: string; summary: string } | null> {
  return db.maybe(sql`
    with unchained as (
      select e.id from audit_log e
      where e.tenant_id = ${tenantId} and ${tenantPredicate(session, sql`e.tenant_id`)}
      except
      select l.entry_id from audit_link l
      where l.tenant_id = ${tenantId} and ${tenantPredicate(session, sql`l.tenant_id`)}
    )
    select e.id, e.at, e.summary from audit_log e
    where e.tenant_id = ${tenantId} and e.id = (select min(id) from unchained)`);
}
