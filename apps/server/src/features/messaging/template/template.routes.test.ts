// 消息模板 over HTTP: precedence of texts, refusals, test messages, WeChat's catalog.
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { templateContract } from "@cabinet/contract/messaging/template/template.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  bindSubscriber,
  insertMiniProgramSetting,
  MiniProgramStandIn,
} from "../../../../../../tests/support/mini-programs.ts";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { smsTemplate, subscribeTemplate } from "../../../../../../tests/support/templates.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { MiniPrograms } from "../mini-program/index.ts";
import { sendMessage, templateJobs } from "./index.ts";

const testServer = useTestServer();
const wechat = new MiniProgramStandIn();
let platform: Person;
let staff: Person;
let tenantId: number;

beforeAll(async () => {
  await wechat.open();
  platform = (await testServer.makeTenant(1)).people[0];
});
afterAll(() => wechat.close());
beforeEach(async () => {
  staff = (await testServer.makeTenant()).people[1];
  tenantId = staff.tenantId;
  wechat.refusal = null;
});

const { list, save, reset, test, catalog, fetchCatalog, messages } = templateContract;
type Body = Record<string, unknown>;

const saveFor = (change: Body = {}, as = staff) =>
  testServer.call(save, as, {
    body: {
      ...{ side: "SINGLE", scene: "PICKUP_CODE", plan: "SMS", sms: smsTemplate, subscribe: null },
      ...{ editVersion: 0, ...change },
    },
  });

async function found(scene = "PICKUP_CODE", { as = staff, side = "SINGLE", query = {} } = {}) {
  const { data } = await testServer.call(list, as, { query: { side, ...query } });
  const template = data.templates.find((each) => each.scene === scene);
  if (!template) throw new Error(`no ${scene}`);
  return template;
}

/** The text as the recipient reads it. */
async function sentText(as = staff): Promise<string> {
  const phone = anyPhone();
  const facts = { code: "123456", place: "仓前店", no: 3, price: "免费", orderId: 1 };
  const { smsId } = await testServer.database.transaction({ tenantId: as.tenantId }, (db) =>
    sendMessage(db, {
      ...{ tenantId: as.tenantId, scene: "PICKUP_CODE", side: "SINGLE", phone, endUserId: null },
      facts: { ...facts, path: "", storedAt: "", overdueAt: "" },
    }),
  );
  return readSms(smsId);
}

async function readSms(id: number | null): Promise<string> {
  const { data } = await testServer.call(smsContract.showText, platform, {
    params: { id },
    body: { reason: "核对内容" },
  });
  return data.text;
}

const run = (task: string) =>
  templateJobs(new MiniPrograms(wechat.origin)).tasks[task]?.(
    { tenantId },
    { database: testServer.database, log: pino({ level: "silent" }) },
  );

