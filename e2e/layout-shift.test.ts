// Layout shift: what comes late has its place, and moves nothing that is already there.
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { expect, test } from "vitest";
import { RECORD_SHIFTS, storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

/** Two frames: what is there now was painted. */
const PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

const OUTBOX = [
  "/smsManage/send",
  `**${urlPath(smsContract.way)}`,
  "text=发件箱（未启用短信通道）",
] as const;

test.for([
  OUTBOX,
  [...OUTBOX, { width: 390, height: 844 }],
  ["/inform/edit", "**/assets/rich-text-editor-*.js", '[role="textbox"][aria-label="内容"]'],
  [
    "/cupboardRun/pay/payRecord?view=reconciliation",
    `**${urlPath(reconciliationContract.runs)}?*`,
    ".reconciliation-last:has-text('对账')",
  ],
  ["/largeScreen", `**${urlPath(statisticsContract.screen)}*`, "text=昨日 ¥"],
] as [path: string, late: string, part: string, viewport?: { width: number; height: number }][])(
  "%s: a late part and the open submenu move nothing",
  async ([path, late, part, viewport]) => {
    const { context, page } = await demo.visit(viewport);
    await storeSession(page, demo.server.account(1, 0));
    await page.addInitScript(RECORD_SHIFTS);
    const { promise: drawn, resolve: release } = Promise.withResolvers<void>();
    await page.route(late, async (route) => {
      await drawn;
      await route.continue();
    });
    await page.goto(path);
    await page.locator("main :is(label, .tenant-pick)").first().waitFor();
    await page.evaluate(PAINTED);
    release();
    await page.locator(part).waitFor();
    await page.evaluate(PAINTED);
    expect(await page.evaluate("window.shifts")).toBeLessThan(0.003);
    await context.close();
  },
);
