// 公告 from draft to readers, and FAQ entries from writing to the help page.
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PIXEL_PNG } from "../tests/support/adverts.ts";
import { callApiAs } from "./support/api.ts";
import { chooseItem, signIn, storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const testServer = useWrittenDemo();

async function signedIn(tenantId: number, userType: 0 | 1 | 2) {
  const visited = await testServer.visit();
  await storeSession(visited.page, testServer.server.account(tenantId, userType));
  return visited;
}

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });
const toast = (page: Page, text: string) => page.getByText(text).first().waitFor();

test("announcement: written with a picture, published, read, withdrawn", async () => {
  const staff = await signedIn(1, 0);
  const reader = await testServer.visit();
  await signIn(reader.page, testServer.server.account(2, 1));
  const { page } = staff;
  await page.goto("/inform/index");
  await page.getByRole("button", { name: "新增公告" }).click();
  await page.getByRole("button", { name: "保存草稿" }).click();
  await page.getByText("标题不能为空").waitFor();
  await page.getByText("内容不能为空").waitFor();
  await page.getByRole("textbox", { name: "标题" }).fill("机房搬迁通知");
  const text = page.getByRole("textbox", { name: "内容" });
  await text.click();
  await page.getByRole("button", { name: "大标题" }).click();
  await page.keyboard.type("搬迁安排");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "加粗（Ctrl+B）" }).click();
  await page.keyboard.type("周六凌晨");
  await page.getByRole("button", { name: "链接" }).click();
  await page.getByLabel("链接地址").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "确定" }).click();
  await page.getByText("链接应以 http://").waitFor();
  await page.getByLabel("链接地址").fill("https://example.cn/plan");
  await page.getByRole("button", { name: "确定" }).click();
  const picture = { name: "示意图.png", mimeType: "image/png", buffer: Buffer.from(PIXEL_PNG) };
  await page.getByLabel("选择图片").setInputFiles(picture);
  await text.locator('img[data-state="shown"]').waitFor();
  await page.getByRole("button", { name: "预览" }).click();
  const preview = page.getByRole("dialog", { name: "预览" });
  await preview.getByRole("heading", { name: "搬迁安排" }).waitFor();
  await preview.locator('img[data-state="shown"]').waitFor();
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "保存草稿" }).click();
  await toast(page, "“机房搬迁通知”已保存为草稿");

  const row = rowOf(page, "机房搬迁通知");
  await row.getByText("草稿").waitFor();
  await row.getByRole("button", { name: "发布" }).click();
  await page
    .getByRole("dialog", { name: "发布公告" })
    .getByRole("button", { name: "发布" })
    .click();
  await toast(reader.page, "新消息“机房搬迁通知”");
  await row.getByText("已发布").waitFor();

  await reader.page.goto("/settings/notice");
  await reader.page.getByRole("button", { name: "机房搬迁通知", exact: true }).click();
  const drawer = reader.page.getByRole("dialog", { name: "机房搬迁通知" });
  await drawer.getByRole("heading", { name: "搬迁安排" }).waitFor();
  await drawer.locator('img[data-state="shown"]').waitFor();
  const link = drawer.getByRole("link", { name: "https://example.cn/plan" });
  await expect.poll(() => link.getAttribute("rel")).toContain("noopener");
  await expect
    .poll(() => rowOf(reader.page, "机房搬迁通知").getByText("已读").count())
    .toBeGreaterThan(0);

  await page.getByRole("button", { name: "机房搬迁通知", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "机房搬迁通知" });
  await detail.getByText(/已读 1 人，共 \d+ 人/).waitFor();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "撤回" }).click();
  const withdrawal = page.getByRole("dialog", { name: "撤回公告" });
  await withdrawal.getByLabel(/原因/).fill("时间改到下月");
  await withdrawal.getByRole("button", { name: "撤回" }).click();
  await row.getByText("已撤回").waitFor();
  await reader.page.reload();
  await reader.page.getByText("11 月 25 日凌晨短信通道维护").first().waitFor();
  expect(await rowOf(reader.page, "机房搬迁通知").count()).toBe(0);
  expect([...staff.complaints, ...reader.complaints]).toEqual([]);
  await Promise.all([staff.context.close(), reader.context.close()]);
});

