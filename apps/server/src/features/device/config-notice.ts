// The notice that a cabinet's desired config changed: its gateway sends it on.
import type { Db } from "../../platform/db.ts";
import { notify } from "../../platform/notify.ts";

export interface ConfigNotice {
  tenantId: number;
  cabinetId: number;
}

/** Sends the desired config once this transaction commits; an offline cabinet gets it when it is back. */
export function notifyConfig(db: Db, notice: ConfigNotice): Promise<void> {
  return notify(db, "config", notice);
}
