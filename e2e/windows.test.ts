// Small windows: whole rows of lists on laptops and zoomed pages, a picker inside the window, a whole cabinet.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signIn, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

/** Rows that lie whole between the header and the sums, with the page scrolled to this share of its way. */
const wholeRows = (page: Page, scrolled: 0 | 1) =>
  page.evaluate<number>(`(() => {
    const content = document.getElementById("content");
    content.scrollTop = ${scrolled} * content.scrollHeight;
    const edges = (selector) => document.querySelector(selector)?.getBoundingClientRect();
    const [page, box, head, sums] = ["#content", ".ui-table-box", ".ui-table th", ".ui-sums th"].map(edges);
    const top = Math.max(page.top, head.bottom);
    const bottom = Math.min(page.bottom, box.bottom, sums?.top ?? Infinity);
    return [...document.querySelectorAll(".ui-table tbody tr")].filter((row) => {
      const place = row.getBoundingClientRect();
      return place.top >= top - 1 && place.bottom <= bottom + 1;
    }).length;
  })()`);

/** Windows with the bars of a browser: of 1366 × 768 at 100, 125 and 150 %, of 1920 × 1080 at 150 %. */
const windows = [
  { width: 1366, height: 768, rows: 9 },
  { width: 1366, height: 625, rows: 8 },
  { width: 1280, height: 590, rows: 5 },
  { width: 1092, height: 490, rows: 5 },
  { width: 910, height: 410, rows: 5 },
];

test.for([
  "/cupboardRun/rider/order",
  "/cupboard/index",
  "/cupboardRun/pay/payRecord",
  "/malfunction/index",
])("%s: whole rows in low windows", async (path) => {
  const { context, page } = await demo.visit();
  // Platform staff have the most filters.
  await signIn(page, demo.server.account(1, 0), path);
  await page.getByRole("row").nth(10).waitFor();
  await untilLoaded(page, path);
  for (const { width, height, rows } of windows) {
    await page.setViewportSize({ width, height });
    const most = async () => Math.max(await wholeRows(page, 0), await wholeRows(page, 1));
    await expect
      .poll(most, { message: `${width} × ${height}`, timeout: 5_000 })
      .toBeGreaterThanOrEqual(rows);
  }
  await context.close();
});

test("a time range: its picker lies inside a low window", async () => {
  const { context, page } = await demo.visit({ width: 910, height: 410 });
  await signIn(page, demo.server.account(2, 1), "/cupboardRun/rider/order");
  await page.getByRole("button", { name: "更多筛选" }).click();
  await page.getByLabel("下单时间").first().click();
  const submit = page.locator(".ui-time-range:visible").getByRole("button", { name: "确定" });
  await expect.poll(async () => (await submit.boundingBox())?.y).toBeLessThan(410 - 24);
  await context.close();
});

test.for([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])("a cabinet of 36 doors: all columns on a screen of $width px", async (viewport) => {
  const { context, page } = await demo.visit(viewport);
  const [cabinet] = await demo.read<{ id: number }>(`
    select cabinet.id from cabinet join compartment on compartment.cabinet_id = cabinet.id
    where cabinet.tenant_id = 2 group by cabinet.id having count(*) = 36 limit 1`);
  await signIn(page, demo.server.account(2, 1), `/cupboard/blockManage?id=${cabinet?.id}`);
  const doors = page.getByRole("gridcell");
  await expect.poll(() => doors.count()).toBe(36);
  const edges = await page.evaluate<{ right: number; height: number; room: number }>(`(() => {
    const frame = document.querySelector(".cabinet-scroll");
    const doors = [...frame.querySelectorAll(".door")].map((door) => door.getBoundingClientRect());
    const last = (edge) => Math.max(...doors.map((door) => door[edge]));
    const height = last("bottom") - Math.min(...doors.map((door) => door.top));
    return { right: last("right"), height, room: frame.getBoundingClientRect().right };
  })()`);
  expect(edges.right).toBeLessThan(edges.room);
  // Leaves room for the heading; a notice in it makes the page a little longer.
  const heading = { 1440: 330, 390: 200 }[viewport.width] ?? 0;
  expect(edges.height).toBeLessThan(viewport.height - heading);
  await context.close();
});

test.for([
  ["/cupboardRun/rider/order", ["设备与格口", "取件人", "下单时间", "费用", "支付状态", "实付"]],
  ["/cupboard/index", ["在线", "空闲 / 占用 / 故障", "门店", "最近心跳", "运营状态"]],
  ["/malfunction/index", ["级别", "状态", "位置", "持续", "时限", "处理人"]],
] as const)(
  "%s: its columns are on a screen of 1440 px, the tenant while it is not filtered",
  async ([path, names]) => {
    const { context, page } = await demo.visit();
    await signIn(page, demo.server.account(1, 0), path);
    const header = (name: string) => page.getByRole("columnheader", { name, exact: true });
    await header("租户").waitFor();
    await page.getByRole("row").nth(10).waitFor();
    const actions = await header("操作").boundingBox();
    for (const name of names) {
      const place = await header(name).boundingBox();
      const edge = (place?.x ?? Infinity) + (place?.width ?? 0);
      expect(edge, name).toBeLessThanOrEqual((actions?.x ?? 0) + 1);
    }
    const url = new URL(page.url());
    url.searchParams.set("tenantId", "2");
    await page.goto(url.href);
    await header("操作").waitFor();
    expect(await header("租户").count()).toBe(0);
    await context.close();
  },
);
