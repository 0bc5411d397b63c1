// Rows of a tenant's settings and an account's preference, for tests on the real database.
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makePicture } from "./adverts.ts";
import type { TestServer } from "./test-server.ts";

export const tenantSettingDraft = {
  isHint: false,
  tellsOverdue: true,
  servicePhone: "400-800-1234",
  openingHours: "08:00-22:00",
  smsSign: "顺达快柜",
  mapKey: "0123456789abcdef0123456789abcdef",
  mapCode: "fedcba9876543210fedcba9876543210",
};

/** Inserts a row into each table, and a picture that is not used as a logo yet. */
export async function insertSettings(
  testServer: TestServer,
  db: Db,
  {
    tenantId,
    operatorId,
    endUserId,
    mark,
  }: { tenantId: number; operatorId: number; endUserId: number; mark: string },
) {
  const known = await db.maybe<{ id: string }>(sql`
    select id from file
    where tenant_id = ${tenantId} and purpose = 'LOGO' and unused_since is not null limit 1`);
  const shown = await makePicture(testServer, db, tenantId, "LOGO");
  await db.run(sql`update file set unused_since = null where id = ${shown}`);
  await db.run(sql`
    insert into tenant_setting (tenant_id, opening_hours, logo_file_id, edited_by)
    values (${tenantId}, '全天', ${shown}, ${mark}) on conflict (tenant_id) do nothing`);
  await db.run(sql`
    insert into web_page_setting (tenant_id, is_on, edited_by)
    values (${tenantId}, true, ${mark}) on conflict (tenant_id) do nothing`);
  await db.run(sql`
    insert into operator_preference (tenant_id, operator_id, name, value)
    values (${tenantId}, ${operatorId}, ${`columns:${mark}`}, ${JSON.stringify({ hidden: [mark], order: [] })})`);
  const { legalTextId } = await db.one<{ legalTextId: number }>(sql`
    insert into legal_text (tenant_id, kind, version, body, published_by)
    select ${tenantId}, 'TERMS', coalesce(max(version), 0) + 1, ${`协议 ${mark}`}, ${mark}
    from legal_text where tenant_id = ${tenantId}
    returning id as legal_text_id`);
  await db.run(sql`
    insert into legal_consent (tenant_id, end_user_id, legal_text_id)
    values (${tenantId}, ${endUserId}, ${legalTextId})`);
  // The picture belongs to the tenant: a second world of the tenant shares it.
  const logoFileId = known?.id ?? (await makePicture(testServer, db, tenantId, "LOGO"));
  return { logoFileId, legalTextId };
}
