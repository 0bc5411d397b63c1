// The demo's version notice.
import type { Db } from "../platform/db.ts";
import { DAY } from "./cabinet.ts";
import { insertRows } from "./rows.sql.ts";

const content = `<p>各位运营伙伴，本次更新包含：</p>
<ol>
<li><strong>远程开门</strong>：结果分“已下发、已执行、已开门”逐级显示；设备离线时立即提示，绝不补开。</li>
<li><strong>格口盘点</strong>：系统记录、物品传感器与现场所见逐格比对，可按所见更正。</li>
<li><strong>设备列表</strong>：新增“有故障”筛选，格口数量实时刷新。</li>
</ol>
<p>如有疑问，请联系平台客服。</p>`;

export async function insertAnnouncement(db: Db, now: number): Promise<void> {
  const updatedAt = new Date(now - 2 * DAY).toISOString();
  await insertRows(db, "announcement", [
    { version: "V1.0.0", content, state: "PUBLISHED", updated_at: updatedAt },
  ]);
}
