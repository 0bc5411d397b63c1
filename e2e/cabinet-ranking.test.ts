// Cabinets of both sides in one ranking, the reason of a low earner, and a new price from there.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

test("设备排行: both sides, lowest first, the reason one click away", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboardRun/index");
  await page.getByRole("link", { name: "单双面合并排行" }).click();
  await page.waitForURL(/\/cupboard\/index\?view=ranking/);
  const table = page.getByRole("table", { name: "设备排行" });
  await table.getByText("单面", { exact: true }).first().waitFor();
  const descending = page.waitForURL(/sort=income/);
  await table.getByRole("button", { name: "日均净收入" }).click();
  await descending;
  await page.goto("/cupboard/index?view=ranking&sort=income&order=asc");
  await table.getByText("使用较少").first().waitFor();
  await table.getByText("双面", { exact: true }).first().waitFor();
  await table
    .getByRole("row")
    .filter({ hasText: "使用较少" })
    .first()
    .getByRole("button")
    .first()
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("heading", { name: "可能原因" }).waitFor();
  await drawer
    .getByRole("listitem")
    .filter({ hasText: "使用较少" })
    .getByRole("link", { name: "查看订单" })
    .click();
  await page.waitForURL(/\/rider\/order\?cabinetId=\d+/);
  await page.getByRole("table", { name: "订单列表" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("price card: its rule is tried on last month's orders of the cabinet and applied", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboard/index");
  const query = { side: "SINGLE", lifecycle: "ACTIVE", pageSize: 10 };
  const { data } = await callApiAs(page, cabinetContract.list, { query });
  const cabinet = data.list[0];
  if (!cabinet) throw new Error("the demo has no cabinet in operation");
  await page.goto(`/cupboard/cupboardEdit?id=${cabinet.id}`);
  await page.getByRole("link", { name: "用此规则试算上月" }).click();
  await page.waitForURL(/view=pricing/);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get("cabinetId")).toBe(String(cabinet.id));
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
  await page.getByLabel("每单位价格").fill("7.7");
  await page.getByRole("button", { name: "开始试算" }).click();
  await page.waitForURL(/stepFen=770/);
  await page.getByRole("button", { name: "应用到这台设备" }).click();
  const dialog = page.getByRole("dialog", { name: `应用规则：${cabinet.name}` });
  await dialog.getByText(/7\.70? 元/).waitFor();
  await dialog.getByRole("button", { name: "应用规则" }).click();
  await page.getByText("规则已应用").waitFor();
  const saved = await callApiAs(page, cabinetContract.get, { params: { id: cabinet.id } });
  expect(saved.data.pricing.cabinet).toMatchObject({ stepFen: 770 });
  expect(saved.data).toMatchObject({ name: cabinet.name, storeId: cabinet.storeId });
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
