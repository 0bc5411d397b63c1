// Subscribe messages on their way: consent, at-most-once delivery to WeChat, fallback to a text message.

import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import {
  appSubscriptionContract,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import type { Plan } from "@cabinet/contract/messaging/template/template.rules.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  bindSubscriber,
  insertMiniProgramSetting,
  MiniProgramStandIn,
  miniProgramDraft,
} from "../../../../../../tests/support/mini-programs.ts";
import { withPoison } from "../../../../../../tests/support/poison.ts";
import { subscribeTemplate } from "../../../../../../tests/support/templates.ts";
import {
  type AppPerson,
  type Person,
  useTestServer,
} from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { MiniPrograms } from "../mini-program/index.ts";
import { parseSubscribeEvents, sendMessage, takeSubscribeEvents, templateJobs } from "./index.ts";

const testServer = useTestServer();
const wechat = new MiniProgramStandIn();
const { templateId } = subscribeTemplate;
let platform: Person;
let staff: Person;
let tenantId: number;
let person: AppPerson & { openid: string };
let nextOrderId = 1;

beforeAll(async () => {
  await wechat.open();
  platform = (await testServer.makeTenant(1)).people[0];
  const content =
    "取件码:{{character_string1.DATA}}\n取件地点:{{thing2.DATA}}\n状态:{{phrase3.DATA}}\n";
  wechat.templates.set(templateId, { title: "取件通知", content });
});
afterAll(() => wechat.close());
beforeEach(async () => {
  staff = (await testServer.makeTenant()).people[1];
  tenantId = staff.tenantId;
  Object.assign(wechat, { refusal: null, isSilent: false, breaksAfterTaking: false });
  await insertMiniProgramSetting(testServer, tenantId);
  person = await bindSubscriber(testServer, tenantId);
});

const save = (plan: Plan, subscribe: object = subscribeTemplate) =>
  testServer.call(templateContract.save, staff, {
    body: {
      ...{ side: "SINGLE", scene: "PICKUP_CODE", plan, sms: null, subscribe, editVersion: 0 },
    },
  });
/** The person agrees in the mini-program, and the WeChat stub accepts that many messages. */
async function agree(count = 1): Promise<void> {
  for (let n = 0; n < count; n++) {
    const body = { accepted: [templateId] };
    expect(await testServer.call(appSubscriptionContract.report, person, { body })).toMatchObject({
      code: 0,
    });
  }
  const consent = `${person.openid}/${templateId}`;
  wechat.consents.set(consent, (wechat.consents.get(consent) ?? 0) + count);
}
const sendCode = (code = "123456", orderId = nextOrderId++) =>
  testServer.database.transaction({ tenantId }, (db) =>
    sendMessage(db, {
      ...{ tenantId, scene: "PICKUP_CODE", side: "SINGLE", orderId, phone: person.phone },
      endUserId: person.endUserId,
      facts: {
        ...{ code, place: "仓前店", no: 3, price: "免费", orderId },
        ...{ path: "", storedAt: "", overdueAt: "" },
      },
    }),
  );
async function run(task: "template.send" | "template.sweep", origin = wechat.origin) {
  const tools = { database: testServer.database, log: pino({ level: "silent" }) };
  const set = templateJobs(new MiniPrograms(origin));
  await set.tasks[task]?.({ tenantId }, tools);
}
const list = async () =>
  (await testServer.call(templateContract.messages, staff, { query: {} })).data.list;
const row = async () => (await list())[0];
async function smsTexts(): Promise<string[]> {
  const { data } = await testServer.call(smsContract.history, platform, { query: { tenantId } });
  return Promise.all(
    data.list.map(async ({ id }) => {
      const input = { params: { id }, body: { reason: "核对内容" } };
      return (await testServer.call(smsContract.showText, platform, input)).data.text;
    }),
  );
}
const left = async () => {
  const query = { side: "SINGLE", role: "RECIPIENT" };
  const { data } = await testServer.call(appSubscriptionContract.wanted, person, { query });
  return data.templates[0]?.left;
};
const sentTo = () => wechat.sent.filter(({ openid }) => openid === person.openid);
const push = (event: object) =>
  testServer.database.transaction({ tenantId }, (db) =>
    takeSubscribeEvents(
      db,
      { tenantId, appId: miniProgramDraft.appId, openid: person.openid },
      parseSubscribeEvents(event),
    ),
  );

