// Prometheus metrics of the fleet: cabinets in service by tenant and connectivity.
import { CONNECTIVITIES } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Database } from "../../../platform/db/db.ts";
import { cabinets, OTHER_TENANTS, tenantLabels, tenantOutage } from "../../../platform/metrics.ts";
import { findCabinetFigures, findOutages } from "./cabinet-figures.sql.ts";

export async function measureCabinets(database: Database): Promise<void> {
  const labels = { ...tenantLabels, other: OTHER_TENANTS };
  const [figures, outages] = await database.read("platform", async (db) => [
    await findCabinetFigures(db, labels),
    await findOutages(db),
  ]);
  cabinets.reset();
  for (const { tenant } of figures) {
    for (const state of CONNECTIVITIES) cabinets.set({ tenant, state }, 0);
  }
  for (const { count, ...each } of figures) cabinets.set(each, count);
  tenantOutage.reset();
  for (const { tenant, share } of outages) tenantOutage.set({ tenant }, share);
}
