// SQL for the demo's maintenance messages about recent malfunctions.
import type { MalfunctionKind } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { type Db, sql } from "../../platform/db/db.ts";

export interface NotifiedMalfunction {
  tenantId: number;
  malfunctionId: number;
  kind: MalfunctionKind;
  at: string;
  place: string;
  detail: string;
  operatorId: number;
  operatorName: string;
  phone: string;
  /** Signature of the tenant's text messages. */
  sign: string;
}

/** One row per caretaker of the store, in chronological order. */
export function findNotifiedMalfunctions(db: Db): Promise<NotifiedMalfunction[]> {
  return db.many(sql`
    select m.tenant_id as "tenantId", m.id as "malfunctionId", m.kind, m.created_at as at,
      concat_ws(' ', case when c.id is null then s.name
          when starts_with(c.name, s.name) then c.name else concat_ws(' ', s.name, c.name) end,
        m.compartment_no || ' 号格口') as place,
      case when m.store_id is null then '' else m.description end as detail,
      o.id as "operatorId", o.display_name as "operatorName", o.phone,
      coalesce((select sms_sign from tenant_setting g where g.tenant_id = m.tenant_id), '') as sign
    from malfunction m
    left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    join store s on s.tenant_id = m.tenant_id and s.id = coalesce(m.store_id, c.store_id)
    join operator_store k on k.tenant_id = s.tenant_id and k.store_id = s.id
    join operator o on o.tenant_id = k.tenant_id and o.id = k.operator_id and o.disabled_at is null
    where m.created_at > now() - interval '7 days' and m.merged_into_id is null and o.phone <> ''
    order by m.created_at, m.id, o.id`);
}
