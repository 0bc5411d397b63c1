// 资金复核: a sum beyond the tenant's is requested by one account and executed when another agrees.
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
beforeAll(() =>
  demo.run(`
    insert into tenant_setting (tenant_id, review_fen, edited_by) values (2, 50000, '')
    on conflict (tenant_id) do update set review_fen = 50000`),
);
afterAll(() => demo.run("update tenant_setting set review_fen = 0 where tenant_id = 2"));

test("four eyes: the form closes with 已提交，待复核; a colleague finds and agrees to it", async () => {
  const clerk = await demo.visit();
  await storeSession(clerk.page, demo.server.account(2, 1));
  await clerk.page.goto("/cupboardRun/pay/topUp?hasBalance=true");
  const row = clerk.page.getByRole("row").nth(1);
  await row.getByRole("button", { name: "充值", exact: true }).click();
  const form = clerk.page.getByRole("dialog");
  await form.getByLabel("实收金额").fill("600");
  await form.getByLabel("原因").fill("对公转账");
  await form.getByLabel("确认金额").fill("600");
  await form.getByRole("button", { name: "确认充值" }).click();
  await clerk.page.getByText("已提交，待复核").waitFor();
  await form.waitFor({ state: "hidden" });

  const second = await demo.visit();
  await storeSession(second.page, demo.server.account(2, 0));
  await second.page.goto("/dashboard");
  await second.page.getByRole("button", { name: /消息中心/ }).click();
  const entry = second.page.getByRole("link", { name: /1 笔资金操作待复核/ });
  await entry.waitFor();
  await entry.click();
  const request = second.page.getByRole("row").filter({ hasText: "对公转账" });
  await request.waitFor();
  await request.getByRole("button", { name: "同意" }).click();
  await second.page.getByRole("button", { name: "同意并执行" }).click();
  await second.page.getByText("已同意并执行：充值 +¥600.00").waitFor();

  await clerk.page.goto("/settings/review");
  await clerk.page.getByRole("row").filter({ hasText: "已同意" }).waitFor();
  expect([...clerk.complaints, ...second.complaints]).toEqual([]);
});
