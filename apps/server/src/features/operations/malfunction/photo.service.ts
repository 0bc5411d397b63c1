// Photos of malfunctions: re-encoded on upload, visible with the malfunction.
import type { Input, StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type {
  MalfunctionPhoto,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { insertFile, type Uploader, useFile } from "../../organization/file/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import type { MalfunctionKey } from "./malfunction-progress.sql.ts";
import { findNewPhotos, findPhoto, insertPhotos } from "./timeline.sql.ts";

export async function uploadPhoto(
  ctx: Ctx,
  { file, tenantId: requested }: Input<typeof malfunctionContract.uploadPhoto>["body"],
): Promise<MalfunctionPhoto> {
  const { id: tenantId } = await requireTenant(ctx, requested);
  const createdBy = ctx.session.operatorId;
  const id = await insertFile(ctx.db, { tenantId, createdBy, purpose: "MALFUNCTION", file });
  const { name, sizeBytes, width, height, sha256 } = file;
  ctx.audit({ tenantId, target: `故障照片 ${name}`, after: { id, sizeBytes, sha256 } });
  return { id, name, width, height };
}

export async function getPhoto(ctx: Ctx, fileId: string): Promise<StoredFile> {
  return (await findPhoto(ctx.db, ctx.session, fileId)) ?? refuse("NOT_FOUND", { what: "照片" });
}

/** Attaches photos of one uploader to one timeline event. */
export async function attachPhotos(
  db: Db,
  uploader: Uploader,
  { tenantId, id, eventId }: MalfunctionKey & { eventId: number },
  photoIds: readonly string[],
): Promise<void> {
  if (photoIds.length === 0) return;
  const own = await findNewPhotos(db, tenantId, uploader, photoIds);
  if (own.length < photoIds.length) refuse("NOT_FOUND", { what: "照片" });
  for (const photoId of photoIds) await useFile(db, tenantId, photoId, "MALFUNCTION");
  await insertPhotos(db, { tenantId, id }, eventId, photoIds);
}
