// 钱包 recharged by hand: package, confirmed large sum, refused over-correction, its journals.
import { beforeAll, expect, test } from "vitest";
import { chooseItem, storeSession, type Visit } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
let visit: Visit;
beforeAll(async () => {
  visit = await demo.visit();
  await storeSession(visit.page, demo.server.account(2, 1));
});

/** `¥1,234.50` in fen. */
const fenOf = (text: string) => Number(text.replace(/[^\d-]/g, ""));

test("wallet: recharged by package and by amount; a correction above the balance is refused", async () => {
  const { page } = visit;
  await page.goto("/cupboardRun/pay/topUp?hasBalance=true");
  const row = page.getByRole("row").nth(1);
  const userName = (await row.getByRole("button").first().textContent()) ?? "";
  const cell = async (at: number) =>
    fenOf((await row.getByRole("cell").nth(at).textContent()) ?? "");
  const [principal, bonus] = [await cell(2), await cell(3)];

  await row.getByRole("button", { name: "充值", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(`线下充值：${userName}`).waitFor();
  await dialog.getByLabel("充值套餐").click();
  await page.getByTitle("充 50 送 5", { exact: true }).click();
  await dialog.getByLabel("原因").fill("前台收现金");
  await expect.poll(() => dialog.getByLabel("实收金额").inputValue()).toBe("50");
  await dialog.getByRole("button", { name: "确认充值" }).click();
  await page.getByText("已充值，余额").waitFor();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => cell(2)).toBe(principal + 5_000);
  expect(await cell(3)).toBe(bonus + 500);

  await row.getByRole("button", { name: "充值", exact: true }).click();
  await dialog.getByLabel("实收金额").fill("600");
  await dialog.getByLabel("原因").fill("对公转账");
  await dialog.getByLabel("确认金额").fill("60");
  await dialog.getByRole("button", { name: "确认充值" }).click();
  await dialog.getByText("须与上面填写的金额合计一致").waitFor();
  await dialog.getByLabel("确认金额").fill("600");
  await dialog.getByRole("button", { name: "确认充值" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => cell(2)).toBe(principal + 65_000);

  await row.getByRole("button", { name: "调整余额" }).click();
  await dialog.getByText("扣减").click();
  await dialog.getByLabel("本金").fill("9999");
  await dialog.getByLabel("确认金额").fill("9999");
  await dialog.getByLabel("原因").fill("重复充值更正");
  await dialog.getByRole("button", { name: "确认调整" }).click();
  await dialog.getByText("本金余额不足").waitFor();
  // The refused form keeps its input and succeeds with a smaller amount.
  await expect.poll(() => dialog.getByLabel("原因").inputValue()).toBe("重复充值更正");
  await dialog.getByLabel("本金").fill("600");
  await dialog.getByLabel("确认金额").fill("600");
  await dialog.getByRole("button", { name: "确认调整" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => cell(2)).toBe(principal + 5_000);

  await row.getByRole("button", { name: "更多" }).click();
  await chooseItem(page, "交易记录");
  await page.getByText("只看一个用户的交易").waitFor();
  const changes = page.getByRole("row").filter({ hasText: userName });
  await changes.first().waitFor();
  const texts = await changes.allTextContents();
  expect(texts.slice(0, 3)).toEqual([
    expect.stringContaining("人工调整"),
    expect.stringContaining("充值"),
    expect.stringContaining("充值"),
  ]);
  expect(texts[0]).toContain("-¥600.00");
  expect(texts[2]).toContain("+¥55.00");
  await changes.first().getByRole("button").first().click();
  await page.getByRole("dialog").getByText("记账分录").waitFor();
  await page.getByRole("dialog").getByText("重复充值更正").waitFor();
  expect(visit.complaints).toEqual([]);
});

test("package: each kind asks for its own fields and is saved without the others'", async () => {
  const { page } = visit;
  await page.goto("/cupboardRun/pay/mealAdd");
  await page.getByLabel("套餐名称").fill("通勤十次卡");
  await page.getByLabel("赠送金额").fill("5");
  await page.getByText("次卡", { exact: true }).click();
  await page.getByLabel("售价").fill("38");
  await page.getByLabel("有效天数").fill("30");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByText("可用次数不能为空").waitFor();
  await page.getByLabel("可用次数").fill("10");
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await page.getByText("套餐“通勤十次卡”已新增").waitFor();
});
