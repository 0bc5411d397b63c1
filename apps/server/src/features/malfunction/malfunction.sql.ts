// Malfunctions in the database: one open row per cabinet, compartment and kind; one per store.
import type { MalfunctionState } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import type { MalfunctionKind } from "@cabinet/contract/malfunction/malfunction.rules.ts";
import type { Session } from "../../platform/context.ts";
import { type Db, sql } from "../../platform/db.ts";
import { storePredicate } from "../store/index.ts";

/** A store's outage counts once, whatever it took down. */
export async function countMalfunctions(
  db: Db,
  session: Session,
  { status, tenantId }: { status?: MalfunctionState; tenantId?: number },
): Promise<number> {
  const isInState = status ? sql`m.state = ${status}` : sql`true`;
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from malfunction m left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    where ${isInState}
      and ${storePredicate(session, sql`m.tenant_id`, sql`coalesce(m.store_id, c.store_id)`, tenantId)}`);
  return n;
}

export interface CabinetKey {
  tenantId: number;
  cabinetId: number;
}

/** While one of its kind is open there, a repeat raises its count instead. */
export function openMalfunction(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  compartmentNo: number,
  kind: MalfunctionKind,
  description: string,
): Promise<{ id: number; isNew: boolean }> {
  return db.one(sql`
    insert into malfunction (tenant_id, cabinet_id, compartment_no, kind, description)
    values (${tenantId}, ${cabinetId}, ${compartmentNo}, ${kind}, ${description})
    on conflict (tenant_id, cabinet_id, coalesce(compartment_no, 0), kind)
      where state in ('CREATED', 'ASSIGNED', 'PROCESSING')
    do update set repeat_count = malfunction.repeat_count + 1, description = excluded.description,
      updated_at = now()
    returning id, repeat_count = 1 as "isNew"`);
}

/** Settles the open malfunctions of this kind at these compartments. */
export async function resolveMalfunctions(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  compartmentNos: number[],
  kind: MalfunctionKind,
): Promise<void> {
  await db.run(sql`
    update malfunction set state = 'RESOLVED', updated_at = now()
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId}
      and compartment_no = any(${compartmentNos}) and kind = ${kind}
      and state in ('CREATED', 'ASSIGNED', 'PROCESSING')`);
}
