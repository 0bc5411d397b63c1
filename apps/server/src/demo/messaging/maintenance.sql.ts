// SQL for the demo's maintenance messages about recent malfunctions.
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import { MESSAGE_DAYS } from "../period.ts";

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
    select malfunction.tenant_id, malfunction.id as malfunction_id, malfunction.kind,
      malfunction.created_at as at,
      concat_ws(' ', case when cabinet.id is null then store.name
          when starts_with(cabinet.name, store.name) then cabinet.name
            else concat_ws(' ', store.name, cabinet.name) end,
        malfunction.compartment_no || ' 号格口') as place,
      case when malfunction.store_id is null then '' else malfunction.description end as detail,
      operator.id as operator_id, operator.display_name as operator_name, operator.phone,
      coalesce((select sms_sign from tenant_setting setting
        where setting.tenant_id = malfunction.tenant_id), '') as sign
    from malfunction
    left join cabinet on cabinet.tenant_id = malfunction.tenant_id
      and cabinet.id = malfunction.cabinet_id
    join store on store.tenant_id = malfunction.tenant_id
      and store.id = coalesce(malfunction.store_id, cabinet.store_id)
    join operator_store on operator_store.tenant_id = store.tenant_id
      and operator_store.store_id = store.id
    join operator on operator.tenant_id = operator_store.tenant_id
      and operator.id = operator_store.operator_id and operator.disabled_at is null
    where malfunction.created_at > now() - make_interval(days => ${MESSAGE_DAYS})
      and malfunction.merged_into_id is null
      and operator.phone <> ''
    order by malfunction.created_at, malfunction.id, operator.id`);
}
