// 用户 in the console: lock with an end date, notice in the app, unlock, bulk tags, deletion.

import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { solvedCaptcha } from "../apps/simulator/src/people/captcha.ts";
import { callApi, callApiAs } from "./support/api.ts";
import { chooseItem, storeSession, type Visit } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
const PHONE = "13911112222";
let visit: Visit;
beforeAll(async () => {
  visit = await demo.visit();
  await storeSession(visit.page, demo.server.account(2, 1));
});

/** Signs up a new user by phone; the code is read in the console. Returns the app headers. */
async function signUp(page: Page): Promise<Record<string, string>> {
  const { origin } = demo.server;
  const at = { tenantId: 2, phone: PHONE };
  const asked = await callApi(origin, appContract.requestCode, {
    body: at,
    headers: await solvedCaptcha(origin),
  });
  expect(asked.errMsg).toBe("");
  const sent = await callApiAs(page, smsContract.history, { query: { phone: PHONE } });
  const { data } = await callApiAs(page, smsContract.showText, {
    params: { id: sent.data.list[0]?.id ?? 0 },
    body: { reason: "代用户查看" },
  });
  const code = /\D(\d{6})\D/.exec(data.text)?.[1] ?? "";
  const { requestToken } = asked.data;
  const signedIn = await callApi(origin, appContract.signIn, {
    body: { ...at, code, requestToken },
  });
  expect(signedIn.errMsg).toBe("");
  return { [APP_TOKEN_HEADER]: signedIn.data.token };
}

const noticeOf = async (headers: Record<string, string>) =>
  (await callApi(demo.server.origin, appContract.me, { headers })).data?.notice;

async function act(page: Page, name: string, action: string) {
  await page.getByRole("button", { name: `更多操作：${name}` }).click();
  await chooseItem(page, action);
}

test("end user: locked with a reason and an end date, notified in the app, unlocked", async () => {
  const { page, complaints } = visit;
  const headers = await signUp(page);
  expect(await noticeOf(headers)).toBeNull();
  await page.goto("/user/normalUser");
  await page.getByLabel("手机号", { exact: true }).fill("139");
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await page.getByText("手机号请填完整号码或后四位").waitFor();
  await page.getByLabel("手机号", { exact: true }).fill(PHONE);
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("phone") === PHONE);
  const row = page.getByRole("row").filter({ hasText: "139****2222" });
  await row.getByText("正常").waitFor();

  await row.getByRole("button", { name: "锁定", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "锁定", exact: true }).click();
  await dialog.getByText("原因不能为空").waitFor();
  await dialog.getByLabel("原因").fill("多次占用格口");
  const end = dialog.getByLabel("自动解锁时间");
  await end.fill("2020-01-01 12:00");
  await dialog.getByRole("button", { name: "锁定", exact: true }).click();
  await dialog.getByText("解锁时间须晚于现在").waitFor();
  await expect.poll(() => dialog.getByLabel("原因").inputValue()).toBe("多次占用格口");
  // An invalid date is refused instead of becoming a lock without an end.
  await end.fill("后天");
  await dialog.getByRole("button", { name: "锁定", exact: true }).click();
  await dialog.getByText("自动解锁时间“后天”不是可以识别的时间").waitFor();
  const year = new Date().getFullYear() + 1;
  // Enter in the date field accepts the date; it must not submit the lock.
  await end.fill(`${year}-01`);
  await end.press("Enter");
  await end.fill(`${year}-01-02`);
  await end.press("Enter");
  // A day alone is an end at its last minute.
  await expect.poll(() => end.inputValue()).toBe(`${year}-01-02 23:59`);
  await end.fill(`${year}-01-01 12:00`);
  await dialog.getByRole("button", { name: "锁定", exact: true }).click();
  await page.getByText(`${year}-01-01 12:00 自动解锁`).waitFor();
  await dialog.waitFor({ state: "hidden" });
  await row.getByText("已锁定").waitFor();
  expect(await noticeOf(headers)).toContain(`您的账号已被锁定至 ${year}-01-01 12:00`);

  await row.getByRole("button", { name: "139****2222", exact: true }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(`至 ${year}-01-01 12:00:00`).waitFor();
  await drawer.getByText("没有进行中的订单").waitFor();
  await drawer.getByRole("button", { name: "查看完整手机号" }).click();
  await chooseItem(page, "处理投诉");
  await drawer.getByRole("link", { name: PHONE }).waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });

  await row.getByRole("button", { name: "解锁", exact: true }).click();
  const unlock = page.getByRole("dialog", { name: "解锁用户" });
  const confirm = unlock.getByRole("button", { name: "解锁", exact: true });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await unlock.getByRole("button", { name: "核实为误锁" }).click();
  await confirm.click();
  await row.getByText("正常").waitFor();
  expect(await noticeOf(headers)).toBeNull();
  expect(complaints).toEqual([]);
});

