// Tasks of an operator's day, each with the clicks it may take; typing and keys are free. And the outage of a store in full.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { openCallContract } from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { authorize, newNonce } from "@cabinet/open-api-client";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { findStoredOrder } from "./support/stored-order.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

interface Task {
  page: Page;
  /** Fails if more clicks were made since the start than the task may take. */
  end(most: number): Promise<void>;
}

/** Signs in at `path` as the account and counts presses of mouse and finger from then on. */
async function begin(
  who: readonly [tenantId: number, userType: 0 | 1 | 2],
  path = "/dashboard",
  size = { width: 1440, height: 900 },
): Promise<Task> {
  const { context, page, complaints } = await demo.visit(size);
  let clicks = 0;
  await page.exposeFunction("noteClick", () => {
    clicks += 1;
  });
  // Not at the window: there Playwright stops a press that a moving element would miss, and repeats it.
  await page.addInitScript(
    "document.addEventListener('pointerdown', (event) => event.isTrusted && noteClick(), true)",
  );
  await signIn(page, demo.server.account(...who), path);
  await page.getByRole("button", { name: "搜索手机号、订单、设备" }).waitFor();
  clicks = 0;
  return {
    page,
    async end(most) {
      expect(clicks).toBeGreaterThan(0);
      expect(clicks).toBeLessThanOrEqual(most);
      expect(complaints).toEqual([]);
      await context.close();
    },
  };
}

/** Opens a page by its name in the search box, by keys alone. */
async function openByName(page: Page, title: string, path: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const box = page.getByRole("dialog", { name: "搜索", exact: true });
  await box.getByRole("searchbox").fill(title);
  const hit = box.getByRole("region", { name: "页面" }).getByRole("link", { name: title }).first();
  await hit.press("Enter");
  await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(path));
}

/** Opens a select and chooses each option by typing it. */
async function choose(page: Page, select: Locator, ...options: string[]): Promise<void> {
  await select.click();
  for (const option of options) {
    await select.fill(option);
    await page
      .locator(".ant-select-dropdown:visible")
      .getByTitle(option, { exact: true })
      .waitFor();
    await select.press("Enter");
  }
}

const tableOf = (page: Page, name: string) => page.getByRole("table", { name, exact: true });

test("1 parcel of a phone that ends with four digits: 3 clicks to the open door", async () => {
  const { page, end } = await begin([2, 1], "/faq/index");
  const stored = await findStoredOrder(page);
  await page.keyboard.press("Control+k");
  const box = page.getByRole("dialog", { name: "搜索", exact: true });
  await box.getByRole("searchbox").fill(stored.recipient.phone.slice(-4));
  await box.getByRole("button", { name: `开门：订单 ${stored.id}` }).click();
  const dialog = page.getByRole("dialog", { name: `开门：订单 ${stored.id}` });
  await dialog.getByRole("button", { name: "用户忘记取件码，已核实身份" }).click();
  await dialog.getByRole("button", { name: "开门", exact: true }).click();
  await dialog.getByText("已开门", { exact: true }).waitFor();
  expect(await box.count()).toBe(0);
  await end(3);
});

test("2 outage: 1 click from 首页 to since when, which cabinets and what is inside", async () => {
  const { page, end } = await begin([2, 1]);
  const open = page.getByRole("region", { name: "未完结故障" });
  await open.getByRole("listitem").first().getByRole("link").first().click();
  await page.waitForURL(/\/malfunction\/incident\?id=\d+$/);
  await page.getByText("已持续", { exact: true }).first().waitFor();
  await page.getByRole("list", { name: "影响范围" }).waitFor();
  await end(1);
});

test("3 cabinets that earn least, of both sides, why, and their orders: 3 clicks", async () => {
  const { page, end } = await begin([2, 1]);
  await openByName(page, "设备排行", "/cupboard/index?view=ranking");
  const table = tableOf(page, "设备排行");
  const income = table.getByRole("button", { name: "日均净收入" });
  await table.getByText("单面", { exact: true }).first().waitFor();
  await income.click();
  await page.waitForURL(/sort=income.*order=asc/);
  await table.getByText("双面", { exact: true }).first().waitFor();
  const row = table.getByRole("row").filter({ hasText: "订单偏少" }).first();
  await row.getByRole("button").first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("heading", { name: "可能原因" }).waitFor();
  const reason = drawer.getByRole("listitem").filter({ hasText: "订单偏少" });
  await reason.getByRole("link", { name: "查看订单" }).click();
  await page.waitForURL(/\/rider\/order\?cabinetId=\d+/);
  await tableOf(page, "订单列表").waitFor();
  await end(3);
});

