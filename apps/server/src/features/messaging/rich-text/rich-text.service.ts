// Rich texts of any feature: cleaned, with pictures of the same tenant that are kept as long as a
// text contains them.
import type { ReceivedFile } from "@cabinet/contract/kit/upload.rules.ts";
import type { RichTextImage } from "@cabinet/contract/messaging/rich-text/rich-text.contract.ts";
import {
  imageAddressOf,
  imageIdsIn,
  isEmptyRichText,
  RICH_TEXT_IMAGES_MAX,
} from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { insertFile, releaseFile, useFile } from "../../organization/file/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { cleanHtml, isTooComplex } from "./clean-html.format.ts";
import { deleteImages, insertImages, type RichTextOwner } from "./rich-text.sql.ts";

/** Cleans and checks a text before it is stored; `what` is the Chinese name of the field. */
export function takeRichText(html: string, what: string): string {
  if (isTooComplex(html)) refuse("RICH_TEXT_TOO_COMPLEX", { what });
  const cleaned = cleanHtml(html);
  if (isEmptyRichText(cleaned)) refuse("RICH_TEXT_EMPTY", { what });
  if (imageIdsIn(cleaned).length > RICH_TEXT_IMAGES_MAX) {
    refuse("RICH_TEXT_IMAGES_LIMIT", { what, max: RICH_TEXT_IMAGES_MAX });
  }
  return cleaned;
}

type Owned = { tenantId: number; html: string } & RichTextOwner;

/** Keeps pictures attached earlier: an earlier edition may still show them. */
export async function addImages(db: Db, { tenantId, html, ...owner }: Owned): Promise<void> {
  const ids = imageIdsIn(html);
  for (const id of ids.toSorted()) {
    const file = await useFile(db, tenantId, id, "NOTICE");
    if (!file) refuse("NOT_FOUND", { what: "文中有一张图片" });
  }
  await insertImages(db, { tenantId, ids, ...owner });
}

/** Attaches the pictures of the text and detaches those it no longer contains. */
export async function replaceImages(db: Db, owned: Owned): Promise<void> {
  await addImages(db, owned);
  const { tenantId, html, ...owner } = owned;
  await dropImages(db, { tenantId, kept: imageIdsIn(html), ...owner });
}

/** Call it before the owner of the text is deleted. */
export async function dropImages(
  db: Db,
  owned: { tenantId: number; kept: string[] } & RichTextOwner,
): Promise<void> {
  for (const id of await deleteImages(db, owned)) await releaseFile(db, owned.tenantId, id);
}

export async function uploadImage(
  ctx: Ctx,
  { file, tenantId: asked }: { file: ReceivedFile; tenantId?: number },
): Promise<RichTextImage> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  const createdBy = ctx.session.operatorId;
  const id = await insertFile(ctx.db, { tenantId, createdBy, purpose: "NOTICE", file });
  const { name, sizeBytes, sha256, width, height } = file;
  ctx.audit({ tenantId, target: `图片 ${name}`, after: { id, sizeBytes, sha256 } });
  return { id, address: imageAddressOf(id), name, width, height };
}
