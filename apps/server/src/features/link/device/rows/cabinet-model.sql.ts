// Writes of other features to cabinet models.
import type { CabinetModelDraft } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";

/** Null when the name is taken. */
export function insertModel(db: Db, draft: CabinetModelDraft): Promise<{ id: number } | null> {
  const { layout } = draft;
  return db.maybe(sql`
    insert into cabinet_model (name, side, vendor, capabilities, remark, heartbeat_seconds,
      offline_seconds, grid_columns, grid_rows, layout)
    values (${draft.name}, ${draft.side}, ${draft.vendor}, ${draft.capabilities}, ${draft.remark},
      ${draft.heartbeatSeconds}, ${draft.offlineSeconds}, ${layout.columns}, ${layout.rows},
      ${JSON.stringify(layout.cells)}::jsonb)
    on conflict (name) do nothing
    returning id`);
}

export async function updateModel(db: Db, id: number, draft: CabinetModelDraft): Promise<void> {
  const { layout } = draft;
  await db.run(sql`
    update cabinet_model set name = ${draft.name}, side = ${draft.side}, vendor = ${draft.vendor},
      capabilities = ${draft.capabilities}, remark = ${draft.remark},
      heartbeat_seconds = ${draft.heartbeatSeconds}, offline_seconds = ${draft.offlineSeconds},
      grid_columns = ${layout.columns}, grid_rows = ${layout.rows},
      layout = ${JSON.stringify(layout.cells)}::jsonb,
      version = version + 1, updated_at = now()
    where id = ${id}`);
}

export async function deleteModel(db: Db, id: number): Promise<void> {
  await db.run(sql`delete from cabinet_model where id = ${id}`);
}

/** Null when there is no such model. */
export function updateMakerKey(
  db: Db,
  modelId: number,
  publicKey: string,
): Promise<{ name: string; before: string | null } | null> {
  return db.maybe(sql`
    with former as (
      select id, maker_public_key from cabinet_model where id = ${modelId} for update
    )
    update cabinet_model set maker_public_key = ${publicKey}
    from former where cabinet_model.id = former.id
    returning cabinet_model.name, former.maker_public_key as before`);
}
