// Prometheus metrics of the fleet: cabinets in service by tenant and connectivity.
import { CONNECTIVITIES } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Database } from "../../../platform/db/db.ts";
import { cabinets, MAX_TENANTS, OTHER_TENANTS } from "../../../platform/metrics.ts";
import { findCabinetFigures } from "./cabinet-figures.sql.ts";

export async function measureCabinets(database: Database): Promise<void> {
  const most = { most: MAX_TENANTS, other: OTHER_TENANTS };
  const figures = await database.read("platform", (db) => findCabinetFigures(db, most));
  cabinets.reset();
  for (const { tenant } of figures) {
    for (const state of CONNECTIVITIES) cabinets.set({ tenant, state }, 0);
  }
  for (const { count, ...labels } of figures) cabinets.set(labels, count);
}
