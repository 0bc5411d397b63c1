// Announcements of the demo: the platform's version notices and notices to tenants, a tenant's notices to its users.
import type { Db } from "../../platform/db/db.ts";
import { DAY, HOUR } from "../fleet/cabinet.ts";
import { insertNumberedRows, insertRows } from "../rows.sql.ts";
import { insertPeopleReads } from "./announcement.sql.ts";

interface DemoAnnouncement {
  kind: "VERSION" | "NOTICE";
  title: string;
  version?: string;
  content: string;
  audience?: "END_USER";
  userTypes?: number[];
  isPinned?: boolean;
  /** Absent: a draft; negative: scheduled. */
  hoursAgo?: number;
  hoursLeft?: number;
  withdrawReason?: string;
}

const ofPlatform: DemoAnnouncement[] = [
  {
    kind: "VERSION",
    title: "",
    version: "V0.9.0",
    content:
      "<p>首个试运行版本：设备、门店、格口、订单与账户管理上线。</p><p>感谢各位运营伙伴的支持。</p>",
    hoursAgo: 40 * 24,
  },
  {
    kind: "VERSION",
    title: "远程开门与格口盘点",
    version: "V1.0.0",
    content: `<p>各位运营伙伴，本次更新包含：</p><ol><li><strong>远程开门</strong>：结果分“已下发、已执行、已开门”逐级显示；设备离线时立即提示，不会补发开门。</li><li><strong>格口盘点</strong>：系统记录、物品传感器与现场逐格比对，可按现场更正。</li><li><strong>设备列表</strong>：新增“有故障”筛选，格口数量实时刷新。</li></ol><p>如有疑问，请联系平台客服。</p>`,
    hoursAgo: 48,
  },
  {
    kind: "NOTICE",
    title: "11 月 25 日凌晨短信通道维护",
    content: `<p>短信通道将于 <strong>11 月 25 日 01:00–02:00</strong> 维护。</p><ul><li>维护期间取件码短信可能延迟 5 分钟以内；</li><li>取件人可在小程序中直接查看取件码，开门不受影响。</li></ul>`,
    userTypes: [1, 2],
    isPinned: true,
    hoursAgo: 20,
    hoursLeft: 90,
  },
  {
    kind: "NOTICE",
    title: "冬季设备巡检要点",
    content: `<h2>每周一次</h2><ul><li>检查柜体接地与防水胶条；</li><li>低于 0℃ 的室外柜请开启加热；</li><li>清理锁舌处的冰霜，并在“格口管理”中试开一次。</li></ul><blockquote><p>发现驱动板或供电异常，请在“故障处理”中登记并上传现场照片。</p></blockquote>`,
    userTypes: [2],
    hoursAgo: 5 * 24,
  },
  {
    kind: "NOTICE",
    title: "十月账单已出",
    content: "<p>十月对账结果已生成，请在“交易记录 › 对账”中核对差异。</p>",
    userTypes: [1],
    hoursAgo: 19 * 24,
    hoursLeft: -2 * 24,
  },
  {
    kind: "NOTICE",
    title: "平台迁移演练",
    content: "<p>原定本周的迁移演练推迟，时间另行通知。</p>",
    userTypes: [0, 1],
    hoursAgo: 9 * 24,
    withdrawReason: "演练取消",
  },
];

const ofTenant: DemoAnnouncement[] = [
  {
    kind: "NOTICE",
    title: "元旦期间计费说明",
    content: `<p>1 月 1 日至 3 日，存放费按<strong>平日价</strong>计算，超时部分每小时 1 元，每日封顶 10 元。</p><p>月卡用户不受影响。</p>`,
    audience: "END_USER",
    isPinned: true,
    hoursAgo: 30,
  },
  {
    kind: "NOTICE",
    title: "新增 6 台室外柜",
    content: "<p>滨江长河片区新增 6 台室外柜，今日起可以存件，欢迎使用。</p>",
    audience: "END_USER",
    hoursAgo: 6 * 24,
  },
  {
    kind: "NOTICE",
    title: "双十二值班安排",
    content:
      "<p>12 月 11 日至 13 日各片区双人值班，值班电话见门店资料；紧急故障 30 分钟内到场。</p>",
    userTypes: [1, 2],
    hoursAgo: -30,
  },
  {
    kind: "NOTICE",
    title: "春节停运门店（待确认）",
    content: "<p>春节期间以下门店闭店，请提前取走物品：</p><ul><li>待确认</li></ul>",
    audience: "END_USER",
  },
];

