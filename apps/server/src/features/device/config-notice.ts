// The notice that a cabinet's desired config changed: a gateway sends it on.
import type { Db } from "../../platform/db.ts";
import { notify } from "../../platform/notify.ts";
import type { CabinetKey } from "./presence.sql.ts";

/** Sends the desired config once this transaction commits; an offline cabinet gets it when it is back. */
export function notifyConfig(db: Db, cabinet: CabinetKey): Promise<void> {
  const { tenantId, cabinetId } = cabinet;
  return notify(db, "config", { tenantId, cabinetId });
}
