// FAQs of the demo: the platform's for end users and for accounts, and one tenant's for its users.
import type { Db } from "../../platform/db/db.ts";
import { DAY } from "../fleet/cabinet.ts";
import { insertNumberedRows, insertRows } from "../rows.sql.ts";

type Category = readonly [name: string, ...questions: (readonly [string, string])[]];

const forPeople: Category[] = [
  [
    "存件",
    [
      "怎么存件？",
      "<ol><li>扫描柜机上的二维码；</li><li>选择格口大小，填写取件人手机号；</li><li>柜门打开后放入物品并关好柜门。</li></ol><p>关门后取件人会收到取件码。</p>",
    ],
    ["哪些物品不能存？", "<p>易燃易爆、易腐烂、活体和贵重物品不能存放。</p>"],
    [
      "柜门关不上怎么办？",
      "<p>请检查物品是否过大，再用力推一次；仍关不上请联系柜身上的<strong>服务电话</strong>。</p>",
    ],
  ],
  [
    "取件",
    [
      "没有收到取件码怎么办？",
      "<p>在小程序的“待取件”中可以直接看到取件码，也可以点“重新发送”。</p>",
    ],
    ["可以让别人代取吗？", "<p>可以，把取件码告诉代取的人即可；每个取件码只能使用一次。</p>"],
  ],
  [
    "费用",
    [
      "怎么收费？",
      "<p>每台柜机的计费规则在下单前显示，一般有免费时段，超过后按时长计费，<strong>当日封顶</strong>。</p>",
    ],
    ["余额怎么退？", "<p>本金可以随时申请退回原支付账户，赠送部分不能退。</p>"],
  ],
];

const forAccounts: Category[] = [
  [
    "设备与开门",
    [
      "远程开门的结果怎么看？",
      "<p>结果分三级：<strong>已下发</strong>（设备收到）、<strong>已执行</strong>（锁给了脉冲）、<strong>已开门</strong>（门磁看到门开）。</p><p>设备离线时指令会被拒绝，恢复后<strong>不会补开</strong>。</p>",
    ],
    [
      "格口为什么显示不可用？",
      "<p>把鼠标放在格口上可以看到原因：停用、故障、已占用、双面门未关等，旁边有对应的处理按钮。</p>",
    ],
  ],
  [
    "订单与退款",
    [
      "怎样给用户退款？",
      "<ol><li>在“订单列表”打开订单；</li><li>点“退款”，填写金额和原因；</li><li>款项退回用户的钱包。</li></ol>",
    ],
    ["滞留订单怎么处理？", "<p>先用“重发取件码”提醒取件人，仍未取走再“清柜”，并写明物品去向。</p>"],
  ],
  [
    "账号与权限",
    ["为什么看不到某个菜单？", "<p>菜单由角色决定，请让管理员在“角色管理”中勾选对应的页面。</p>"],
  ],
];

const ofOneTenant: Category[] = [
  [
    "取件",
    [
      "物品滞留会怎样？",
      "<p>超过 24 小时未取会短信提醒，超过 7 天由门店代为保管，请到<em>蒋村花园店</em>领取。</p>",
    ],
  ],
  ["月卡", ["月卡可以转让吗？", "<p>月卡与手机号绑定，不能转让；未使用可以在 7 天内退款。</p>"]],
];

interface DemoWriter {
  tenantId: number;
  actors: { signature: string }[];
}

/** The first writer is the platform. */
export async function insertFaqs(
  db: Db,
  [platform, tenant]: readonly DemoWriter[],
  now: number,
): Promise<void> {
  if (!platform || !tenant) return;
  await insertFor(db, platform, "END_USER", forPeople, now);
  await insertFor(db, platform, "OPERATOR", forAccounts, now);
  await insertFor(db, tenant, "END_USER", ofOneTenant, now);
}

async function insertFor(
  db: Db,
  { tenantId, actors }: DemoWriter,
  audience: "END_USER" | "OPERATOR",
  categories: readonly Category[],
  now: number,
): Promise<void> {
  const by = { edited_by: actors[0]?.signature ?? "" };
  const ids = await insertNumberedRows(
    db,
    "faq_category",
    categories.map(([name], nth) => ({
      ...{ tenant_id: tenantId, name, audience, sort: nth + 1, edit_version: 1 },
      ...by,
    })),
  );
  const at = new Date(now - 12 * DAY).toISOString();
  const rows = categories.flatMap(([, ...questions], nth) =>
    questions.map(([question, answer], sort) => ({
      ...{ tenant_id: tenantId, category_id: ids[nth], question, answer, is_on: true },
      ...{ sort: sort + 1, edit_version: 1, updated_at: at, created_at: at },
      ...by,
    })),
  );
  await insertRows(db, "faq", rows);
}
