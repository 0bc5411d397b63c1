// Malfunctions in the database: one open row per cabinet, compartment and kind; one per store.
import type { MalfunctionState } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import type { Session } from "../../platform/context.ts";
import { type Db, sql } from "../../platform/db.ts";
import { storePredicate } from "../store/index.ts";

/** 离线, 开门失败, 箱门长时间未关, 异常占用, 震动, 防撬, 电源不足, 驱动板异常, 高温, 低温, 网络异常, 其他. */
export type MalfunctionKind =
  | "OFFLINE"
  | "OPEN_FAILED"
  | "DOOR_LEFT_OPEN"
  | "OCCUPANCY_ABNORMAL"
  | "VIBRATION"
  | "TAMPER"
  | "POWER_LOW"
  | "BOARD_FAULT"
  | "TEMPERATURE_HIGH"
  | "TEMPERATURE_LOW"
  | "NETWORK_POOR"
  | "OTHER";

/** A store's outage counts once, whatever it took down. */
export async function countMalfunctions(
  db: Db,
  session: Session,
  state?: MalfunctionState,
): Promise<number> {
  const isInState = state ? sql`m.state = ${state}` : sql`true`;
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from malfunction m left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    where ${isInState}
      and ${storePredicate(session, sql`m.tenant_id`, sql`coalesce(m.store_id, c.store_id)`)}`);
  return n;
}

interface CabinetKey {
  tenantId: number;
  cabinetId: number;
}

/** Opens a malfunction; while one of its kind is open there, a repeat raises its count instead. */
export async function reportMalfunction(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  compartmentNo: number,
  kind: MalfunctionKind,
  description: string,
): Promise<void> {
  await db.run(sql`
    insert into malfunction (tenant_id, cabinet_id, compartment_no, kind, description)
    values (${tenantId}, ${cabinetId}, ${compartmentNo}, ${kind}, ${description})
    on conflict (tenant_id, cabinet_id, coalesce(compartment_no, 0), kind)
      where state in ('CREATED', 'ASSIGNED', 'PROCESSING')
    do update set repeat_count = malfunction.repeat_count + 1, description = excluded.description,
      updated_at = now()`);
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
