// Rows of announcements and FAQ of a tenant and of the platform, for tests on the real database.
import type { AnnouncementDraft } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { imageAddressOf } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makePicture } from "./adverts.ts";
import type { TestServer } from "./test-server.ts";

/** Addressed to all accounts of the tenant. */
export const announcementDraft: AnnouncementDraft = {
  kind: "NOTICE",
  title: "国庆期间运维安排",
  version: "",
  content: "<p>国庆期间值班电话不变。</p>",
  audience: "OPERATOR",
  userTypes: [0, 1, 2],
  tenantIds: [],
  isPinned: false,
  expiresAt: null,
};

interface NewAnnouncement {
  tenantId: number;
  title: string;
  content?: string;
  audience?: "OPERATOR" | "END_USER";
  isDraft?: boolean;
}

async function insertAnnouncement(db: Db, made: NewAnnouncement): Promise<number> {
  const { tenantId, title, content = `<p>${title}</p>`, audience = "OPERATOR" } = made;
  const [state, types] = [made.isDraft ? "DRAFT" : "PUBLISHED", audience === "OPERATOR"];
  const { id } = await db.one<{ id: number }>(sql`
    insert into announcement (tenant_id, kind, title, version, content, state, audience, user_types,
      publish_at, told_at)
    values (${tenantId}, 'NOTICE', ${title}, '', ${content}, ${state}, ${audience},
      ${types ? [0, 1, 2] : []}, case when ${state} = 'PUBLISHED' then now() end, now())
    returning id`);
  await db.run(sql`
    insert into announcement_edition (tenant_id, announcement_id, edition, title, version, content,
      edited_by)
    values (${tenantId}, ${id}, 1, ${title}, '', ${content}, '李伟')`);
  return id;
}

async function insertQuestion(db: Db, tenantId: number, name: string, answer: string) {
  const category = await db.one<{ id: number }>(sql`
    insert into faq_category (tenant_id, name, audience, sort)
    values (${tenantId}, ${name}, 'END_USER', 1) returning id`);
  const { id } = await db.one<{ id: number }>(sql`
    insert into faq (tenant_id, category_id, question, answer, is_on, sort)
    values (${tenantId}, ${category.id}, ${`问题 ${name}`}, ${answer}, true, 1) returning id`);
  return { categoryId: category.id, id };
}

/**
 * Inserts a row into each table; the platform's announcement and question are visible to every
 * tenant.
 */
export async function insertAnnouncements(
  testServer: TestServer,
  db: Db,
  at: { tenantId: number; operatorId: number; mark: string },
) {
  const { tenantId, operatorId, mark } = at;
  const noticeImageId = await makePicture(testServer, db, tenantId, "NOTICE");
  await db.run(sql`update file set unused_since = null where id = ${noticeImageId}`);
  const image = `<p>${mark}<img src="${imageAddressOf(noticeImageId)}" alt="" /></p>`;
  const title = `公告 ${mark}`;
  const announcementId = await insertAnnouncement(db, { tenantId, title });
  const draftAnnouncementId = await insertAnnouncement(db, { tenantId, title, isDraft: true });
  const appAnnouncementId = await insertAnnouncement(db, {
    ...{ tenantId, title },
    ...{ audience: "END_USER", content: image },
  });
  await db.run(sql`
    insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id)
    values (${tenantId}, ${announcementId}, 'OPERATOR', ${operatorId})`);
  const own = await insertQuestion(db, tenantId, `分类 ${mark}`, image);
  const { id: spareFaqCategoryId } = await db.one<{ id: number }>(sql`
    insert into faq_category (tenant_id, name, audience, sort)
    values (${tenantId}, ${`空分类 ${mark}`}, 'END_USER', 2) returning id`);
  await db.run(sql`
    insert into rich_text_image (tenant_id, file_id, announcement_id, faq_id)
    values (${tenantId}, ${noticeImageId}, ${appAnnouncementId}, null),
      (${tenantId}, ${noticeImageId}, null, ${own.id})`);
  const nameOfPlatform = `平台 ${tenantId} ${own.id}`;
  const ofPlatform = await insertQuestion(db, 1, nameOfPlatform, "<p>平台的回答</p>");
  await db.run(sql`
    insert into faq_hidden (tenant_id, faq_id, hidden_by)
    values (${tenantId}, ${ofPlatform.id}, ${mark})`);
  return {
    announcementId,
    draftAnnouncementId,
    appAnnouncementId,
    platformAnnouncementId: await insertAnnouncement(db, { tenantId: 1, title: nameOfPlatform }),
    noticeImageId,
    faqId: own.id,
    faqCategoryId: own.categoryId,
    spareFaqCategoryId,
    platformFaqId: ofPlatform.id,
  };
}
