// Rows of malfunctions in progress and resolved, for tests on the real database.
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makePicture } from "./adverts.ts";
import type { TestServer } from "./test-server.ts";

/** Inserts at one cabinet: a malfunction in progress with a photo, and a resolved one. */
export async function insertMalfunctions(
  testServer: TestServer,
  db: Db,
  { tenantId, cabinetId, mark }: { tenantId: number; cabinetId: number; mark: string },
) {
  const insert = async (kind: string, state: string) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into malfunction (tenant_id, cabinet_id, kind, state, description, accepted_at,
        resolved_at)
      values (${tenantId}, ${cabinetId}, ${kind}, ${state}, ${mark}, now(),
        case when ${state} = 'RESOLVED' then now() end)
      returning id`);
    return id;
  };
  const workedId = await insert("POWER_LOW", "PROCESSING");
  const resolvedId = await insert("TAMPER", "RESOLVED");
  const { eventId } = await db.one<{ eventId: number }>(sql`
    insert into malfunction_event (tenant_id, malfunction_id, kind, actor_name, text)
    values (${tenantId}, ${workedId}, 'NOTED', ${mark}, ${mark}) returning id as event_id`);
  const malfunctionPhotoId = await makePicture(testServer, db, tenantId, "MALFUNCTION");
  await db.run(sql`update file set unused_since = null where id = ${malfunctionPhotoId}`);
  await db.run(sql`
    insert into malfunction_photo (tenant_id, malfunction_id, event_id, file_id)
    values (${tenantId}, ${workedId}, ${eventId}, ${malfunctionPhotoId})`);
  await db.run(sql`
    insert into malfunction_signal (tenant_id, cabinet_id, kind, is_active)
    values (${tenantId}, ${cabinetId}, 'POWER_LOW', true)`);
  await db.run(sql`
    insert into malfunction_sla (tenant_id, terms, edited_by)
    values (${tenantId}, ${JSON.stringify(terms)}, ${mark}) on conflict do nothing`);
  return {
    workedMalfunctionId: workedId,
    resolvedMalfunctionId: resolvedId,
    malfunctionPhotoId,
  };
}

const minutes = (respondMinutes: number, resolveMinutes: number) => ({
  respondMinutes,
  resolveMinutes,
});

export const terms = {
  SEVERE: minutes(10, 60),
  URGENT: minutes(20, 120),
  NORMAL: minutes(30, 240),
  MINOR: minutes(60, 480),
};