test("4 account for two stores, with a preview of what it will see: 6 clicks", async () => {
  const { page, end } = await begin([2, 1]);
  await openByName(page, "运维人员", "/user/userAdmin");
  await page.getByRole("button", { name: "新增运维人员" }).click();
  const drawer = page.getByRole("dialog", { name: "新增运维人员" });
  await drawer.getByLabel("姓名").fill("许晴");
  await drawer.getByLabel("账号", { exact: true }).fill("xu.qing");
  await choose(page, drawer.getByLabel("角色"), "运维人员（本人负责的门店）");
  await choose(page, drawer.getByLabel("负责的门店"), "蒋村花园店", "仓前小镇店");
  await drawer.getByText(/^可见 2 家门店、\d+ 台设备$/).waitFor();
  await drawer.getByLabel("初始密码").fill("kT7m-Qp2x-Vb4n");
  await drawer.getByRole("button", { name: "新增", exact: true }).click();
  const handover = page.getByRole("dialog", { name: "运维人员“许晴”已新增" });
  await handover.getByLabel("我已记下密码").click();
  await handover.getByRole("button", { name: "完成" }).click();
  await page
    .getByRole("row")
    .filter({ hasText: "许晴" })
    .getByText(/^2 家：/)
    .waitFor();
  await end(6);
});

test("5 partial refund: 3 clicks from the order's row", async () => {
  const { page, end } = await begin([2, 1]);
  const query = { side: "DOUBLE", payStatus: "PAID" };
  const [order] = (await callApiAs(page, orderContract.list, { query })).data.list;
  if (!order) throw new Error("nobody has paid for an order");
  await page.goto(`/userApplet/rider/order?orderNo=${order.id}`);
  const row = page.getByRole("row").filter({ hasText: String(order.id) });
  await row.getByRole("button", { name: "退款", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `退款：订单 ${order.id}` });
  await dialog.getByLabel("退款金额").fill("0.50");
  await dialog.getByLabel("原因").fill("箱门故障，补偿用户");
  await dialog.getByRole("button", { name: "退款" }).click();
  await page
    .getByRole("dialog", { name: "确认退款 ¥0.50？" })
    .getByRole("button", { name: "退款 ¥0.50" })
    .click();
  await row.getByText("部分退款").waitFor();
  await end(3);
});

test("6 another price for one cabinet, tried on last month and applied: 5 clicks", async () => {
  const { page, end } = await begin([2, 1], "/cupboard/index?side=SINGLE&lifecycle=ACTIVE");
  const row = tableOf(page, "设备列表").locator("tbody tr:not(.ui-table-place)").first();
  await row.getByRole("link", { name: "编辑" }).click();
  await page.getByRole("link", { name: "用此规则试算上月" }).click();
  await page.waitForURL(/view=pricing/);
  const { searchParams } = new URL(page.url());
  const id = Number(searchParams.get("cabinetId"));
  const { data: cabinet } = await callApiAs(page, cabinetContract.get, { params: { id } });
  const [year, month] = shanghaiDay(Date.now()).split("-").map(Number);
  const first = new Date(Date.UTC(year ?? 0, (month ?? 0) - 2, 1)).toISOString().slice(0, 10);
  expect(searchParams.get("from")).toBe(first);
  await page.getByText(`${cabinet.name}（${cabinet.sn}）`).first().waitFor();

  // The demo's orders may begin after last month: the whole time has some of each cabinet.
  const days = new URLSearchParams(searchParams);
  days.delete("from");
  days.delete("to");
  await page.goto(`/cupboardRun/index?${days}`);
  await page.getByRole("list", { name: "试算结果" }).waitFor();
  // The rule's own price stands before those of its rates.
  await page.getByLabel("每单位价格").first().fill("7.7");
  await page.getByRole("button", { name: "开始试算" }).click();
  await page.waitForURL(/stepFen=770/);
  await page.getByRole("button", { name: "应用到这台设备" }).click();
  const dialog = page.getByRole("dialog", { name: `应用规则：${cabinet.name}` });
  await dialog.getByText(/7\.70? 元/).waitFor();
  await dialog.getByRole("button", { name: "应用规则" }).click();
  await page.getByText("规则已应用").waitFor();
  const { data: saved } = await callApiAs(page, cabinetContract.get, { params: { id } });
  const { rates } = cabinet.pricing.cabinet ?? { rates: [] };
  expect(saved.pricing.cabinet).toMatchObject({ stepFen: 770, rates });
  expect(saved).toMatchObject({ name: cabinet.name, storeId: cabinet.storeId });
  await end(5);
});