describe("the app", () => {
  it("the app gets the templates to ask for, and reports the accepted ones", async () => {
    const query = { side: "SINGLE", role: "RECIPIENT" };
    const wanted = async (as: AppPerson = person, change = {}) =>
      (
        await testServer.call(appSubscriptionContract.wanted, as, {
          query: { ...query, ...change },
        })
      ).data;
    expect(await wanted()).toEqual({ appId: miniProgramDraft.appId, templates: [] });
    await save("FALLBACK");
    const offer = { templateId, title: "取件通知", left: 0 };
    expect(await wanted()).toMatchObject({ templates: [offer] });
    await agree(2);
    expect(await wanted()).toMatchObject({ templates: [{ ...offer, left: 2 }] });
    expect(await wanted(person, { role: "RIDER" })).toMatchObject({ templates: [] });
    expect(await wanted(person, { side: "DOUBLE" })).toMatchObject({ templates: [] });
    const stranger = await testServer.makeAppPerson(tenantId);
    expect(await wanted(stranger)).toEqual({ appId: null, templates: [] });
    const body = { accepted: ["somebody-elses-template"] };
    expect(await testServer.call(appSubscriptionContract.report, person, { body })).toMatchObject({
      code: 0,
    });
  });

  it("a repeated report counts once, and so does one that WeChat also pushes", async () => {
    await save("FALLBACK");
    const headers = { "idempotency-key": "agreement-1" };
    const input = { body: { accepted: [templateId] }, headers };
    await Promise.all(
      Array.from({ length: 5 }, () =>
        testServer.call(appSubscriptionContract.report, person, input),
      ),
    );
    expect(await left()).toBe(1);
    const List = { TemplateId: templateId, SubscribeStatusString: "accept", PopupScene: "1" };
    await push({ MsgType: "event", Event: "subscribe_msg_popup_event", List });
    expect(await left()).toBe(1);
    await push({ Event: "subscribe_msg_popup_event", SubscribeMsgPopupEvent: { List: [List] } });
    expect(await left()).toBe(2);
  });
});

describe("sending a message", () => {
  it("a consenting person gets the message in WeChat's format, which consumes one allowance", async () => {
    await save("FALLBACK");
    await agree();
    expect(await sendCode("012345")).toMatchObject({
      smsId: null,
      subscribeId: expect.any(Number),
    });
    expect(await left()).toBe(0);
    await run("template.send");
    expect(sentTo()).toMatchObject([
      {
        templateId,
        data: {
          character_string1: { value: "012345" },
          thing2: { value: "仓前店" },
          phrase3: { value: "待取件" },
        },
      },
    ]);
    expect(await row()).toMatchObject({ state: "SENT", problem: "", smsId: null });
    expect(await smsTexts()).toEqual([]);
    await run("template.send");
    expect(sentTo()).toHaveLength(1);
  });

  it("without consent or a bound person, a text message goes out instead", async () => {
    await save("FALLBACK");
    expect(await sendCode("111111")).toMatchObject({
      smsId: expect.any(Number),
      subscribeId: null,
    });
    expect((await smsTexts())[0]).toContain("取件码 111111");
    expect(await list()).toEqual([]);
  });

  it("plan BOTH sends both, and a refused subscribe message adds no second text", async () => {
    await save("BOTH");
    await agree();
    expect(await sendCode()).toMatchObject({
      smsId: expect.any(Number),
      subscribeId: expect.any(Number),
    });
    wechat.consents.clear();
    await run("template.send");
    expect(await row()).toMatchObject({ state: "FAILED", errorCode: 43101, smsId: null });
    expect(await smsTexts()).toHaveLength(1);
  });

  it("content is sealed while it holds a code and erased afterwards", async () => {
    await save("BOTH");
    await agree();
    await sendCode("918273");
    const rows = () =>
      testServer.database.read("platform", (db) =>
        db.one<{ text: string; bytes: number }>(sql`
          select subscribe_message::text as text, length(sealed_content) as bytes from subscribe_message
          where tenant_id = ${tenantId}`),
      );
    const queued = await rows();
    expect(queued.bytes).toBeGreaterThan(0);
    expect(queued.text).not.toContain(Buffer.from("918273").toString("hex"));
    await run("template.send");
    expect((await rows()).bytes).toBe(0);
  });
});

