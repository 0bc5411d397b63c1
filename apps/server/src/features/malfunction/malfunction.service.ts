// Reporting malfunctions: opened once, and whoever is to hear of it is told.
import type { MalfunctionKind } from "@cabinet/contract/malfunction/malfunction.rules.ts";
import type { Db } from "../../platform/db.ts";
import { tellSoon } from "../maintenance-message/index.ts";
import { type CabinetKey, openMalfunction } from "./malfunction.sql.ts";

/** Opens a malfunction; while one of its kind is open there, a repeat only counts. */
export async function reportMalfunction(
  db: Db,
  cabinet: CabinetKey,
  compartmentNo: number,
  kind: MalfunctionKind,
  description: string,
): Promise<void> {
  const { id, isNew } = await openMalfunction(db, cabinet, compartmentNo, kind, description);
  if (isNew) await tellSoon(db, [{ tenantId: cabinet.tenantId, id }]);
}