test("7 notice for a later day at 08:00: 4 clicks", async () => {
  const { page, end } = await begin([2, 1], "/inform/edit");
  await page.getByRole("textbox", { name: "标题" }).fill("月末值班安排");
  await page.getByRole("textbox", { name: "内容" }).click();
  await page.keyboard.type("周六起");
  await page.getByRole("button", { name: "发布", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "发布公告" });
  await dialog.getByLabel("定时发布").click();
  const at = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel("发布时间").fill(`${at} 08:00`);
  await dialog.getByRole("button", { name: "定时发布" }).click();
  await page.waitForURL("**/inform/index");
  const row = page.getByRole("row").filter({ hasText: "月末值班安排" });
  await row.getByText("定时发布").waitFor();
  await end(4);
});

test("8 maintenance worker on a phone accepts a malfunction: 2 taps", async () => {
  const { page, end } = await begin([2, 2], "/malfunction/index", { width: 390, height: 844 });
  const query = { state: "CREATED", pageSize: 10 };
  const [waiting] = (await callApiAs(page, malfunctionContract.list, { query })).data.list;
  if (!waiting) throw new Error("no malfunction waits");
  await page
    .getByRole("row")
    .filter({ hasText: `#${waiting.id} ` })
    .click();
  const card = page.getByRole("dialog", { name: new RegExp(`^(故障 )?#${waiting.id}\\b`) });
  await card.getByRole("button", { name: "受理", exact: true }).click();
  await card.getByText("处理中").first().waitFor();
  await end(2);
});

test("9 three cabinets from the maker's list to their tenant: 8 clicks", async () => {
  const { page, end } = await begin([1, 0], "/register/deviceList");
  const rows = [1, 2, 3].map((nth) => `ZC26TASK000${nth},单面柜 24 格,2026-12 首批,`);
  const text = ["设备编号（必填）,型号（必填）,批次,备注", ...rows].join("\n");
  await page.getByRole("button", { name: "导入", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "导入新设备" });
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "选择文件" }).click();
  const file = { name: "发货清单.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await (await chooser).setFiles(file);
  await dialog.getByRole("button", { name: "导入 3 台" }).click();
  await dialog.getByText("已导入 3 台").waitFor();
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "下载" }).click();
  await saved;
  await dialog.getByRole("button", { name: "分配租户" }).click();
  const assigning = page.getByRole("dialog", { name: "分配租户" });
  await choose(page, assigning.getByLabel("租户"), "杭州禾木智存科技有限公司");
  await assigning.getByRole("button", { name: "分配", exact: true }).click();
  await dialog.getByRole("button", { name: "已分配租户" }).waitFor();
  await dialog.getByRole("button", { name: "完成" }).click();
  await dialog.waitFor({ state: "hidden" });
  const assigned = page.getByRole("row").filter({ hasText: /ZC26TASK000\d.*已分配/ });
  await assigned.nth(2).waitFor();
  await end(8);
});

test("10 who changed something, by the kind of the action: 4 clicks", async () => {
  const { page, end } = await begin([2, 1]);
  await openByName(page, "操作审计", "/set/audit");
  const action = page.getByRole("combobox", { name: "操作", exact: true });
  await action.click();
  await action.fill("发布公告");
  await page.getByTitle("发布公告", { exact: true }).last().click();
  await page.getByRole("button", { name: "查询" }).click();
  await page
    .getByRole("row")
    .filter({ hasText: "发布公告" })
    .first()
    .getByRole("button")
    .first()
    .click();
  await page.getByRole("dialog", { name: "发布公告" }).getByText("操作人").first().waitFor();
  await end(4);
});

