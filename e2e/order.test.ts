// One order end to end: deposit by the app, code from the outbox, paid pickup, income on home.
import { randomInt, randomUUID } from "node:crypto";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import {
  type AppCabinet,
  appOrderContract,
} from "@cabinet/contract/orders/app/app-order.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { solvedCaptcha } from "../apps/simulator/src/people/captcha.ts";
import { type ApiInput, callApi, callApiAs } from "./support/api.ts";
import { storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
const FEE_FEN = 350;

const callApp = <Spec extends EndpointSpec>(spec: Spec, input: ApiInput) =>
  callApi(demo.server.origin, spec, input);

/** Reads a code from the outbox, as an operator does when no message arrived. */
async function readOutbox(page: Page, phone: string, scenario: string): Promise<string> {
  await page.goto(`/smsManage/send?phone=${phone}`);
  await page.getByText("发件箱（未启用短信通道）").waitFor();
  const row = page.getByRole("row").filter({ hasText: scenario }).first();
  await row.getByText(`${phone.slice(0, 3)}****${phone.slice(7)}`).waitFor();
  await row.getByRole("button", { name: "查看原文" }).click();
  const dialog = page.getByRole("dialog", { name: "查看短信原文" });
  const confirm = dialog.getByRole("button", { name: "查看", exact: true });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "用户没有收到短信" }).click();
  await confirm.click();
  await dialog.getByText(phone).waitFor();
  const text = (await dialog.getByRole("blockquote").textContent()) ?? "";
  await dialog.getByRole("button", { name: "关闭" }).last().click();
  await dialog.waitFor({ state: "hidden" });
  return /\D(\d{6})\D/.exec(text)?.[1] ?? "";
}

async function signInToApp(page: Page, tenantId: number, phone: string) {
  const asked = await callApp(appContract.requestCode, {
    body: { tenantId, phone },
    headers: await solvedCaptcha(demo.server.origin),
  });
  const code = await readOutbox(page, phone, "登录验证码");
  const { requestToken } = asked.data;
  const { data, errMsg } = await callApp(appContract.signIn, {
    body: { tenantId, phone, code, requestToken },
  });
  expect(errMsg).toBe("");
  return { headers: { [APP_TOKEN_HEADER]: data.token }, endUserId: data.user.endUserId };
}

const phoneOf = (prefix: string) => prefix + String(randomInt(100_000_000)).padStart(8, "0");

