// 维护消息: a rule is saved and tested, and its recipient sees the message on any page at once.
import { beforeAll, expect, test } from "vitest";
import { chooseItem, go, storeSession, type Visit } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();
let manager: Visit;
let caretaker: Visit;
beforeAll(async () => {
  manager = await demo.visit();
  await storeSession(manager.page, demo.server.account(2, 1));
  caretaker = await demo.visit();
  await storeSession(caretaker.page, demo.server.account(2, 2));
});

test("maintenance rule: saved, tested, and shown to the caretaker of the store at once", async () => {
  const { page } = manager;
  await page.goto("/set/maintenance");
  const table = page.getByRole("table", { name: "维护消息规则" });
  const row = table.getByRole("row").filter({ hasText: "高温" });
  await row.getByText("同默认规则").waitFor();

  await row.getByRole("button", { name: "修改" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("现在按默认规则通知").waitFor();
  await drawer.getByLabel("后台提醒").uncheck();
  await drawer.getByLabel("短信", { exact: true }).uncheck();
  await drawer.getByRole("button", { name: "保存" }).click();
  await drawer.getByText("请至少选择一种通知方式").waitFor();
  await drawer.getByLabel("后台提醒").check();
  await drawer.getByLabel("短信", { exact: true }).check();
  await drawer.getByLabel("重复通知间隔").fill("90");
  await drawer.getByLabel("无人受理多久后升级").fill("20");
  await drawer.getByRole("button", { name: "保存" }).click();
  await drawer.getByText("请选择升级通知的账号").waitFor();
  // By keyboard: the list moves when the accounts load, and a click could miss.
  await drawer.getByLabel("账号").last().fill("管理员");
  await page.locator(".ant-select-item-option-active").filter({ hasText: "管理员" }).waitFor();
  await page.keyboard.press("Enter");
  await drawer.locator(".ant-select-selection-item").filter({ hasText: "管理员" }).waitFor();
  await page.keyboard.press("Escape");
  await drawer.getByRole("button", { name: "保存" }).click();
  await page.getByText("“高温”的通知规则已保存").waitFor();
  await row.getByText("单独设置").waitFor();
  await expect.poll(() => row.textContent()).toContain("1 小时 30 分钟");
  await expect.poll(() => row.textContent()).toContain("20 分钟无人受理");

  // A store of the caretaker, who may be on any page when the message arrives.
  await caretaker.page.goto("/point/index");
  const stores = caretaker.page.getByRole("table").getByRole("row");
  const store = (await stores.nth(1).getByRole("button").first().textContent()) ?? "";
  await row.getByRole("button", { name: "测试" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("假设发生在").click();
  await page.getByTitle(store, { exact: true }).click();
  await dialog.getByText("会通知").waitFor();
  await dialog.getByText("发生“高温”时将这样通知您").waitFor();
  await dialog.getByRole("button", { name: "发送测试消息" }).click();
  await page.getByText(/测试消息已发给 \d+ 人/).waitFor();

  await caretaker.page.getByText("新消息“测试消息”").first().waitFor();
  await caretaker.page.getByRole("button", { name: /^消息中心，\d+ 条未读$/ }).click();
  const notices = caretaker.page.getByRole("dialog", { name: "消息中心" });
  const entry = notices.getByRole("listitem").filter({ hasText: "测试消息" });
  await entry.getByText("高温").waitFor();
  await notices.getByRole("button", { name: "全部已读" }).click();
  await notices.getByRole("button", { name: "全部已读", disabled: true }).waitFor();

  await go(page, "/set/maintenance?view=notices&step=TEST&kind=TEMPERATURE_HIGH");
  const sentNotices = page.getByRole("table", { name: "维护消息发送记录" });
  await sentNotices.getByText("已看").first().waitFor();
  await expect.poll(() => sentNotices.textContent()).toContain("已写入发件箱");

  await go(page, "/set/maintenance");
  await row.getByRole("button", { name: "更多" }).click();
  await chooseItem(page, "改用默认规则");
  await page.getByRole("dialog").getByRole("button", { name: "恢复" }).click();
  await page.getByText("已恢复默认").waitFor();
  await row.getByText("同默认规则").waitFor();

  // A tenant-wide kind has no store and no assignee, so neither field is offered.
  const callbacks = table.getByRole("row").filter({ hasText: "回调未送达" });
  await callbacks.getByRole("button", { name: "测试" }).click();
  const trial = page.getByRole("dialog", { name: "测试：回调未送达" });
  await trial.getByText("会通知").waitFor();
  expect(await trial.getByLabel("假设发生在").count()).toBe(0);
  await trial.getByRole("button", { name: "取消" }).click();
  await trial.waitFor({ state: "hidden" });
  await callbacks.getByRole("button", { name: "修改" }).click();
  await drawer.getByText("现在按默认规则通知").waitFor();
  expect(await drawer.getByLabel("无人受理多久后升级").count()).toBe(0);
  await drawer.getByRole("button", { name: "保存" }).click();
  await page.getByText("“回调未送达”的通知规则已保存").waitFor();
  await callbacks.getByText("单独设置").waitFor();
});