describe("precedence of texts", () => {
  it("built-in text, overridden by the platform's, then by the tenant's own", async () => {
    expect(await found()).toMatchObject({ smsSource: "BUILT_IN", plan: "SMS", editVersion: 0 });
    expect(await sentText()).toContain("取件码 123456：仓前店 3 号格口");
    const text = smsTemplate.text.replace("取件码", "平台取件码");
    expect(await saveFor({ sms: { ...smsTemplate, text } }, platform)).toMatchObject({ code: 0 });
    expect(await found()).toMatchObject({ smsSource: "PLATFORM", sms: { text } });
    expect(await sentText()).toContain("平台取件码123456，请到仓前店取件");
    expect(await saveFor()).toMatchObject({ code: 0 });
    expect(await found()).toMatchObject({ smsSource: "OWN", editVersion: 1 });
    expect(await sentText()).toContain("】取件码123456，请到仓前店取件");
    const other = (await testServer.makeTenant()).people[1];
    expect(await found("PICKUP_CODE", { as: other })).toMatchObject({ smsSource: "PLATFORM" });
    await testServer.call(reset, platform, { query: { side: "SINGLE", scene: "PICKUP_CODE" } });
    expect(await sentText(other)).toContain("取件码 123456：仓前店 3 号格口");
  });

  it("each side has its own text; shared scenes have one for both", async () => {
    await saveFor();
    expect(await found("PICKUP_CODE", { side: "DOUBLE" })).toMatchObject({ smsSource: "BUILT_IN" });
    const text = `验证码\${code}。`;
    const sms = { ...smsTemplate, text, placeholders: [{ name: "code", variable: "code" }] };
    expect(await saveFor({ scene: "SIGN_IN_CODE", side: "DOUBLE", sms })).toMatchObject({
      code: 0,
    });
    expect(await found("SIGN_IN_CODE")).toMatchObject({ smsSource: "OWN", sms: { text } });
  });

  it("the carrier gets the template code, with values in placeholder order", async () => {
    await saveFor();
    await sentText();
    const row = await testServer.database.read({ tenantId }, (db) =>
      db.one<{ code: string; phone: string; carrier: Buffer }>(sql`
        select template_code as code, phone, sealed_carrier as carrier from sms_message
        where tenant_id = ${tenantId} order by id desc limit 1`),
    );
    expect(row.code).toBe(smsTemplate.templateCode);
    expect(JSON.parse(testServer.vault.open(row.carrier, `sms:${tenantId}:${row.phone}`))).toEqual({
      templateCode: smsTemplate.templateCode,
      variables: [
        ["code", "123456"],
        ["place", "仓前店"],
      ],
    });
  });
});

describe("saving", () => {
  it("a change is audited, and can be reset to the default", async () => {
    await saveFor();
    const query = { side: "SINGLE", scene: "PICKUP_CODE" };
    expect(await testServer.call(reset, staff, { query })).toMatchObject({ code: 0 });
    const entries = await testServer.database.read("platform", (db) =>
      db.many(sql`
        select target, before, after from audit_log where tenant_id = ${tenantId} order by id`),
    );
    expect(entries).toMatchObject([
      {
        target: expect.stringContaining("单面 · 取件码"),
        after: {
          plan: "只发短信",
          text: smsTemplate.text,
          placeholders: ["code：验证码 / 取件码", "place：柜机位置"],
        },
      },
      { target: expect.stringContaining("恢复默认"), before: { plan: "只发短信" } },
    ]);
    expect(await found()).toMatchObject({ smsSource: "BUILT_IN", editVersion: 0 });
    expect(await testServer.call(reset, staff, { query })).toMatchObject({ code: 1 });
  });

  it("an outdated edit is refused", async () => {
    await saveFor();
    expect(await saveFor()).toMatchObject({ errMsg: expect.stringContaining("修改过") });
    const answers = await Promise.all([1, 1, 1].map((editVersion) => saveFor({ editVersion })));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  });

  it.each([
    [{ plan: "OFF" }, "不能选择“不发送”"],
    [{ plan: "FALLBACK" }, "须填写订阅消息模板"],
    [{ scene: "SIGN_IN_CODE", sms: null, subscribe: subscribeTemplate }, "只能发短信"],
    [{ sms: { ...smsTemplate, text: "您的快递到了" } }, "取件码"],
    [{ sms: { ...smsTemplate, templateCode: "有空 格" } }, "模板编号"],
    [{ subscribe: { ...subscribeTemplate, templateId: "x" } }, "模板 ID 不对"],
    [
      {
        subscribe: {
          ...subscribeTemplate,
          keywords: [{ name: "time1", title: "地点", variable: "place", text: "" }],
        },
      },
      "不能放“柜机位置”",
    ],
  ])("refuses %j with the reason", async (change, text) => {
    expect(await saveFor(change)).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
    expect(await found()).toMatchObject({ editVersion: 0 });
  });

  it("requires access to all stores", async () => {
    const maintenance = (await testServer.makeTenant()).people[2];
    expect(await saveFor({}, maintenance)).toMatchObject({ status: 403 });
  });
});

