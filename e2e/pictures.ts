// Takes the screenshots of the READMEs from the real console with demo data.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { ViewportSize } from "playwright-core";
import { openBrowser, signIn, visit } from "./support/browser.ts";
import { doorNo, openForDeposit, phoneOf, takeCabinet } from "./support/pickup.ts";
import { startServer } from "./support/server.ts";

const folder = path.join(import.meta.dirname, "../docs/images");
/** Time for the simulated cabinets to come online. */
const SETTLE_MS = 10_000;
/** Time for drawer and chart animations to finish. */
const REST_MS = 2_000;

const server = await startServer({ args: ["--demo"] });
const browser = await openBrowser();
try {
  await mkdir(folder, { recursive: true });
  const { page } = await visit(browser, server);
  await signIn(page, server.account(2, 1));
  await page.waitForTimeout(SETTLE_MS);
  await page.goto("/dashboard");
  await page.locator("canvas").first().waitFor();
  await take("home");
  await page.goto("/cupboardRun/rider/order?state=COMPLETED&payStatus=PAID");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  const order = page.getByRole("dialog");
  await order.getByRole("heading", { name: "处理记录" }).waitFor();
  await take("order");
  await page.goto("/cupboard/index");
  const board = page.getByRole("link", { name: "格口管理" }).first();
  await page.getByRole("button", { name: "导出" }).and(page.locator(":enabled")).waitFor();
  await take("cabinet-list");
  await board.click();
  await page.getByRole("gridcell").first().waitFor();
  await take("compartment-board");
  await page.goto("/cupboard/ModelList");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await page.getByRole("dialog").waitFor();
  await take("cabinet-model");
  await takeParcel();

  /** The two screens of a parcel beside each other: the cabinet's front, and the page at its open door. */
  async function takeParcel(): Promise<void> {
    const demo = { server, browser, visit: (size?: ViewportSize) => visit(browser, server, size) };
    const cabinet = await takeCabinet(demo);
    const front = cabinet.operator;
    await front.setViewportSize({ width: 1240, height: 844 });
    await front.goto(`/cupboard/simulated?id=${cabinet.id}`);
    await front.getByText("已连接平台").waitFor();
    const phone = (await demo.visit({ width: 390, height: 844 })).page;
    const people = { rider: phoneOf("176"), recipient: phoneOf("177") };
    await openForDeposit(phone, cabinet, people);
    const no = await doorNo(phone, "号箱门已打开");
    const door = front.getByRole("button", { name: new RegExp(`^${no} 号格口.*门已开`) });
    await door.scrollIntoViewIfNeeded();
    await page.waitForTimeout(REST_MS);
    const screens = [await front.screenshot(), await phone.screenshot()];
    const images = screens.map(
      (png) => `<img src="data:image/png;base64,${png.toString("base64")}">`,
    );
    await page.goto("about:blank");
    await page.setViewportSize({ width: 1240 + 390 + 3 * 24, height: 844 + 2 * 24 });
    await page.setContent(
      `<body style="margin: 24px; display: flex; gap: 24px; background: #d5d8df">${images.join("")}`,
    );
    await take("parcel");
  }

  async function take(name: string): Promise<void> {
    await page.waitForTimeout(REST_MS);
    await page.screenshot({ path: path.join(folder, `${name}.jpg`), type: "jpeg", quality: 72 });
  }
} finally {
  await browser.close();
  await server.stop();
}