export interface DemoAnnouncer {
  tenantId: number;
  actors: { signature: string; tenantId: number; operatorId: number }[];
}

/** The first teller is the platform. */
export async function insertAnnouncements(
  db: Db,
  [platform, tenant]: readonly DemoAnnouncer[],
  now: number,
): Promise<void> {
  if (!platform || !tenant) return;
  const published = await insertFor(db, platform, ofPlatform, now);
  await insertFor(db, tenant, ofTenant, now);
  // Most accounts have read what concerned them; `actors` is indexed by userType.
  const reads = published.flatMap(({ id, isLive, types }, nth) =>
    isLive
      ? [1, 2]
          .filter((type) => types.includes(type) && nth % 3 > 0)
          .map((type, at) => ({
            ...readerOf(tenant.actors[type]),
            announcement_id: id,
            reader_kind: "OPERATOR",
            read_at: new Date(now - (at + 1) * HOUR).toISOString(),
          }))
      : [],
  );
  await insertRows(db, "announcement_read", reads);
  await insertPeopleReads(db);
}

const readerOf = (actor: DemoAnnouncer["actors"][number] | undefined) => ({
  tenant_id: actor?.tenantId,
  reader_id: actor?.operatorId,
});

async function insertFor(
  db: Db,
  { tenantId, actors }: DemoAnnouncer,
  announcements: readonly DemoAnnouncement[],
  now: number,
): Promise<{ id: number; isLive: boolean; types: number[] }[]> {
  const by = actors[0]?.signature ?? "";
  const rows = announcements.map((made) => rowOf(made, tenantId, by, now));
  const ids = await insertNumberedRows(db, "announcement", rows);
  await insertRows(
    db,
    "announcement_edition",
    rows.map(({ title, version, content, updated_at }, nth) => ({
      ...{ tenant_id: tenantId, announcement_id: ids[nth], edition: 1, title, version, content },
      ...{ edited_at: updated_at, edited_by: by },
    })),
  );
  return rows.map(({ state, user_types: types }, nth) => ({
    ...{ id: ids[nth] ?? 0, isLive: state === "PUBLISHED", types },
  }));
}

/** Rounded down to half an hour, as people schedule. */
const onTheHour = (at: number) => Math.floor(at / (HOUR / 2)) * (HOUR / 2);

function rowOf(made: DemoAnnouncement, tenantId: number, by: string, now: number) {
  const { hoursAgo, hoursLeft, withdrawReason = null } = made;
  const publishAt = hoursAgo === undefined ? null : onTheHour(now - hoursAgo * HOUR);
  const written = new Date(Math.min(publishAt ?? now - DAY, now) - HOUR).toISOString();
  const isOut = publishAt !== null && publishAt <= now;
  const isForPeople = made.audience === "END_USER";
  const types = { VERSION: [1], NOTICE: made.userTypes ?? [0, 1, 2] }[made.kind];
  return {
    tenant_id: tenantId,
    kind: made.kind,
    title: made.title,
    version: made.version ?? "",
    content: made.content,
    state: withdrawReason ? "WITHDRAWN" : publishAt === null ? "DRAFT" : "PUBLISHED",
    audience: made.audience ?? "OPERATOR",
    user_types: isForPeople ? [] : types,
    tenant_ids: null,
    is_pinned: made.isPinned ?? false,
    publish_at: publishAt && new Date(publishAt).toISOString(),
    expires_at:
      hoursLeft === undefined ? null : new Date(onTheHour(now + hoursLeft * HOUR)).toISOString(),
    told_at: isOut ? new Date(publishAt).toISOString() : null,
    withdraw_reason: withdrawReason,
    edition: 1,
    edited_by: by,
    created_at: written,
    created_by: by,
    updated_at: written,
  };
}