test("announcement: the editor publishes at a time, beside 保存草稿", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  await page.goto("/inform/edit");
  await page.getByRole("textbox", { name: "标题" }).fill("周末值班安排");
  await page.getByRole("textbox", { name: "内容" }).click();
  await page.keyboard.type("周六起");
  await page.getByRole("button", { name: "发布", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "发布公告" });
  await dialog.getByLabel("定时发布").click();
  await dialog.getByLabel("发布时间").fill("2999-01-01 08:00");
  await dialog.getByRole("button", { name: "定时发布" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/366 天/)
    .waitFor();
  const at = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel("发布时间").fill(`${at} 08:00`);
  await dialog.getByRole("button", { name: "定时发布" }).click();
  await page.waitForURL("**/inform/index");
  await rowOf(page, "周末值班安排").getByText("定时发布").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("announcement: a save over another account's edit is refused and keeps the text", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  const draft = {
    ...{ kind: "NOTICE", title: "停电通知", version: "", audience: "OPERATOR", userTypes: [1] },
    ...{ tenantIds: [], isPinned: false, expiresAt: null },
  };
  const { data } = await callApiAs(page, announcementContract.create, {
    body: { ...draft, content: "<p>周一停电</p>" },
  });
  await page.goto(`/inform/edit?id=${data.id}`);
  await page.getByRole("textbox", { name: "内容" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("，请留意");
  // Returning to the tab refetches; a failed refetch must not discard the form.
  const refusal = { status: 403, json: { code: 1, data: null, errMsg: "" } };
  const one = `**${announcementContract.get.path.replace("{id}", String(data.id))}`;
  await page.route(one, (route) => route.fulfill(refusal), { times: 1 });
  const refused = page.waitForResponse((answer) => answer.status() === 403);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await refused;
  await callApiAs(page, announcementContract.update, {
    params: { id: data.id },
    body: { ...draft, content: "<p>周二停电</p>", editVersion: 1 },
  });
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "为免覆盖未作保存" }).waitFor();
  await expect
    .poll(() => page.getByRole("textbox", { name: "内容" }).textContent())
    .toBe("周一停电，请留意");
  await page.goto(`/inform/edit?id=${data.id}&edition=1`);
  await page.getByText("内容已换成第 1 版的").waitFor();
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await toast(page, "“停电通知”已保存");
  expect(complaints).toEqual([]);
  await context.close();
});

test("FAQ: questions get a category and an order; platform questions can be hidden", async () => {
  const { context, page, complaints } = await signedIn(2, 1);
  await page.goto("/faq/index?view=categories");
  await page.getByRole("button", { name: "新增分类" }).click();
  const form = page.getByRole("dialog", { name: "新增分类" });
  await form.getByLabel("分类名称").fill("发票");
  await form.getByRole("button", { name: "保存" }).click();
  await toast(page, "分类“发票”已保存");
  await page.getByRole("button", { name: "问题", exact: true }).click();
  for (const question of ["怎么开发票？", "发票多久寄到？"]) {
    await page.getByRole("button", { name: "新增问题" }).click();
    await page.getByRole("textbox", { name: "问题" }).fill(question);
    await page.getByRole("combobox", { name: "分类" }).click();
    await page.getByTitle("发票", { exact: true }).click();
    await page.getByRole("textbox", { name: "回答" }).click();
    await page.keyboard.type("在小程序“我的”中申请。");
    await page.getByRole("button", { name: "新增", exact: true }).click();
    await toast(page, `“${question}”已新增`);
  }
  const names = () =>
    page.getByRole("button", { name: /发票/ }).filter({ hasText: "？" }).allInnerTexts();
  await expect.poll(names).toEqual(["怎么开发票？", "发票多久寄到？"]);
  await page.getByRole("button", { name: "更多操作：发票多久寄到？" }).click();
  await chooseItem(page, "上移");
  await expect.poll(names).toEqual(["发票多久寄到？", "怎么开发票？"]);

  await page.getByRole("button", { name: "平台问题" }).click();
  const base = rowOf(page, "怎么存件？");
  await base.getByRole("button", { name: "隐藏" }).click();
  await base.getByText("已隐藏").waitFor();

  await page.goto("/settings/help");
  await page.getByLabel("搜索帮助").fill("补开");
  await page.getByText("远程开门的结果怎么看？").waitFor();
  await expect.poll(() => page.getByText("怎样给用户退款？").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("version notice: shown though it is published between the page's first call and its channel", async () => {
  const staff = await signedIn(1, 0);
  const reader = await signedIn(2, 1);
  const first = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  // The first answer, from before the publication, arrives late; the channel opens before it.
  await reader.page.route(
    `**${urlPath(announcementContract.latest)}`,
    async (route) => {
      const response = await route.fetch();
      first.resolve();
      await answered.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await reader.page.route(`**${LIVE_PATH}`, async (route) => {
    await opened.promise;
    await route.continue();
  });
  await reader.page.goto("/dashboard");
  await first.promise;
  const notice = { kind: "VERSION", title: "", audience: "OPERATOR", userTypes: [], tenantIds: [] };
  const { data } = await callApiAs(staff.page, announcementContract.create, {
    body: { ...notice, isPinned: false, expiresAt: null, version: "9.1", content: "<p>抢先</p>" },
  });
  await callApiAs(staff.page, announcementContract.publish, {
    params: { id: data.id },
    body: { publishAt: null },
  });
  const channel = reader.page.waitForResponse(`**${LIVE_PATH}`);
  opened.resolve();
  await channel;
  answered.resolve();
  const dialog = reader.page.getByRole("dialog", { name: "存取柜通知！" });
  await dialog.getByText("版本：9.1").waitFor();
  await callApiAs(staff.page, announcementContract.withdraw, {
    params: { id: data.id },
    body: { reason: "测试完毕" },
  });
  await Promise.all([staff.context.close(), reader.context.close()]);
});
