// Writes of other features to compartments.
import type {
  AdminState,
  ItemState,
  Occupancy,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

export interface CompartmentKey extends CabinetKey {
  no: number;
}

export async function updateAdminState(
  db: Db,
  { tenantId, cabinetId, no }: CompartmentKey,
  state: AdminState,
  reason: string | null,
): Promise<void> {
  await db.run(sql`
    update compartment set admin_state = ${state}, admin_reason = ${reason}
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`);
}

export interface Correction {
  no: number;
  occupancy: Occupancy;
  item: ItemState;
}

/** A person's finding overrides records and sensor, until the sensor's next report. */
export async function correctCompartments(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  corrections: Correction[],
): Promise<void> {
  await db.run(sql`
    update compartment comp set occupancy = input.occupancy, item = input.item,
      occupied_since = case when input.occupancy <> 'OCCUPIED' then null
        else coalesce(comp.occupied_since, now()) end
    from unnest(${corrections.map(({ no }) => no)}::int[],
      ${corrections.map(({ occupancy }) => occupancy)}::text[],
      ${corrections.map(({ item }) => item)}::text[]) as input (no, occupancy, item)
    where comp.tenant_id = ${tenantId} and comp.cabinet_id = ${cabinetId} and comp.no = input.no`);
}

/** Sets the occupancy that the records of orders give. */
export async function updateOccupancy(
  db: Db,
  { tenantId, cabinetId, no }: CompartmentKey,
  occupancy: Occupancy,
): Promise<void> {
  await db.run(sql`
    update compartment set occupancy = ${occupancy},
      occupied_since = case when ${occupancy} = 'OCCUPIED'
        then coalesce(occupied_since, now()) end
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`);
}
