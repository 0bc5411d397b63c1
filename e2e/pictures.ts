// Takes the screenshots of the READMEs from the real console with demo data.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { ViewportSize } from "playwright-core";
import sharp from "sharp";
import { openBrowser, signIn, visit } from "./support/browser.ts";
import { doorNo, openForDeposit, phoneOf, readCode, takeCabinet } from "./support/pickup.ts";
import { startServer } from "./support/server.ts";

const folder = path.join(import.meta.dirname, "../docs/images");
/** Time for the simulated cabinets to come online. */
const SETTLE_MS = 10_000;
/** Time for drawer and chart animations to finish. */
const REST_MS = 2_000;
/** The animated picture of two screens. */
const FRONT = { width: 1240, height: 844 };
const PHONE = { width: 390, height: 844 };
const GAP = 24;
const PAIR_WIDTH = 1275;

/** The cabinet's screen and the phone beside each other. */
async function pairOf(front: Buffer, phone: Buffer): Promise<Buffer> {
  const pair = sharp({
    create: {
      width: FRONT.width + PHONE.width + 3 * GAP,
      height: FRONT.height + 2 * GAP,
      channels: 3,
      background: "#d5d8df",
    },
  }).composite([
    { input: front, left: GAP, top: GAP },
    { input: phone, left: FRONT.width + 2 * GAP, top: GAP },
  ]);
  // Composition comes after resizing in one pipeline.
  return sharp(await pair.png().toBuffer())
    .resize(PAIR_WIDTH)
    .png()
    .toBuffer();
}

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

  /** The two screens of a parcel beside each other, from the deposit's form to the empty compartment. */
  async function takeParcel(): Promise<void> {
    const demo = {
      server,
      browser,
      visit: (size?: ViewportSize) => visit(browser, server, { viewport: size }),
    };
    const cabinet = await takeCabinet(demo);
    const front = cabinet.operator;
    await front.setViewportSize(FRONT);
    await front.goto(`/cupboard/simulated?id=${cabinet.id}`);
    await front.getByText("已连接平台").waitFor();
    const phone = (await demo.visit(PHONE)).page;
    const people = { rider: phoneOf("176"), recipient: phoneOf("177") };
    const stills: { picture: Buffer; ms: number }[] = [];
    const show = async (ms: number) => {
      await page.waitForTimeout(REST_MS);
      stills.push({
        picture: await pairOf(await front.screenshot(), await phone.screenshot()),
        ms,
      });
    };
    const useDoor = async (no: number, content: "PRESENT" | "EMPTY") => {
      await front
        .getByRole("button", { name: new RegExp(`^${no} 号格口.*门已开`) })
        .scrollIntoViewIfNeeded();
      await show(2_500);
      await cabinet.at(no, { content });
      await show(1_500);
      await cabinet.at(no, { close: "FRONT" });
    };
    await phone.goto(`/m/c/${cabinet.sn}`);
    await show(2_000);
    await openForDeposit(phone, cabinet, people);
    const no = await doorNo(phone, "号箱门已打开");
    await useDoor(no, "PRESENT");
    await phone.getByRole("heading", { level: 1, name: "已存入" }).waitFor();
    await show(2_500);
    await phone.goto(`/m/c/${cabinet.sn}/pickup`);
    const code = await readCode(cabinet, { scene: "PICKUP_CODE", phone: people.recipient });
    await phone.getByLabel("取件码").fill(code);
    await phone.getByLabel("收件人手机号后四位").fill(people.recipient.slice(-4));
    await show(2_000);
    await phone.getByRole("button", { name: "打开箱门" }).click();
    await doorNo(phone, "号箱门已打开");
    await useDoor(no, "EMPTY");
    await phone.getByRole("heading", { level: 1, name: "取件完成" }).waitFor();
    await show(3_500);
    const delay = stills.map(({ ms }) => ms);
    await sharp(
      stills.map(({ picture }) => picture),
      { join: { animated: true } },
    )
      .webp({ delay, loop: 0, quality: 75, effort: 6 })
      .toFile(path.join(folder, "parcel.webp"));
  }

  async function take(name: string): Promise<void> {
    await page.waitForTimeout(REST_MS);
    await page.screenshot({ path: path.join(folder, `${name}.jpg`), type: "jpeg", quality: 72 });
  }
} finally {
  await browser.close();
  await server.stop();
}
