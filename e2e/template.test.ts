// 消息模板: text with its price, test message, reset to default; setup of a subscribe message.
import { beforeAll, expect, test } from "vitest";
import { chooseItem, go, signIn, storeSession, type Visit } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();
let operator: Visit;
beforeAll(async () => {
  operator = await demo.visit();
  await storeSession(operator.page, demo.server.account(2, 1));
});

const templateId = "NDZqXgmQZ1VPnDhHTU1i_cU8FC4RmLZjYwxMYRzYWfM";

test("SMS template: validated, priced, tested, reset to the default", async () => {
  const { page, complaints } = operator;
  await page.goto("/cupboardRun/template");
  const row = page.getByRole("table", { name: "消息模板" }).getByRole("row").filter({
    hasText: "平台默认",
  });
  const pickup = row.filter({ hasText: "取件人" });
  await pickup.getByRole("button", { name: "修改" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: "自定义内容" }).click();
  const text = drawer.getByRole("textbox", { name: "短信内容" });
  await text.fill("【禾木】您的包裹到了");
  await drawer.getByRole("button", { name: "保存" }).click();
  await drawer.getByText("签名在租户其他配置中设置").waitFor();
  await text.fill("您的包裹到了");
  await drawer.getByText("短信内容须有“验证码 / 取件码”的占位符").waitFor();
  await text.fill(`取件码\${code}，请到\${where}取件。${"如有疑问请联系客服。".repeat(6)}`);
  await drawer.getByText("请为占位符 where 选择变量").waitFor();
  await drawer.getByLabel("占位符 where 的变量").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "柜机位置" }).click();
  await drawer.getByText("取件码582931，请到仓前小镇店 4 号柜取件").waitFor();
  await drawer.getByText(/计费 2 条/).waitFor();
  await text.fill(`取件码\${code}，请到\${where}取件。`);
  await drawer.getByText(/计费 1 条/).waitFor();
  await drawer.getByLabel("短信模板编号").fill("SMS_490000001");
  await drawer.getByRole("button", { name: "保存" }).click();
  await page.getByText("“取件码”已保存").waitFor();

  const own = page
    .getByRole("row")
    .filter({ hasText: "取件人" })
    .filter({ hasText: "自定义，1 条" });
  await own.getByRole("button", { name: "测试" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("手机号").fill("13800138000");
  await dialog.getByRole("button", { name: "发送测试消息" }).click();
  await page.getByText("测试短信已提交").waitFor();
  await go(page, "/smsManage/send");
  await page.getByRole("table").getByText("138****8000").first().waitFor();

  await go(page, "/cupboardRun/template");
  await own.getByRole("button", { name: "更多" }).click();
  await chooseItem(page, "恢复默认");
  // Waits from before the click: a toast is gone after three seconds.
  const done = page.getByText("已恢复默认").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "恢复" }).click();
  await done;
  await pickup.waitFor();
  expect(complaints).toEqual([]);
});

test("subscribe message: keywords validated by type, previewed, saved", async () => {
  // Tenant 1 has no mini program yet, so that nobody can receive these messages.
  const { page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 1), "/userApplet/template");
  const stored = page.getByRole("row").filter({ hasText: "存件通知" });
  await stored.getByText("未启用").waitFor();
  await stored.getByRole("button", { name: "修改" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: "配置", exact: true }).click();
  await drawer.getByText("未配置小程序").waitFor();
  await drawer.getByLabel("模板 ID").fill(templateId);
  await drawer.getByLabel("模板标题").fill("存件成功通知");
  await drawer.getByRole("button", { name: "添加关键词" }).click();
  await drawer.getByLabel("第 1 个关键词").fill("存放地点");
  await drawer.getByLabel("存放地点的名称").fill("place1");
  await drawer.getByText("名称 place1 不对").first().waitFor();
  await drawer.getByLabel("存放地点的名称").fill("thing1");
  await drawer.getByText("事物：20 个以内字符").waitFor();
  await drawer.getByRole("button", { name: "添加关键词" }).click();
  await drawer.getByLabel("第 2 个关键词").fill("存入时间");
  await drawer.getByLabel("存入时间的名称").fill("time2");
  await drawer.getByText("2026年11月22日 12:26").waitFor();
  await drawer.getByRole("button", { name: "保存" }).click();
  await page.getByText("“存件通知”已保存").waitFor();
  await stored.getByText("没有小程序配置").waitFor();
  await go(page, "/smsManage/send?view=subscribe");
  await page.getByText("发送的订阅消息会出现在这里").waitFor();
  expect(complaints).toEqual([]);
});