describe("refusals by WeChat", () => {
  it("withdrawn consent clears the allowance and sends a text message", async () => {
    await save("FALLBACK");
    await agree(3);
    await sendCode("222222");
    wechat.consents.clear();
    await run("template.send");
    expect(await row()).toMatchObject({
      state: "FAILED",
      errorCode: 43101,
      smsId: expect.any(Number),
    });
    expect(await left()).toBe(0);
    expect((await smsTexts())[0]).toContain("取件码 222222");
  });

  it.each([
    [40037, "模板 ID 不存在"],
    [47003, "不对的是 thing2"],
    [41030, "页面不存在"],
  ])("%i is shown in the template settings until a message succeeds", async (errcode, text) => {
    await save("FALLBACK");
    await agree();
    await sendCode();
    const errmsg = "argument invalid! data.thing2.value invalid";
    wechat.refusal = { path: "/cgi-bin/message/subscribe/send", errcode, errmsg };
    await run("template.send");
    const problem = async () => {
      const { data } = await testServer.call(templateContract.list, staff, {
        query: { side: "SINGLE" },
      });
      return data.templates.find(({ scene }) => scene === "PICKUP_CODE")?.subscribeProblem;
    };
    expect(await problem()).toContain(text);
    // WeChat did not take it: the allowance is still there.
    expect(await left()).toBe(1);
    expect(await smsTexts()).toHaveLength(1);
    wechat.refusal = null;
    await sendCode();
    await run("template.send");
    expect(await problem()).toBeNull();
  });

  it("WeChat busy: retried, unless a fallback text can go out", async () => {
    await save("BOTH");
    await agree();
    await sendCode();
    const path = "/cgi-bin/message/subscribe/send";
    wechat.refusal = { path, errcode: -1, errmsg: "system error" };
    await run("template.send");
    expect(await row()).toMatchObject({ state: "QUEUED", attempts: 1 });
    wechat.refusal = null;
    await due();
    await run("template.sweep");
    expect(await row()).toMatchObject({ state: "SENT", attempts: 2 });
    expect(sentTo()).toHaveLength(1);
  });

  it("WeChat unreachable: the fallback text goes out at once", async () => {
    await save("FALLBACK");
    await agree();
    await sendCode("333333");
    await run("template.send", "http://127.0.0.1:9");
    expect(await row()).toMatchObject({
      state: "FAILED",
      problem: expect.stringContaining("连接不上"),
    });
    expect((await smsTexts())[0]).toContain("333333");
    expect(await left()).toBe(1);
  });

  it("an expired access token is renewed", async () => {
    await save("BOTH");
    await agree(2);
    const origin = new MiniPrograms(wechat.origin);
    const set = templateJobs(origin);
    const tools = { database: testServer.database, log: pino({ level: "silent" }) };
    for (let n = 0; n < 2; n++) {
      await sendCode();
      await set.tasks["template.send"]?.({ tenantId }, tools);
      wechat.endToken();
    }
    expect(sentTo()).toHaveLength(2);
  });
});