test("11 orders of a preset month as a workbook: 5 clicks", async () => {
  const { page, end } = await begin([2, 1], "/cupboardRun/rider/order");
  await tableOf(page, "订单列表").locator("tbody tr:not(.ui-table-place)").first().waitFor();
  await page.getByPlaceholder("开始时间").first().click();
  await page.getByText("本月", { exact: true }).first().click();
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await page.waitForURL(/[?&]\w*[fF]rom=/);
  await page.getByRole("button", { name: "导出", exact: true }).click();
  const question = page.getByRole("dialog").filter({ hasText: "是否确认导出" });
  const downloaded = page.waitForEvent("download");
  await question.getByRole("button", { name: "确定", exact: true }).click();
  expect((await downloaded).suggestedFilename()).toMatch(
    /^订单列表-单面-\d{4}-\d\d-01(至\d{4}-\d\d-\d\d)?\.xlsx$/,
  );
  await end(5);
});

test("12 callback that failed, and call with a wrong signature: 4 clicks to both causes", async () => {
  const { page, end } = await begin([2, 1]);
  const failed = await callApiAs(page, webhookContract.deliveries, { query: { state: "DEAD" } });
  const refused = await callApiAs(page, openCallContract.list, { query: { refusal: "SIGNATURE" } });
  const apps = await callApiAs(page, openAppContract.list, { query: { pageSize: 100 } });
  const [delivery, call] = [failed.data.list[0], refused.data.list[0]];
  const app = apps.data.list.find(({ name }) => name === call?.appName);
  if (!delivery || !call || !app) throw new Error("nothing failed");

  await openByName(page, "调用记录", "/thirdPartApi/record");
  await page.getByLabel("订单号", { exact: true }).fill(String(delivery.orderId));
  await page.getByLabel("订单号", { exact: true }).press("Enter");
  await page.waitForURL(/[?&]orderId=/);
  const row = page.getByRole("row").filter({ hasText: "投递失败" }).first();
  await row.getByRole("button").first().click();
  const drawer = page.getByRole("dialog").filter({ hasText: "概要" });
  await drawer.getByRole("region", { name: "签名原文" }).first().waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });

  await openByName(page, "第三方调用", "/thirdPartApi/record?view=calls");
  await page.getByLabel("请求编号").fill(call.requestId);
  await page.getByLabel("请求编号").press("Enter");
  await page.waitForURL(/[?&]requestId=/);
  const refusal = page.getByRole("row").filter({ hasText: "签名不符" });
  await refusal.getByRole("button").first().click();
  await page.getByRole("link", { name: "用这次调用调试签名" }).click();
  const request = {
    ...{ method: call.method, host: new URL(demo.server.origin).host, target: call.target },
    ...{ contentType: "", idempotencyKey: "", body: "" },
  };
  const claim = { app: app.code, kid: call.kid, ts: Math.floor(Date.now() / 1000) };
  const sent = authorize(request, { ...claim, nonce: newNonce() }, "cabsk_another");
  await page
    .getByLabel("cURL 命令")
    .fill(`curl '${demo.server.origin}${call.target}' -H 'Authorization: ${sent}'`);
  await page.getByRole("button", { name: "检查签名" }).click();
  const report = page.getByRole("region", { name: "检查结果" });
  await report.getByRole("alert").getByText("签名不符").waitFor();
  await report.getByRole("list", { name: "待签字符串" }).waitFor();
  await end(4);
});

/** The outage of the store with the most cabinets, an hour old; detection alone takes minutes. */
const OUTAGE = `
  with place as (
    select cabinet.tenant_id, cabinet.store_id from cabinet
    where cabinet.tenant_id = 2 and cabinet.store_id is not null and cabinet.lifecycle = 'ACTIVE'
    group by 1, 2 order by count(*) desc, 2 limit 1
  ), made as (
    insert into malfunction (tenant_id, store_id, kind, severity, source, description, created_at)
    select tenant_id, store_id, 'OFFLINE', 'SEVERE', 'DEVICE', '门店断网或断电：设备同时离线',
      now() - interval '59 minutes' from place
    returning tenant_id, id, store_id
  )
  insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id, last_seen_at)
  select cabinet.tenant_id, made.id, cabinet.id, now() - interval '1 hour'
  from made join cabinet on cabinet.tenant_id = made.tenant_id
    and cabinet.store_id = made.store_id and cabinet.lifecycle = 'ACTIVE'`;

