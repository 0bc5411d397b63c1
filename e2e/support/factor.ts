// The second factor that is demanded at the first sign-in of an installation.
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { callApiAs } from "./api.ts";

const STEP_MS = 30_000;

/**
 * Codes are accepted for the step before and after, and once: tests use the present one, then the next. One of the step
 * before would be refused if a step ended while it was typed.
 */
export const codeAt = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MS,
  });

/** Shown under the QR code, in groups. */
export async function shownSecret(page: Page): Promise<string> {
  const secret = await page.locator(".second-factor-code code").textContent();
  return (secret ?? "").replaceAll(" ", "");
}

export async function keepRecoveryCodes(page: Page): Promise<string[]> {
  const list = page.getByRole("list", { name: "恢复码" });
  await list.waitFor();
  const codes = await list.locator("code").allTextContents();
  expect(codes).toHaveLength(10);
  await vi.waitUntil(() => page.getByRole("button", { name: "完成" }).isDisabled());
  await page.getByLabel("我已存好恢复码").check();
  await page.getByRole("button", { name: "完成" }).click();
  return codes;
}

/** Binds an authenticator on the page that follows the password. */
export async function setUpFactor(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "设置两步验证" }).waitFor();
  await page.getByLabel("验证码").fill(codeAt(await shownSecret(page), 0));
  await page.getByRole("button", { name: "绑定" }).click();
  await keepRecoveryCodes(page);
}

/** Lets the platform's accounts sign in by their password alone; the page's own one has just set up its factor. */
export async function exemptPlatform(page: Page): Promise<void> {
  const until = addDays(shanghaiDay(Date.now()), 7);
  const body = { until, reason: "演练" };
  const exempt = await callApiAs(page, tenancyContract.exemptFromFactor, {
    params: { id: 1 },
    body,
  });
  const removed = await callApiAs(page, secondFactorContract.removeTotp, {});
  expect([exempt.errMsg, removed.errMsg]).toEqual(["", ""]);
}
