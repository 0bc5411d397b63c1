// 小程序配置 over HTTP: the secret is write-only, and the check really calls WeChat.
import { miniProgramContract } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  MiniProgramStandIn,
  miniProgramDraft,
} from "../../../../../../tests/support/mini-programs.ts";
import { insertSetting } from "../../../../../../tests/support/payments.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { MiniPrograms, miniProgramJobs } from "./index.ts";

const testServer = useTestServer();
const wechat = new MiniProgramStandIn();
let staff: Person;

beforeAll(() => wechat.open());
afterAll(() => wechat.close());
beforeEach(async () => {
  staff = (await testServer.makeTenant()).people[1];
  wechat.refusal = null;
  wechat.isSilent = false;
  wechat.isDown = false;
});

const save = (draft: object = {}, as = staff) =>
  testServer.call(miniProgramContract.saveSetting, as, {
    body: { ...miniProgramDraft, editVersion: 0, ...draft },
  });
const setting = async (as = staff, query = {}) =>
  (await testServer.call(miniProgramContract.setting, as, { query })).data;

async function check(origin = wechat.origin): Promise<{ checkState: string; checkText: string }> {
  const jobs = miniProgramJobs(new MiniPrograms(origin));
  const tools = { database: testServer.database, log: pino({ level: "silent" }) };
  await jobs.tasks["mini-program.checkSetting"]?.({ tenantId: staff.tenantId }, tools);
  return setting();
}

describe("mini-program setting: saving", () => {
  it("returns the public fields and never the secret", async () => {
    expect(await setting()).toMatchObject({ editVersion: 0, hasSecret: false, appId: "" });
    expect(await save()).toMatchObject({ code: 0 });
    const saved = await setting();
    expect(saved).toMatchObject({
      appId: miniProgramDraft.appId,
      hasSecret: true,
      checkState: "PENDING",
      editVersion: 1,
      editedBy: staff.username,
      lastSignInAt: null,
      paymentAppId: null,
    });
    expect(JSON.stringify(saved)).not.toContain(miniProgramDraft.secret);
    const kept = await testServer.database.read("platform", (db) =>
      db.one<{ row: string; audit: string }>(sql`
        select (select string_agg(mini_program::text, '') from mini_program_setting mini_program
            where tenant_id = ${staff.tenantId}) as row,
          (select string_agg(audit::text, '') from audit_log audit
            where tenant_id = ${staff.tenantId}) as audit`),
    );
    const hex = Buffer.from(miniProgramDraft.secret).toString("hex");
    for (const place of [kept.row, kept.audit]) {
      expect(place).not.toContain(miniProgramDraft.secret);
      expect(place).not.toContain(hex);
      expect(place).toContain(miniProgramDraft.appId);
    }
  });

  it("keeps an omitted secret, except for another AppID", async () => {
    await save();
    expect(await save({ secret: undefined, editVersion: 1 })).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ checkState: "OK", editVersion: 2 });
    const moved = await save({ appId: "wxfedcba9876543210", secret: undefined, editVersion: 2 });
    expect(moved).toMatchObject({ code: 1, errMsg: expect.stringContaining("AppSecret") });
    expect(await setting()).toMatchObject({ appId: miniProgramDraft.appId, editVersion: 2 });
  });

  it.each([
    [{ secret: undefined }, "首次配置须填写 AppSecret"],
    [{ secret: "short" }, "AppSecret"],
    [{ appId: "wx1" }, "小程序 AppID"],
    [{ editVersion: 3 }, "修改过"],
  ])("refuses %j and says what to do", async (draft, text) => {
    expect(await save(draft)).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
    expect(await setting()).toMatchObject({ editVersion: 0 });
  });

  it("names the mini-program used for payments", async () => {
    await testServer.database.transaction("platform", (db) =>
      insertSetting(db, staff.tenantId, "李伟"),
    );
    expect(await setting()).toMatchObject({ paymentAppId: miniProgramDraft.appId });
  });

  it("can be read and saved by the platform for any tenant, and by no other tenant", async () => {
    const platform = (await testServer.makeTenant(1)).people[0];
    const { tenantId } = staff;
    expect(await save({ tenantId }, platform)).toMatchObject({ code: 0 });
    expect(await setting(platform, { tenantId })).toMatchObject({ tenantId, editVersion: 1 });
    const other = (await testServer.makeTenant()).people[0];
    expect(await save({ tenantId, editVersion: 1 }, other)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("租户不存在"),
    });
  });
});

describe("mini-program setting: check", () => {
  beforeEach(() => save());

  it("starts on request and passes when WeChat issues a token", async () => {
    await check();
    const asked = await testServer.call(miniProgramContract.checkSetting, staff, { body: {} });
    expect(asked).toMatchObject({ code: 0 });
    expect(await setting()).toMatchObject({ checkState: "PENDING" });
    expect(await check()).toMatchObject({
      checkState: "OK",
      checkText: expect.stringContaining("AppID 与 AppSecret 已通过"),
    });
    expect(wechat.asked.at(-1)).toBe("/cgi-bin/stable_token");
  });

  it("fails with another AppID or secret", async () => {
    await save({ secret: "f".repeat(32), editVersion: 1 });
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: "AppSecret 不正确或已被重置：请在小程序后台重新生成后填入（40125）",
    });
    await save({ appId: "wxfedcba9876543210", editVersion: 2 });
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("AppID 不正确"),
    });
  });

  it.each([
    [40164, "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist", "203.0.113.7"],
    [40243, "appsecret is frozen", "已被冻结"],
    [45009, "reach max api daily quota limit", "次数已用完"],
    [45011, "api minute-quota reach limit", "太频繁"],
    [-1, "system error", "繁忙"],
    [99999, "something new", "99999"],
  ])("explains how to fix errcode %i", async (errcode, errmsg, text) => {
    wechat.refusal = { path: "/cgi-bin/stable_token", errcode, errmsg };
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining(text),
    });
  });

  it("fails on no answer, an answer of another server, or a timeout", async () => {
    expect(await check("http://127.0.0.1:9")).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("连接不上微信"),
    });
    wechat.isDown = true;
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("没有正常应答"),
    });
    wechat.isDown = false;
    wechat.isSilent = true;
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("没有在 5 秒内应答"),
    });
  });

  it("discards the result for a setting that was changed meanwhile", async () => {
    wechat.isSilent = true;
    wechat.asked.length = 0;
    const checking = check();
    await expect.poll(() => wechat.asked).toEqual(["/cgi-bin/stable_token"]);
    await save({ secret: "f".repeat(32), editVersion: 1 });
    expect(await checking).toMatchObject({ checkState: "PENDING", editVersion: 2 });
  });
});

it("mini-program setting check: refuses when nothing is configured", async () => {
  expect(
    await testServer.call(miniProgramContract.checkSetting, staff, { body: {} }),
  ).toMatchObject({
    code: 1,
    errMsg: expect.stringContaining("未配置小程序"),
  });
});
