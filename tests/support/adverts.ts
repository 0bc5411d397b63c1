// Rows of adverts with a stored picture, for tests on the real database.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { AdvertDraft } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { TestServer } from "./test-server.ts";

/** A PNG of one white pixel. */
export const PIXEL_PNG: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC",
  "base64",
);

/** Shown on all cabinets at all times. */
export const advertDraft: Omit<AdvertDraft, "fileId"> = {
  title: "双十二优惠",
  position: "STANDBY",
  durationSeconds: 10,
  fromDate: null,
  untilDate: null,
  fromTime: null,
  untilTime: null,
  targetKind: "ALL",
  targetIds: [],
  targetSide: null,
};

/** Stores a picture that nothing uses yet. */
export async function makePicture(
  testServer: TestServer,
  db: Db,
  tenantId: number,
  purpose: "ADVERT" | "LOGO" | "MALFUNCTION" | "NOTICE",
): Promise<string> {
  const key = randomUUID();
  const stored = await testServer.files.put(key, Readable.from([PIXEL_PNG]));
  await db.run(sql`insert into stored_object (key) values (${key})`);
  const { id } = await db.one<{ id: string }>(sql`
    insert into file (tenant_id, purpose, kind, media_type, name, size_bytes, sha256, storage_key,
      width, height)
    values (${tenantId}, ${purpose}, 'IMAGE', 'image/png', 'pixel.png', ${stored.sizeBytes},
      ${stored.sha256}, ${key}, 1, 1)
    returning id`);
  return id;
}

/** Inserts an advert that is on, with a pending download at this cabinet, and a draft. */
export async function makeAdverts(
  testServer: TestServer,
  db: Db,
  { tenantId, cabinetId, mark }: { tenantId: number; cabinetId: number; mark: string },
) {
  const insert = async (state: string, sort: number) => {
    const fileId = await makePicture(testServer, db, tenantId, "ADVERT");
    await db.run(sql`update file set unused_since = null where id = ${fileId}`);
    const { id } = await db.one<{ id: number }>(sql`
      insert into advert (tenant_id, title, file_id, position, duration_seconds, sort, target_kind,
        target_ids, state)
      values (${tenantId}, ${`广告 ${mark}`}, ${fileId}, 'STANDBY', 10, ${sort}, 'CABINET',
        ${[cabinetId]}, ${state})
      returning id`);
    return { id, fileId };
  };
  const shown = await insert("ON", 1);
  const draft = await insert("DRAFT", 2);
  await db.run(sql`
    insert into cabinet_playlist (tenant_id, cabinet_id, version, items)
    values (${tenantId}, ${cabinetId}, 1, '[{}]')`);
  await db.run(sql`
    insert into advert_download (tenant_id, cabinet_id, advert_id, file_id)
    values (${tenantId}, ${cabinetId}, ${shown.id}, ${shown.fileId})`);
  const advertFileId = await makePicture(testServer, db, tenantId, "ADVERT");
  return { shownAdvertId: shown.id, draftAdvertId: draft.id, advertFileId };
}
