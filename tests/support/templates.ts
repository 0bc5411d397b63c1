// Rows of message templates, subscriptions and sent subscribe messages, for tests on the real
// database.
import type { SubscribeTemplate } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { miniProgramDraft } from "./mini-programs.ts";

export const subscribeTemplate: SubscribeTemplate = {
  templateId: "NDZqXgmQZ1VPnDhHTU1i_cU8FC4RmLZjYwxMYRzYWfM",
  title: "取件通知",
  page: "pages/order/detail",
  keywords: [
    { name: "character_string1", title: "取件码", variable: "code", text: "" },
    { name: "thing2", title: "取件地点", variable: "place", text: "" },
    { name: "phrase3", title: "状态", variable: null, text: "待取件" },
  ],
};

export const smsTemplate = {
  templateCode: "SMS_290000001",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as carriers write it.
  text: "取件码${code}，请到${place}取件。",
  placeholders: [
    { name: "code", variable: "code" },
    { name: "place", variable: "place" },
  ],
};

/** Inserts a row into each table: a code was sent to a user who allowed one more message. */
export async function insertTemplates(
  db: Db,
  at: { tenantId: number; endUserId: number; orderId: number; mark: string },
): Promise<void> {
  const { tenantId, endUserId, orderId, mark } = at;
  const { templateId, page, keywords } = subscribeTemplate;
  await db.run(sql`
    insert into message_template (tenant_id, scene, side, plan, subscribe_id, subscribe_title,
      subscribe_page, subscribe_keywords, edited_by)
    values (${tenantId}, 'PICKUP_CODE', 'SINGLE', 'FALLBACK', ${templateId}, ${mark}, ${page},
      ${JSON.stringify(keywords)}, ${mark}) on conflict do nothing`);
  await db.run(sql`
    insert into subscribe_message (tenant_id, scene, side, end_user_id, app_id, template_id,
      order_id, sealed_content, has_fallback, state, next_at, is_counted, settled_at)
    values (${tenantId}, 'PICKUP_CODE', 'SINGLE', ${endUserId}, ${miniProgramDraft.appId},
      ${templateId}, ${orderId}, '', true, 'SENT', null, true, now())`);
  await db.run(sql`
    insert into subscribe_allowance (tenant_id, app_id, template_id, end_user_id, reported, used)
    values (${tenantId}, ${miniProgramDraft.appId}, ${templateId}, ${endUserId}, 2, 1)`);
  await db.run(sql`
    insert into subscribe_catalog (tenant_id, app_id, templates, state)
    values (${tenantId}, ${miniProgramDraft.appId}, ${JSON.stringify([
      { templateId, title: mark, isLongTerm: false, content: "", example: "" },
    ])}, 'OK') on conflict do nothing`);
  await db.run(sql`
    insert into order_telling (tenant_id, order_id, scene, occasion)
    values (${tenantId}, ${orderId}, 'STORED', ${mark})`);
}