test("tags: added in bulk, filterable, and removed from users when deleted", async () => {
  const { page, complaints } = visit;
  await page.goto("/user/normalUser?view=tags");
  const make = async (name: string) => {
    await page.getByRole("button", { name: "新增标签" }).click();
    const dialog = page.getByRole("dialog", { name: "新增标签" });
    await dialog.getByLabel("标签名称").fill(name);
    await dialog.getByRole("radio", { name: "紫色" }).check();
    await dialog.getByRole("button", { name: "保存" }).click();
    return dialog;
  };
  const refused = await make("VIP");
  await refused.getByText("已有标签“VIP”，请换一个名称").waitFor();
  await refused.getByLabel("标签名称").fill("夜间用户");
  await refused.getByRole("button", { name: "保存" }).click();
  await refused.waitFor({ state: "hidden" });
  await page.getByRole("row").filter({ hasText: "夜间用户" }).waitFor();

  const views = page.getByRole("group", { name: "切换用户与标签" });
  await views.getByRole("button", { name: "用户", exact: true }).click();
  await page.getByRole("columnheader", { name: "余额" }).waitFor();
  const rows = page.getByRole("row");
  await rows.nth(1).getByRole("checkbox").check();
  await rows.nth(2).getByRole("checkbox").check();
  await page.getByText("已选 2 项").waitFor();
  await page.getByRole("button", { name: "加标签" }).click();
  const dialog = page.getByRole("dialog", { name: "给 2 个用户加标签" });
  await dialog.getByRole("button", { name: "加标签", exact: true }).click();
  await dialog.getByText("请至少选择一个标签").waitFor();
  await dialog.getByRole("combobox").fill("夜间");
  await dialog.getByRole("combobox").press("Enter");
  await dialog.getByText("已有的标签不变").click();
  await dialog.getByRole("button", { name: "加标签", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });

  await page.goto("/user/normalUser?view=tags&name=夜间用户");
  await page.getByRole("link", { name: "2", exact: true }).click();
  await page.getByText("共 2 条").waitFor();
  await rows.nth(1).getByText("夜间用户").waitFor();

  await page.goto("/user/normalUser?view=tags&name=夜间用户");
  await rows.nth(1).getByRole("button", { name: "删除" }).click();
  const deletion = page.getByRole("dialog", { name: "删除标签" });
  await deletion.getByText("2 个用户将不再有这个标签").waitFor();
  await deletion.getByRole("button", { name: "删除" }).click();
  await page.getByText("暂无符合条件的记录").waitFor();
  expect(complaints).toEqual([]);
});

test("end user deletion: refused with goods or balance, else the user is removed", async () => {
  const { page, complaints } = visit;
  await page.goto("/user/normalUser?hasGoods=true&hasBalance=true");
  const first = page.getByRole("row").nth(1).getByRole("button").first();
  const name = (await first.textContent()) ?? "";
  await act(page, name, "删除");
  const dialog = page.getByRole("dialog", { name: "删除用户" });
  await dialog.getByText("现在还不能删除，请先处理").waitFor();
  await dialog.getByRole("button", { name: "删除" }).click();
  await dialog.getByRole("alert").getByText("不能删除：请先处理完再删除").waitFor();
  await dialog.getByRole("button", { name: "取消" }).click();

  const { data } = await callApiAs(page, endUserContract.list, { query: { phone: PHONE } });
  expect(data.list).toHaveLength(1);
  await page.goto(`/user/normalUser?phone=${PHONE}`);
  await act(page, "139****2222", "删除");
  await dialog.getByText("显示为“已注销用户”").waitFor();
  await dialog.getByRole("button", { name: "删除" }).click();
  await page.getByText("暂无符合条件的记录").waitFor();
  expect(complaints).toEqual([]);
});
