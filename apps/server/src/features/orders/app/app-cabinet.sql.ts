// SQL for a cabinet as app users see it.

import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import {
  isAvailableSql,
  serviceFactsSql,
  serviceJoinSql,
} from "../../link/cabinet-condition/index.ts";
import { isConnectedSql } from "../../link/device/index.ts";

export interface AppCabinetRow {
  tenantId: number;
  cabinetId: number;
  storeId: number | null;
  sn: string;
  name: string;
  tenantName: string;
  isTenantOpen: boolean;
  side: Side;
  lifecycle: Lifecycle;
  service: { state: ServiceState };
  isOnline: boolean;
  storeName: string | null;
  address: string | null;
  place: string;
  openingHours: string;
  servicePhone: string;
}

export function findCabinetBySn(db: Db, sn: string): Promise<AppCabinetRow | null> {
  const [cabinet, service] = [sql`cabinet`, sql`service`];
  return db.maybe(sql`
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.store_id, cabinet.sn, cabinet.name,
      tenant.name as tenant_name, tenant_is_open(tenant) as is_tenant_open, model.side,
      cabinet.lifecycle, ${serviceFactsSql(service)} as service,
      ${isConnectedSql(cabinet)} as is_online,
      store.name as store_name, concat_ws(' ', nullif(store.region, ''),
        nullif(store.address, '')) as address,
      cabinet.place, coalesce(nullif(cabinet.opening_hours, ''), nullif(store.opening_hours, ''),
        setting.opening_hours, '') as opening_hours,
      coalesce(nullif(cabinet.service_phone, ''), setting.service_phone, '') as service_phone
    from cabinet
    join cabinet_model model on model.id = cabinet.model_id
    join tenant on tenant.id = cabinet.tenant_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    left join tenant_setting setting on setting.tenant_id = cabinet.tenant_id
    ${serviceJoinSql(cabinet, service)}
    where cabinet.sn = ${sn}`);
}

/** By size, smallest first. */
export function countBySize(
  db: Db,
  at: { tenantId: number; cabinetId: number },
): Promise<{ size: Size; total: number; free: number }[]> {
  return db.many(sql`
    select comp.size, count(*)::int as total,
      (count(*) filter (where ${isAvailableSql(sql`comp`)}
        and (comp.door_back is null or comp.door_front = 'CLOSED')))::int as free
    from compartment comp
    where comp.tenant_id = ${at.tenantId} and comp.cabinet_id = ${at.cabinetId}
    group by comp.size
    order by array_position(array['S', 'M', 'L', 'XL'], comp.size)`);
}

export async function hasCompartment(
  db: Db,
  { tenantId, cabinetId, no }: { tenantId: number; cabinetId: number; no: number },
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from compartment comp
    where comp.tenant_id = ${tenantId} and comp.cabinet_id = ${cabinetId} and comp.no = ${no}`);
  return found !== null;
}
