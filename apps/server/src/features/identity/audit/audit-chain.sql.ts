// SQL for verifying the audit hash chain: its length per tenant, and one stretch recomputed.
import type { AuditChain, ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

/** Links verified per call; hashing this many takes a fraction of a second. */
const STRETCH = 5_000;

/** One row per tenant, even where the head of its chain is missing. */
export function findChains(db: Db, session: Session, tenantId?: number): Promise<AuditChain[]> {
  return db.many(sql`
    select tenant.id as tenant_id, tenant.name as tenant_name, coalesce(head.seq, 0)::int as count
    from tenant left join audit_head head on head.tenant_id = tenant.id
    where ${tenantPredicate(session, sql`tenant.id`, tenantId)}
    order by tenant.id`);
}

interface Stretch {
  /** Last link that was removed from the front of the chain; 0: none. */
  baseSeq: number;
  headSeq: number | null;
  headHash: string | null;
  lastSeq: number | null;
  lastHash: string;
  hasMore: boolean;
  fault: ChainCheck["fault"];
}

interface StretchBounds {
  tenantId: number;
  after: number;
  /** Links behind it are not read. */
  upTo?: number;
}

/**
 * Recomputes the links after `after` in one statement, for a consistent snapshot. The link at
 * `after` is included because the next hash depends on it; the first hash depends on the base of the chain.
 */
export function checkStretch(
  db: Db,
  session: Session | "job",
  { tenantId, after, upTo }: StretchBounds,
): Promise<Stretch> {
  const isVisible = (id: Sql) => (session === "job" ? sql`true` : tenantPredicate(session, id));
  return db.one(sql`
    with front as materialized (
      select coalesce(base.seq, 0) as seq, coalesce(base.hash, '') as hash
      from (select 1) one
      left join audit_base base on base.tenant_id = ${tenantId}
        and ${isVisible(sql`base.tenant_id`)}
    ), stretch as materialized (
      select link.seq, link.entry_id, link.hash from audit_link link
      where link.tenant_id = ${tenantId}
        and link.seq >= greatest(${after}::bigint, (select front.seq from front))
        and ${upTo === undefined ? sql`true` : sql`link.seq <= ${upTo}`}
        and ${isVisible(sql`link.tenant_id`)}
      order by link.seq
      limit ${STRETCH + 1}
    ), placed as (
      select stretch.*, lag(stretch.hash, 1, front.hash) over in_order as previous,
        row_number() over in_order + greatest(${after}::bigint - 1, front.seq) as due
      from stretch cross join front
      window in_order as (order by stretch.seq)
    ), looked as (
      select placed.due, placed.entry_id, audit.at, audit.summary, case
          when placed.seq <> placed.due then 'LINK_MISSING'
          when placed.seq = ${after} then null
          when audit.id is null then 'ENTRY_MISSING'
          when placed.hash <> audit_hash(placed.previous, placed.seq, audit) then 'ENTRY_CHANGED'
        end as kind
      from placed
      left join audit_log audit on audit.tenant_id = ${tenantId} and audit.id = placed.entry_id
    ), broken as (
      select * from looked where kind is not null order by due limit 1
    )
    select front.seq as base_seq, head.seq as head_seq, encode(head.hash, 'hex') as head_hash,
      case when last.seq is null and ${after} <= front.seq then front.seq else last.seq end as last_seq,
      encode(coalesce(last.hash, front.hash), 'hex') as last_hash,
      (select count(*) from stretch) > ${STRETCH} as has_more,
      (select case broken.kind
          when 'LINK_MISSING' then json_build_object('kind', broken.kind, 'seq', broken.due,
            'entryId', null, 'at', null, 'summary', null)
          else json_build_object('kind', broken.kind, 'seq', broken.due,
            'entryId', broken.entry_id, 'at', broken.at, 'summary', broken.summary) end
        from broken) as fault
    from front
    left join audit_head head on head.tenant_id = ${tenantId}
      and ${isVisible(sql`head.tenant_id`)}
    left join (
      select stretch.seq, stretch.hash from stretch order by stretch.seq desc limit 1) last
      on last.seq > front.seq`);
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
      select audit.id from audit_log audit
      where audit.tenant_id = ${tenantId} and ${tenantPredicate(session, sql`audit.tenant_id`)}
      except
      select link.entry_id from audit_link link
      left join audit_base base on base.tenant_id = link.tenant_id
      where link.tenant_id = ${tenantId} and ${tenantPredicate(session, sql`link.tenant_id`)}
        and link.seq > coalesce(base.seq, 0)
    )
    select audit.id, audit.at, audit.summary from audit_log audit
    where audit.tenant_id = ${tenantId} and audit.id = (select min(id) from unchained)`);
}