describe("test messages", () => {
  const tryOut = (channel: string, phone: string) =>
    testServer.call(test, staff, {
      body: { side: "SINGLE", scene: "PICKUP_CODE", channel, phone },
    });

  it("a text message with sample facts goes out whatever the plan", async () => {
    await saveFor();
    const { data } = await tryOut("SMS", anyPhone());
    expect(await readSms(data.smsId)).toContain("取件码582931，请到仓前小镇店 4 号柜取件");
  });

  it("a missing precondition of subscribe messages is named", async () => {
    const said = async () => (await tryOut("SUBSCRIBE", anyPhone())).errMsg;
    expect(await said()).toContain("未配置小程序");
    await insertMiniProgramSetting(testServer, tenantId);
    expect(await said()).toContain("请先填写并保存订阅消息模板");
    await saveFor({ plan: "BOTH", subscribe: subscribeTemplate });
    expect(await said()).toContain("未使用微信登录过小程序");
  });

  it("WeChat is asked even without a known allowance, and its answer is shown", async () => {
    await insertMiniProgramSetting(testServer, tenantId);
    await saveFor({ plan: "BOTH", subscribe: subscribeTemplate });
    const { phone, openid } = await bindSubscriber(testServer, tenantId);
    const offer = { title: "取件通知", content: "取件码:{{character_string1.DATA}}" };
    wechat.templates.set(subscribeTemplate.templateId, offer);
    const { data } = await tryOut("SUBSCRIBE", phone);
    expect(data).toMatchObject({ smsId: null, subscribeId: expect.any(Number) });
    await run("template.send");
    const shown = async () => (await testServer.call(messages, staff, { query: {} })).data.list[0];
    expect(await shown()).toMatchObject({
      state: "FAILED",
      errorCode: 43101,
      problem: expect.stringContaining("没有订阅或已退订"),
      isTest: true,
      phone: `${phone.slice(0, 3)}****${phone.slice(7)}`,
    });
    wechat.consents.set(`${openid}/${subscribeTemplate.templateId}`, 1);
    await tryOut("SUBSCRIBE", phone);
    await run("template.send");
    expect(await shown()).toMatchObject({ state: "SENT", problem: "" });
    expect(wechat.sent.at(-1)).toMatchObject({
      openid,
      page: "pages/order/detail",
      data: { character_string1: { value: "582931" }, phrase3: { value: "待取件" } },
    });
  });

  it("limited, since each test costs money", async () => {
    const answers: number[] = [];
    for (let n = 0; n < 31; n++) answers.push((await tryOut("SMS", anyPhone())).status);
    expect(answers.slice(0, 30).every((status) => status === 200)).toBe(true);
    expect(answers[30]).toBe(429);
  });
});

describe("catalog of the WeChat account", () => {
  const shown = async () => (await testServer.call(catalog, staff, { query: {} })).data;
  const ask = () => testServer.call(fetchCatalog, staff, { body: {} });

  it("templates are fetched from WeChat and keywords parsed from their contents", async () => {
    expect(await shown()).toMatchObject({ state: "NONE", templates: [] });
    expect(await ask()).toMatchObject({ errMsg: expect.stringContaining("未配置小程序") });
    await insertMiniProgramSetting(testServer, tenantId);
    expect(await ask()).toMatchObject({ code: 0 });
    expect(await shown()).toMatchObject({ state: "PENDING" });
    wechat.templates.clear();
    const content = "取件码:{{character_string1.DATA}}\n取件地点:{{thing2.DATA}}\n";
    wechat.templates.set("T".repeat(43), { title: "取件提醒", content, isLongTerm: true });
    await run("template.fetchCatalog");
    expect(await shown()).toMatchObject({
      state: "OK",
      templates: [
        {
          title: "取件提醒",
          isLongTerm: true,
          keywords: [
            { name: "character_string1", title: "取件码" },
            { name: "thing2", title: "取件地点" },
          ],
        },
      ],
    });
  });

  it("a refusal by WeChat keeps the old catalog and shows the reason", async () => {
    await insertMiniProgramSetting(testServer, tenantId);
    await ask();
    wechat.refusal = {
      path: "/wxaapi/newtmpl/gettemplate",
      errcode: 48001,
      errmsg: "unauthorized",
    };
    await run("template.fetchCatalog");
    expect(await shown()).toMatchObject({
      state: "FAILED",
      problem: expect.stringContaining("没有这项接口的权限"),
    });
  });
});
