// Subscribe messages of the demo: sent in WeChat to riders of one company, until some hours ago.
import type { Keyword } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { findPublishingTenants } from "../partners/webhook.sql.ts";
import { MESSAGE_DAYS } from "../period.ts";
import { insertRows } from "../rows.sql.ts";
import { findAppIds, findSubscribedSteps, type SubscribedStep } from "./subscribe.sql.ts";

const page = "pages/order/detail";
const keyword = (name: string, title: string, variable: Keyword["variable"]): Keyword => ({
  ...{ name, title, variable, text: "" },
});

const templates = {
  STORED: {
    templateId: "Hq3mUe7vB0dXk5RzTf8nYwPa1LcJ2sGo9EiVxN6tDQw",
    title: "物品存入通知",
    keywords: [
      keyword("thing1", "存放地点", "place"),
      keyword("number2", "格口号", "no"),
      keyword("phone_number3", "取件人", "recipient"),
      keyword("time4", "存入时间", "storedAt"),
    ],
  },
  PICKED_UP: {
    templateId: "tR9wKz4cLm2VbQ7yXhJ0sNfGe8uAd5PiO1xUvE3rTBk",
    title: "物品取出通知",
    keywords: [
      keyword("thing1", "存放地点", "place"),
      keyword("phone_number3", "取件人", "recipient"),
      keyword("time5", "取出时间", "endedAt"),
    ],
  },
} as const;

/** Every n-th message fails, for one of these reasons. */
const mishaps: [every: number, state: string, errorCode: number | null, problem: string][] = [
  [23, "FAILED", 43101, "用户没有订阅或已退订：等其在小程序中再次同意后才能发送（43101）"],
  [41, "FAILED", null, "用户已退订或拒收，微信没有送达"],
  [67, "UNKNOWN", null, "服务在发送途中中断，不知道微信是否收到：为免重复，不再发送"],
];

const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

export async function insertSubscribeMessages(db: Db): Promise<void> {
  const [company] = await findPublishingTenants(db);
  const appId = company && (await findAppIds(db)).get(company.tenantId);
  if (!company || !appId) return;
  const { tenantId, name } = company;
  await insertRows(
    db,
    "message_template",
    (["STORED", "PICKED_UP"] as const).map((scene) => {
      const { templateId, title, keywords } = templates[scene];
      return {
        ...{ tenant_id: tenantId, scene, side: "SINGLE", plan: "SUBSCRIBE", sms_code: "" },
        ...{ sms_placeholders: [], subscribe_id: templateId, subscribe_title: title },
        ...{ subscribe_page: page, subscribe_keywords: keywords, problem: "" },
        ...{
          edit_version: 1,
          edited_at: later(new Date().toISOString(), -86_400_000 * (MESSAGE_DAYS + 4)),
        },
        edited_by: name,
      };
    }),
  );
  const steps = await findSubscribedSteps(db, tenantId);
  const of = { tenant_id: tenantId, app_id: appId };
  await insertRows(
    db,
    "subscribe_catalog",
    [of].map((owner) => ({
      ...owner,
      templates: Object.values(templates).map(({ templateId, title, keywords }) => ({
        ...{ templateId, title, isLongTerm: false, example: "" },
        content: keywords.map((each) => `${each.title}:{{${each.name}.DATA}}\n`).join(""),
      })),
      ...{
        state: "OK",
        problem: "",
        fetched_at: later(new Date().toISOString(), -86_400_000 * (MESSAGE_DAYS + 4)),
      },
    })),
  );
  await insertRows(
    db,
    "subscribe_message",
    steps.map((step, nth) => ({ ...of, ...messageRow(step, nth) })),
  );
}

function messageRow({ at, scene, endUserId, orderId }: SubscribedStep, nth: number) {
  const mishap = mishaps.find(([every]) => nth % every === every - 1);
  const [, state, errorCode, problem] = mishap ?? [0, "DELIVERED", null, ""];
  return {
    ...{ created_at: at, scene, side: "SINGLE", end_user_id: endUserId, order_id: orderId },
    ...{ template_id: templates[scene].templateId, is_test: false, sealed_content: "\\x" },
    ...{ has_fallback: false, is_counted: true, state, attempts: 1, next_at: null },
    ...{ claimed_at: later(at, 1_000), settled_at: later(at, 4_000) },
    msg_id: errorCode === null ? String(3_812_046_000_000_000 + nth) : null,
    ...{ error_code: errorCode, problem },
  };
}