/** Finds a cabinet that takes orders and sets the price of its store for the test. */
async function findCabinet(page: Page): Promise<AppCabinet> {
  let found: AppCabinet | undefined;
  await expect
    .poll(
      async () => {
        const query = { connectivity: "ONLINE", lifecycle: "ACTIVE", side: "SINGLE", pageSize: 50 };
        const { data } = await callApiAs(page, cabinetContract.list, { query });
        for (const { id, sn } of data.list) {
          const { data: cabinet } = await callApp(appOrderContract.cabinet, { params: { sn } });
          if (cabinet.refusal !== null) continue;
          const { data: detail } = await callApiAs(page, cabinetContract.get, { params: { id } });
          if (detail.pricing.cabinet || detail.storeId === null) continue;
          const { storeId } = detail;
          const { data: pricing } = await callApiAs(page, pricingContract.get, {
            query: { storeId },
          });
          const rule = {
            freeMinutes: 0,
            perUseFen: FEE_FEN,
            stepMinutes: 1440,
            stepFen: 0,
            capFen: null,
            overdueAfterMinutes: 1440,
          };
          const body = { storeId, version: pricing.rule?.version ?? 0, rule };
          const saved = await callApiAs(page, pricingContract.save, { body });
          expect(saved.errMsg).toBe("");
          found = cabinet;
          return true;
        }
        return false;
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBe(true);
  return found as AppCabinet;
}

async function incomeToday(page: Page): Promise<number> {
  await page.goto("/dashboard");
  const card = page.getByRole("list", { name: "今日经营" }).getByRole("listitem");
  const income = card.filter({ hasText: "今日净收入" });
  await income.getByText(/¥\d/).first().waitFor();
  // Soon after midnight there may be more refunds than payments.
  const text = (await income.textContent()) ?? "";
  const [, sign = "", yuan = ""] = /(-?)¥([\d,]+\.\d\d)/.exec(text) ?? [];
  return Math.round(Number(`${sign}${yuan.replaceAll(",", "")}`) * 100);
}

test("order: deposit, code by message, paid pickup, income on the home page", async () => {
  const { context, page, complaints } = await demo.visit();
  const account = demo.server.account(2, 1);
  await storeSession(page, account);
  const cabinet = await findCabinet(page);
  const { sn } = cabinet;
  const tenantId = account.tenantId;
  expect(cabinet.tenantId).toBe(tenantId);
  const before = await incomeToday(page);

  const [riderPhone, recipientPhone] = [phoneOf("176"), phoneOf("177")];
  const rider = await signInToApp(page, tenantId, riderPhone);
  const size = cabinet.sizes.find(({ free }) => free > 0)?.size ?? "S";
  const request = {
    body: { sn, size, recipientPhone, itemNote: "文件" },
    headers: { ...rider.headers, "idempotency-key": randomUUID() },
  };
  const deposit = await callApp(appOrderContract.deposit, request);
  expect(deposit.errMsg).toBe("");
  const { orderId } = deposit.data;
  expect((await callApp(appOrderContract.deposit, request)).data).toEqual(deposit.data);
  const id = { params: { id: orderId } };

  /** Opens again when an opening ended without its purpose: a jam, or a door that closed over nothing. */
  const waitFor = async (
    state: string,
    headers: Record<string, string>,
    openAgain: () => Promise<unknown>,
    resting: readonly string[],
  ) => {
    await expect
      .poll(
        async () => {
          const { data: order } = await callApp(appOrderContract.get, { ...id, headers });
          const isUnderWay = ["QUEUED", "SENT", "ACKED"].includes(order.opening?.state ?? "");
          if (!isUnderWay && resting.includes(order.state)) await openAgain();
          return order.state;
        },
        { timeout: 90_000, interval: 1_000 },
      )
      .toBe(state);
  };
  await waitFor(
    "STORED",
    rider.headers,
    () => callApp(appOrderContract.openAgain, { ...id, headers: rider.headers }),
    ["PENDING", "DEPOSITING"],
  );

  const code = await readOutbox(page, recipientPhone, "取件码");
  expect(code).toMatch(/^\d{6}$/);
  const byCode = { body: { sn, code, phoneTail: recipientPhone.slice(-4), agreedFen: 0 } };
  expect((await callApp(appOrderContract.pickupByCode, byCode)).errMsg).toContain(
    "取件需支付 3.50 元",
  );

  const recipient = await signInToApp(page, tenantId, recipientPhone);
  const pay = () =>
    callApp(appOrderContract.pickup, {
      ...id,
      body: { agreedFen: FEE_FEN },
      headers: recipient.headers,
    });
  expect((await pay()).errMsg).toContain("余额不足");
  const recharge = {
    body: {
      endUserId: recipient.endUserId,
      kind: "RECHARGE",
      principalFen: 1000,
      bonusFen: 0,
      reason: "收到现金",
    },
  };
  expect((await callApiAs(page, walletContract.change, recharge)).errMsg).toBe("");
  expect((await pay()).errMsg).toBe("");
  await waitFor("COMPLETED", recipient.headers, pay, ["STORED"]);

  const wallet = await callApp(appWalletContract.wallet, { headers: recipient.headers });
  expect(wallet.data).toMatchObject({ principalFen: 1000 - FEE_FEN, heldFen: 0 });
  await page.goto(`/cupboardRun/rider/order?orderNo=${orderId}`);
  const row = page.getByRole("row").filter({ hasText: String(orderId) });
  await row.getByText("已完成").first().waitFor();
  // Paid, therefore 退款 is possible; nothing else is, and no dead link stands in the row.
  const links = row.locator(".ui-row-actions > *");
  await expect.poll(() => links.allTextContents()).toEqual(["退款", "详情", "更多"]);
  await links.nth(1).click();
  await page.waitForURL((url) => url.searchParams.get("open") === String(orderId));
  // At least: other demo orders may add income meanwhile.
  await expect.poll(() => incomeToday(page)).toBeGreaterThanOrEqual(before + FEE_FEN);
  expect(complaints).toEqual([]);
  await context.close();
});
