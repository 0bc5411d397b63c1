// SQL for a cabinet as app users see it.

import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Size } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
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
  isTenantActive: boolean;
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
  const [c, v] = [sql`c`, sql`v`];
  return db.maybe(sql`
    select c.tenant_id as "tenantId", c.id as "cabinetId", c.store_id as "storeId", c.sn, c.name,
      t.name as "tenantName",
      tenant_is_open(t) as "isTenantActive",
      m.side, c.lifecycle, ${serviceFactsSql(v)} as service, ${isConnectedSql(c)} as "isOnline",
      s.name as "storeName", concat_ws(' ', nullif(s.region, ''), nullif(s.address, '')) as address,
      c.place, coalesce(nullif(c.opening_hours, ''), nullif(s.opening_hours, ''),
        g.opening_hours, '') as "openingHours",
      coalesce(nullif(c.service_phone, ''), g.service_phone, '') as "servicePhone"
    from cabinet c
    join cabinet_model m on m.id = c.model_id
    join tenant t on t.id = c.tenant_id
    left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
    left join tenant_setting g on g.tenant_id = c.tenant_id
    ${serviceJoinSql(c, v)}
    where c.sn = ${sn}`);
}

/** By size, smallest first. */
export function countBySize(
  db: Db,
  at: { tenantId: number; cabinetId: number },
): Promise<{ size: Size; total: number; free: number }[]> {
  return db.many(sql`
    select k.size, count(*)::int as total,
      (count(*) filter (where ${isAvailableSql(sql`k`)}
        and (k.door_back is null or k.door_front = 'CLOSED')))::int as free
    from compartment k
    where k.tenant_id = ${at.tenantId} and k.cabinet_id = ${at.cabinetId}
    group by k.size
    order by array_position(array['S', 'M', 'L', 'XL'], k.size)`);
}
