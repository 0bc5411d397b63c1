// Cabinet models in the database.
import type { CabinetModelOption } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { type Db, sql } from "../../platform/db.ts";

export function findCabinetModelOptions(db: Db): Promise<CabinetModelOption[]> {
  return db.many(sql`select id, name, side from cabinet_model order by name, id`);
}
