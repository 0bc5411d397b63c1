// A simulated cabinet, its operator's second screen, and people with the web page in front of it.
import { randomInt } from "node:crypto";
import { simulatedCabinetContract } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { pricingContract } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import type { RatedRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { Desk } from "../../apps/simulator/src/people/desk.ts";
import { callApi, callApiAs } from "./api.ts";
import { storeSession } from "./browser.ts";
import type { Server } from "./server.ts";
import type { TestServer } from "./test-server.ts";

export const phoneOf = (prefix: string) => prefix + String(randomInt(100_000_000)).padStart(8, "0");

const TENANT_ID = 2;

/** The operator's side: prices, messages, money, and hands at the simulated cabinet. */
export interface Cabinet {
  id: number;
  sn: string;
  name: string;
  operator: Page;
  desk: Desk;
  /** Sets what a stay costs at the cabinet's store; nothing by default. */
  setPrice(perUseFen: number): Promise<void>;
  change(body: { hasLine?: boolean; hasPower?: boolean; hasPeople?: boolean }): Promise<void>;
  /** Acts of a person at a compartment. */
  at(
    no: number,
    body: { close?: "FRONT" | "BACK"; content?: "PRESENT" | "EMPTY"; isJammed?: boolean },
  ): Promise<void>;
  /** Jams or frees the locks of all compartments. */
  jam(isJammed: boolean): Promise<void>;
  /** Number of the last command in the device's own journal. */
  lastCommand(): Promise<number>;
}

/** Serial numbers that tests have used, per server: all copies of the demo have the same ones. */
const takenAt = new WeakMap<Server, Set<string>>();

/**
 * A cabinet that takes orders, without simulated people, seen by the tenant's operator. `mayBeTaken`: for tests that open no
 * door, also one that another test has used; the demo has ten with one side.
 */
export async function takeCabinet(
  demo: Pick<TestServer, "server" | "visit">,
  side: Side = "SINGLE",
  mayBeTaken = false,
): Promise<Cabinet> {
  const { page } = await demo.visit();
  const account = demo.server.account(TENANT_ID, 1);
  await storeSession(page, account);
  const setting = await callApiAs(page, webPageContract.setting, {});
  if (!setting.data.isOn) {
    const body = { isOn: true, editVersion: setting.data.editVersion };
    expect((await callApiAs(page, webPageContract.saveSetting, { body })).errMsg).toBe("");
  }
  const { id, sn, name, storeId } = await findCabinet(demo, page, side, mayBeTaken);
  const params = { id };
  const state = async () =>
    (await callApiAs(page, simulatedCabinetContract.get, { params })).data ??
    expect.fail("the cabinet is not simulated");
  const cabinet: Cabinet = {
    ...{ id, sn, name, operator: page, desk: new Desk(demo.server.origin, account) },
    async setPrice(perUseFen) {
      const { data } = await callApiAs(page, pricingContract.get, { query: { storeId } });
      const rule: RatedRule = {
        ...{ freeMinutes: 0, perUseFen, stepMinutes: 1440, stepFen: 0 },
        ...{ capFen: null, overdueAfterMinutes: 1440, rates: [] },
      };
      const body = { storeId, version: data.rule?.version ?? 0, rule };
      expect((await callApiAs(page, pricingContract.save, { body })).errMsg).toBe("");
    },
    async change(body) {
      const input = { params, body };
      expect((await callApiAs(page, simulatedCabinetContract.change, input)).errMsg).toBe("");
    },
    async at(no, body) {
      const input = { params: { id, no }, body };
      const reply = await callApiAs(page, simulatedCabinetContract.changeCompartment, input);
      expect(reply.errMsg).toBe("");
    },
    async jam(isJammed) {
      for (const { no } of (await state()).compartments) await this.at(no, { isJammed });
    },
    async lastCommand() {
      return Math.max(0, ...(await state()).commands.map(({ seq }) => seq));
    },
  };
  await cabinet.change({ hasPeople: false });
  await cabinet.setPrice(0);
  return cabinet;
}

/** On a busy machine the simulated cabinets connect late. */
const CABINET_MS = 120_000;

async function findCabinet(
  { server }: Pick<TestServer, "server">,
  page: Page,
  side: Side,
  mayBeTaken: boolean,
) {
  const taken = takenAt.get(server) ?? new Set();
  takenAt.set(server, taken);
  const query = { connectivity: "ONLINE", lifecycle: "ACTIVE", side, pageSize: 50 };
  const deadline = Date.now() + CABINET_MS;
  for (;;) {
    const { data, errMsg } = await callApiAs(page, cabinetContract.list, { query });
    const obstacles = data?.list.length ? [] : [errMsg || "none is online"];
    for (const { id, sn, name, storeId } of data?.list ?? []) {
      const isTaken = taken.has(sn) && !mayBeTaken;
      const obstacle = isTaken ? "taken" : await findObstacle(server, page, { id, sn });
      if (obstacle === null && storeId !== null) {
        taken.add(sn);
        return { id, sn, name, storeId };
      }
      obstacles.push(`${sn} ${obstacle ?? "in no store"}`);
    }
    if (Date.now() > deadline) expect.fail(`no ${side} cabinet: ${obstacles.join(", ")}`);
    // With a call for each cabinet, still below the limit of public calls per minute.
    await page.waitForTimeout(3_000);
  }
}

/** Why a test cannot use the cabinet; null if it can. */
async function findObstacle(
  { origin }: Server,
  page: Page,
  { id, sn }: { id: number; sn: string },
): Promise<string | null> {
  const shown = await callApi(origin, appOrderContract.cabinet, { params: { sn } });
  if (!shown.data) return shown.errMsg;
  if (shown.data.refusalCode) return shown.data.refusalCode;
  const isFree = (wanted: string) =>
    shown.data.sizes.some(({ size, free }) => size === wanted && free > 0);
  if (!isFree("S") || !isFree("L")) return "no small or no large compartment is free";
  const detail = await callApiAs(page, cabinetContract.get, { params: { id } });
  if (!detail.data) return detail.errMsg;
  return detail.data.pricing.cabinet && "own price";
}

/** The six digits of the newest message, which is a row as soon as its call is answered. */
export async function readCode(
  { desk }: Cabinet,
  wanted: Parameters<Desk["readSms"]>[0],
): Promise<string> {
  const text = (await desk.readSms(wanted)) ?? "";
  return /(?:取件码|验证码) ?(\d{6})/.exec(text)?.[1] ?? expect.fail(`no code in “${text}”`);
}

/** Signs in on the sign-in screen that is shown. */
export async function signInByMessage(page: Page, cabinet: Cabinet, phone: string): Promise<void> {
  await page.getByRole("heading", { name: "登录" }).waitFor();
  await page.getByLabel("手机号").fill(phone);
  await page.getByRole("checkbox", { name: "我已阅读并同意" }).check();
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByLabel("验证码").waitFor();
  const code = await readCode(cabinet, { scene: "SIGN_IN_CODE", phone });
  // The last digit signs in.
  await page.keyboard.type(code);
  await page.getByRole("heading", { name: "登录" }).waitFor({ state: "hidden" });
}

/** The number of the door on the screen, once it says `title`. */
export async function doorNo(page: Page, title: string): Promise<number> {
  const heading = page.getByRole("heading", { level: 1, name: new RegExp(`^\\d+ ${title}`) });
  await heading.waitFor();
  return Number.parseInt((await heading.textContent()) ?? "", 10);
}

/** From the cabinet's QR code to the open door of a deposit. */
export async function openForDeposit(
  page: Page,
  cabinet: Cabinet,
  { rider, recipient, size }: { rider: string; recipient: string; size?: string },
): Promise<void> {
  await page.goto(`/m/c/${cabinet.sn}`);
  await page.getByRole("link", { name: /^存件 / }).click();
  await signInByMessage(page, cabinet, rider);
  await page.getByRole("heading", { level: 1, name: "存件" }).waitFor();
  if (size) await page.getByRole("radio", { name: size }).check();
  await page.getByLabel("收件人手机号").fill(recipient);
  await page.getByRole("button", { name: "打开箱门" }).click();
}

/** The page's session. */
export async function appUserOf(page: Page): Promise<{ endUserId: number; headers: Headers }> {
  const sessions = JSON.parse(
    (await page.evaluate("localStorage.getItem('pickup:sessions')")) as string,
  );
  const headers = { [APP_TOKEN_HEADER]: sessions[TENANT_ID].token };
  const { data } = await callApi(new URL(page.url()).origin, appContract.me, { headers });
  return { endUserId: data.endUserId, headers };
}

type Headers = Record<string, string>;