test("13 a cabinet paused and resumed from any page: 2 clicks each", async () => {
  const { page, end } = await begin([2, 1]);
  const { data } = await callApiAs(page, cabinetContract.list, { query: { lifecycle: "ACTIVE" } });
  const { sn, name } = data.list[0] ?? {};
  const actions = [
    ["暂停", "设备检修", "暂停运营"],
    ["恢复", "检修完成", "恢复运营"],
  ] as const;
  for (const [verb, reason, action] of actions) {
    await page.keyboard.press("Control+k");
    const box = page.getByRole("dialog", { name: "搜索", exact: true });
    await box.getByRole("searchbox").fill(`${verb} ${sn}`);
    await box.getByRole("button", { name: `${action}：${name}` }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: action });
    await dialog.getByRole("button", { name: reason }).click();
    await dialog.getByRole("button", { name: action }).click();
    await page.getByText(`${name} 已${action}`).waitFor();
    await dialog.waitFor({ state: "hidden" });
  }
  await end(4);
});

test("store outage: from 首页 to its page, its cabinets and its store", async () => {
  await demo.run(OUTAGE);
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/dashboard");
  const strip = page.getByRole("region", { name: "未完结故障" });
  const first = strip.getByRole("listitem").first();
  await first.getByText("严重", { exact: true }).waitFor();
  await first.getByRole("link", { name: /^门店断网/ }).click();
  await page.waitForURL(/\/malfunction\/incident\?id=\d+$/);
  const id = Number(new URL(page.url()).searchParams.get("id"));
  const { data } = await callApiAs(page, malfunctionContract.get, { params: { id } });
  expect(data.outage.length).toBeGreaterThan(1);

  const impact = page.getByRole("list", { name: "影响范围" });
  await impact.getByText(`${data.outage.length} 台`, { exact: true }).waitFor();
  const cabinets = page.getByRole("table", { name: "影响的设备" });
  const names = data.outage.map(({ name }) => name);
  await expect.poll(() => cabinets.locator("tbody a").allTextContents()).toEqual(names);
  await page.getByText("暂未通知").waitFor();
  await page.getByRole("button", { name: "受理", exact: true }).click();
  await page.getByText("处理中", { exact: true }).first().waitFor();

  await cabinets.getByRole("link").first().click();
  await page.waitForURL(/\/cupboard\/blockManage\?id=/);
  await page.getByRole("gridcell").first().waitFor();

  await page.goto(`/point/index?name=${encodeURIComponent(data.storeName ?? "")}`);
  const stores = page.getByRole("table", { name: "门店列表" });
  await stores
    .getByRole("button", { name: data.storeName ?? "", exact: true })
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: /^门店断网/ }).click();
  await page.waitForURL(`**/malfunction/incident?id=${id}`);
  await page.getByRole("table", { name: "影响的设备" }).waitFor();

  await page.goto("/malfunction/index?state=OPEN&minMinutes=30");
  const rows = page.getByRole("table", { name: "故障处理" });
  await rows
    .getByRole("button", { name: `#${id} 门店断网` })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("link", { name: "查看影响范围与通知" }).click();
  await page.waitForURL(`**/malfunction/incident?id=${id}`);
  await page.getByRole("table", { name: "影响的设备" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("设备排行 on a phone: the first cabinet begins within 120 px of the list", async () => {
  const { context, page } = await demo.visit({ width: 390, height: 844 });
  await signIn(page, demo.server.account(2, 1), "/cupboard/index?view=ranking");
  const row = page.locator("tbody tr:not(.ui-table-place)").first();
  await row.waitFor();
  const topOf = async (part: typeof row) => (await part.boundingBox())?.y ?? Number.NaN;
  expect((await topOf(row)) - (await topOf(page.locator(".ui-card-full")))).toBeLessThanOrEqual(
    120,
  );
  await page.getByRole("button", { name: "刷新" }).click();
  await row.waitFor();
  await context.close();
});