const due = () =>
  testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update subscribe_message set next_at = now() where tenant_id = ${tenantId}
        and state = 'QUEUED'`),
  );

describe("unknown results", () => {
  it("connection reset after WeChat took the message: never sent again", async () => {
    await save("FALLBACK");
    await agree(2);
    await sendCode("444444");
    wechat.breaksAfterTaking = true;
    await run("template.send");
    wechat.breaksAfterTaking = false;
    expect(await row()).toMatchObject({ state: "UNKNOWN", smsId: expect.any(Number) });
    await run("template.send");
    await run("template.sweep");
    expect(sentTo()).toHaveLength(1);
    expect(await smsTexts()).toHaveLength(1);
    expect(await left()).toBe(1);
  });

  it("worker killed while sending: never sent again", async () => {
    await save("FALLBACK");
    await agree();
    await sendCode("555555");
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update subscribe_message set state = 'SENDING', next_at = null, attempts = 1,
          claimed_at = now() - interval '61 seconds' where tenant_id = ${tenantId}`),
    );
    await Promise.all([run("template.sweep"), run("template.sweep"), run("template.send")]);
    expect(await row()).toMatchObject({
      state: "UNKNOWN",
      problem: expect.stringContaining("中断"),
    });
    expect(sentTo()).toEqual([]);
    expect(await smsTexts()).toHaveLength(1);
  });

  it("a deleted person gets neither the message nor a text", async () => {
    await save("FALLBACK");
    await agree();
    await sendCode();
    const { endUserId } = person;
    const emptied = { kind: "ADMIN_ADJUST", principalFen: -100_00, bonusFen: -20_00 };
    await testServer.call(walletContract.change, staff, {
      body: { ...emptied, endUserId, reason: "注销前清零" },
    });
    const input = { params: { id: endUserId } };
    expect((await testServer.call(endUserContract.delete, staff, input)).errMsg).toBe("");
    await run("template.send");
    expect(await row()).toMatchObject({ state: "FAILED", smsId: null });
    expect(sentTo()).toEqual([]);
    expect(await smsTexts()).toEqual([]);
    const { n } = await testServer.database.read("platform", (db) =>
      db.one<{ n: number }>(sql`
        select ((select count(*) from subscribe_message
            where end_user_id = ${endUserId} and sealed_content <> '')
          + (select count(*) from subscribe_allowance
            where end_user_id = ${endUserId}))::int as n`),
    );
    expect(n).toBe(0);
  });

  it("an unreadable message does not block the others", async () => {
    await save("FALLBACK");
    await agree(3);
    for (let n = 0; n < 3; n++) await sendCode();
    const [readable, lost, foreign] = (await list()).map(({ id }) => id);
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update subscribe_message set sealed_content = 'sealed elsewhere',
          state = case when id = ${lost} then 'SENDING' else state end,
          next_at = case when id = ${lost} then null else next_at end,
          claimed_at = case when id = ${lost} then now() - interval '61 seconds' end
        where tenant_id = ${tenantId} and id in (${lost}, ${foreign})`),
    );
    await run("template.sweep");
    const states = new Map((await list()).map(({ id, state }) => [id, state]));
    expect(states.get(readable ?? 0)).toBe("SENT");
    expect(states.get(lost ?? 0)).toBe("UNKNOWN");
    expect(states.get(foreign ?? 0)).toBe("FAILED");
    expect(await smsTexts()).toEqual([]);
  });

  it("a lost message whose end always throws stops no other message", async () => {
    await save("BOTH");
    await agree(2);
    await sendCode();
    const lost = await row();
    await sendCode();
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update subscribe_message set state = 'SENDING', next_at = null,
          claimed_at = now() - interval '61 seconds' where id = ${lost?.id ?? 0}`),
    );
    const poison = { table: "subscribe_message", when: `old.id = ${lost?.id}` };
    await withPoison(testServer.url, poison, async () => {
      await run("template.sweep");
      expect(sentTo()).toHaveLength(1);
    });
  });

  it("several workers send a message once", async () => {
    await save("BOTH");
    await agree(12);
    for (let n = 0; n < 12; n++) await sendCode(String(600_000 + n));
    await Promise.all([1, 2, 3, 4].map(() => run("template.send")));
    const codes = sentTo().map(({ data }) => data.character_string1?.value);
    expect(codes.sort()).toEqual(Array.from({ length: 12 }, (_, n) => String(600_000 + n)));
  });
});

describe("receipts", () => {
  const receipt = (error: { ErrorCode: string; ErrorStatus: string }) => {
    const MsgID = sentTo()[0]?.msgId;
    const List = { TemplateId: templateId, MsgID, ...error };
    return push({ Event: "subscribe_msg_sent_event", List });
  };

  it("a repeated receipt marks the message delivered", async () => {
    await save("FALLBACK");
    await agree();
    await sendCode();
    await run("template.send");
    for (let n = 0; n < 2; n++) await receipt({ ErrorCode: "0", ErrorStatus: "success" });
    expect(await row()).toMatchObject({ state: "DELIVERED" });
  });

  it("an undelivered message sends its fallback text once", async () => {
    await save("FALLBACK");
    await agree();
    await sendCode("777777");
    await run("template.send");
    for (let n = 0; n < 2; n++) await receipt({ ErrorCode: "43101", ErrorStatus: "user refuse" });
    expect(await row()).toMatchObject({
      state: "FAILED",
      problem: "用户已退订或拒收，微信没有送达",
    });
    expect(await smsTexts()).toHaveLength(1);
  });

  it("a superseded code is not sent as fallback text", async () => {
    await save("FALLBACK");
    await agree();
    const orderId = nextOrderId++;
    await sendCode("888888", orderId);
    await run("template.send");
    await sendCode("999999", orderId);
    await receipt({ ErrorCode: "1", ErrorStatus: "failed" });
    const texts = await smsTexts();
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("999999");
  });

  it("a withdrawal clears the allowance", async () => {
    await save("FALLBACK");
    await agree(2);
    const List = [{ TemplateId: templateId, SubscribeStatusString: "reject" }];
    await push({ Event: "subscribe_msg_change_event", List });
    expect(await left()).toBe(0);
  });

  it("foreign events are ignored", () => {
    for (const message of [
      null,
      "x",
      {},
      { Event: "user_info_modified" },
      { Event: "subscribe_msg_sent_event", List: [1] },
    ]) {
      expect(parseSubscribeEvents(message)).toEqual([]);
    }
  });
});
