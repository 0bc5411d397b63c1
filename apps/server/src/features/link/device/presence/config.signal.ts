// Notifies gateways (LISTEN/NOTIFY) that a cabinet's desired config changed.
import type { Db } from "../../../../platform/db/db.ts";
import { notify, notifyAll } from "../../../../platform/db/notify.ts";
import type { CabinetKey } from "./presence.sql.ts";

/**
 * Sends the desired config once this transaction commits; an offline cabinet gets it on reconnect.
 */
export function notifyConfig(db: Db, cabinet: CabinetKey): Promise<void> {
  const { tenantId, cabinetId } = cabinet;
  return notify(db, "config", { tenantId, cabinetId });
}

/** Like `notifyConfig`, for any number of cabinets in one statement. */
export function notifyConfigs(db: Db, cabinets: readonly CabinetKey[]): Promise<void> {
  return notifyAll(
    db,
    "config",
    cabinets.map(({ tenantId, cabinetId }) => ({ tenantId, cabinetId })),
  );
}
