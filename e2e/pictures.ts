// Takes the pictures of the READMEs from the real console with its demo data.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { openBrowser, signIn, visit } from "./support/browser.ts";
import { startServer } from "./support/server.ts";

const folder = path.join(import.meta.dirname, "../docs/images");
const SETTLE_MS = 3_000;

const server = await startServer({ args: ["--demo"] });
const browser = await openBrowser();
try {
  await mkdir(folder, { recursive: true });
  const { page } = await visit(browser, server);
  const firstList = page.waitForResponse((reply) =>
    reply.url().includes(urlPath(cabinetContract.list)),
  );
  await signIn(page, server.account(2, 1));
  await take("/cupboard/index?connectivity=ONLINE", "cabinet-list");
  const { data } = await (await firstList).json();
  await take(`/cupboard/blockManage?id=${data.list[0].id}`, "compartment-board");

  async function take(url: string, name: string): Promise<void> {
    await page.goto(url);
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: path.join(folder, `${name}.jpg`), type: "jpeg", quality: 72 });
  }
} finally {
  await browser.close();
  await server.stop();
}
