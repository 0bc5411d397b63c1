// Pictures of rich texts in SQL: which text contains them, and who may see them.
import type { StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { join, type Sql, sql } from "../../../platform/db/sql.ts";

/** Owner of a text. */
export type RichTextOwner = { announcementId: number } | { faqId: number };

/**
 * Visibility predicates over a row `image` of `rich_text_image`, provided by each feature that has
 * texts.
 */
export interface ImageUse {
  toAccount: (session: Session) => Sql;
  /** Visibility for app users, who need not be signed in. */
  toPeople: Sql;
}

function isOf(owner: RichTextOwner): Sql {
  return "faqId" in owner
    ? sql`image.faq_id = ${owner.faqId}`
    : sql`image.announcement_id = ${owner.announcementId}`;
}

export async function insertImages(
  db: Db,
  { tenantId, ids, ...owner }: { tenantId: number; ids: string[] } & RichTextOwner,
): Promise<void> {
  const [announcementId, faqId] =
    "faqId" in owner ? [null, owner.faqId] : [owner.announcementId, null];
  await db.run(sql`
    insert into rich_text_image (tenant_id, file_id, announcement_id, faq_id)
    select ${tenantId}, unnest(${ids}::uuid[]), ${announcementId}::bigint, ${faqId}::bigint
    on conflict do nothing`);
}

/** Detaches the pictures that are not kept; returns those that no text contains any more. */
export async function deleteImages(
  db: Db,
  { tenantId, kept, ...owner }: { tenantId: number; kept: string[] } & RichTextOwner,
): Promise<string[]> {
  const gone = await db.many<{ id: string }>(sql`
    delete from rich_text_image image
    where image.tenant_id = ${tenantId} and ${isOf(owner)} and image.file_id <> all(${kept}::uuid[])
    returning image.file_id as id`);
  const ids = gone.map(({ id }) => id);
  const stray = await db.many<{ id: string }>(sql`
    select id from unnest(${ids}::uuid[]) id where not exists (
      select from rich_text_image image where image.tenant_id = ${tenantId} and image.file_id = id)`);
  return stray.map(({ id }) => id);
}

const columns = sql`file.storage_key as key, file.media_type, file.size_bytes, file.sha256`;

function isShown(conditions: Sql[]): Sql {
  return sql`exists (
    select from rich_text_image image where image.tenant_id = file.tenant_id
      and image.file_id = file.id
      and (${join(conditions, " or ")}))`;
}

/** Any picture of the session's own tenants; others only if shown in a text sent to the account. */
export function findImage(
  db: Db,
  session: Session,
  fileId: string,
  uses: readonly ImageUse[],
): Promise<StoredFile | null> {
  return db.maybe(sql`
    select ${columns} from file
    where file.id = ${fileId} and file.purpose = 'NOTICE'
      and (${tenantPredicate(session, sql`file.tenant_id`)}
        or ${isShown(uses.map(({ toAccount }) => toAccount(session)))})`);
}

export function findPublicImage(
  db: Db,
  fileId: string,
  uses: readonly ImageUse[],
): Promise<StoredFile | null> {
  return db.maybe(sql`
    select ${columns} from file
    where file.id = ${fileId} and file.purpose = 'NOTICE'
      and ${isShown(uses.map(({ toPeople }) => toPeople))}`);
}
