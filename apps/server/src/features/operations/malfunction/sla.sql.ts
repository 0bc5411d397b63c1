// Terms for accepting and resolving malfunctions, as set by a tenant.
import type {
  Severity,
  SlaTerms,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface SlaRow {
  terms: Record<Severity, SlaTerms>;
  editVersion: number;
  editedBy: string;
}

/** Null: the platform default applies. */
export function findSla(db: Db, tenantId: number): Promise<SlaRow | null> {
  return db.maybe(sql`
    select terms, edit_version, edited_by from malfunction_sla where tenant_id = ${tenantId}`);
}

/** False on a version conflict (optimistic locking). */
export async function saveSla(
  db: Db,
  { tenantId, terms, editVersion, editedBy }: SlaRow & { tenantId: number },
): Promise<boolean> {
  const changed = await db.run(sql`
    insert into malfunction_sla as sla (tenant_id, terms, edited_by)
    select ${tenantId}, ${JSON.stringify(terms)}, ${editedBy}
    where ${editVersion} = 0
      or exists (select from malfunction_sla where tenant_id = ${tenantId})
    on conflict (tenant_id) do update set terms = excluded.terms,
      edit_version = sla.edit_version + 1, edited_at = now(), edited_by = excluded.edited_by
    where sla.edit_version = ${editVersion}`);
  return changed > 0;
}
