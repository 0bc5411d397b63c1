// 消息推送: WeChat verifies the address, each push counts once in every mode, and forged pushes are
// rejected.
import { miniProgramContract } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { pushUrl } from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type PushOptions,
  publishedPush,
  pushDraft,
  pushOf,
} from "../../../../../../tests/support/message-push.ts";
import { miniProgramDraft } from "../../../../../../tests/support/mini-programs.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { PushRefusal, readPush } from "./push-message.format.ts";

const testServer = useTestServer();
const { appId } = miniProgramDraft;
let staff: Person;

beforeEach(async () => {
  staff = (await testServer.makeTenant()).people[1];
});

const save = (draft: object = {}, editVersion = 0) =>
  testServer.call(miniProgramContract.saveSetting, staff, {
    body: { ...miniProgramDraft, ...pushDraft, editVersion, ...draft },
  });
const setting = async () => (await testServer.call(miniProgramContract.setting, staff)).data;

interface Sent {
  query: Record<string, string>;
  body?: string;
}

const send = async ({ query, body }: Sent, tenantId = staff.tenantId) => {
  const reply = await testServer.app.inject({
    method: body === undefined ? "GET" : "POST",
    url: pushUrl("", tenantId),
    query,
    headers: { "content-type": body?.startsWith("<") ? "text/xml" : "application/json" },
    ...(body !== undefined && { payload: body }),
  });
  return { status: reply.statusCode, text: reply.body, type: reply.headers["content-type"] };
};
const echo = (options: Partial<PushOptions> = {}, echostr = "5838479218127813673") => {
  const { query } = pushOf("{}", { key: null, appId, ...options });
  return send({ query: { ...query, echostr } });
};
const TAKEN = expect.objectContaining({ status: 200, text: "success" });
const REFUSED = expect.objectContaining({ status: 401, text: "fail" });

const count = () =>
  testServer.database.read("platform", (db) =>
    db.many<{ event: string; times: number }>(sql`
      select event, times from mini_program_push where tenant_id = ${staff.tenantId}
      order by event`),
  );

const asJson = (event: object) =>
  JSON.stringify({ ToUserName: "gh_0123456789ab", FromUserName: "o-rider", ...event });
const event = asJson({
  CreateTime: 1_610_969_440,
  MsgType: "event",
  Event: "subscribe_msg_popup_event",
  List: [{ TemplateId: "t-1", SubscribeStatusString: "accept", PopupScene: "1" }],
});
const asXml =
  "<xml><FromUserName><![CDATA[o-rider]]></FromUserName><CreateTime>1</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[subscribe_msg_sent_event]]></Event><SubscribeMsgSentEvent><List><TemplateId>t</TemplateId><MsgID>1</MsgID></List></SubscribeMsgSentEvent></xml>";

it("push: reads the example that WeChat published, with its published signature", () => {
  const { keys, query, body, atMs } = publishedPush;
  expect(readPush(keys, query, body, atMs).message).toMatchObject({ Content: "hello" });
  const flipped = body.replace("RypE", "RypF");
  expect(() => readPush(keys, query, flipped, atMs)).toThrow(PushRefusal);
});

describe("push setting", () => {
  it("never returns the secrets and names what is missing", async () => {
    const { pushKey: _, ...open } = pushDraft;
    expect(await save({ ...open, pushKey: undefined })).toMatchObject({
      errMsg: expect.stringContaining("EncodingAESKey"),
    });
    expect(await save({ pushToken: undefined })).toMatchObject({
      errMsg: expect.stringContaining("令牌 Token"),
    });
    expect(await save()).toMatchObject({ code: 0 });
    const shown = await setting();
    expect(shown).toMatchObject({ pushMode: "SAFE", hasPushToken: true, hasPushKey: true });
    const kept = await testServer.database.read("platform", (db) =>
      db.one<{ text: string }>(sql`
        select (select mini_program::text from mini_program_setting mini_program
          where tenant_id = ${staff.tenantId})
          || (select string_agg(audit::text, '') from audit_log audit
            where tenant_id = ${staff.tenantId})
          as text`),
    );
    for (const secret of [pushDraft.pushToken, pushDraft.pushKey]) {
      expect(JSON.stringify(shown)).not.toContain(secret);
      expect(kept.text).not.toContain(secret);
      expect(kept.text).not.toContain(Buffer.from(secret).toString("hex"));
    }
    // Omitted secrets keep their value.
    await save({ pushToken: undefined, pushKey: undefined }, 1);
    expect(await echo()).toMatchObject({ status: 200 });
  });
});

describe("push address", () => {
  beforeEach(() => save());

  it("is verified by WeChat's request, whose echo text is returned", async () => {
    expect(await setting()).toMatchObject({ pushProvenAt: null });
    expect(await echo()).toMatchObject({
      status: 200,
      text: "5838479218127813673",
      type: expect.stringContaining("text/plain"),
    });
    expect(await setting()).toMatchObject({ pushProvenAt: expect.any(String), pushTrouble: "" });
    // A new token has to be verified again.
    await save({ pushToken: "anotherToken1" }, 1);
    expect(await setting()).toMatchObject({ pushProvenAt: null });
  });

  it("rejects everybody else and shows the problem in the setting", async () => {
    expect(await echo({ token: "guessed" })).toEqual(REFUSED);
    expect(await setting()).toMatchObject({ pushTrouble: expect.stringContaining("Token") });
    for (const at of [-3_600, 3_600]) {
      expect(await echo({ at: Math.floor(Date.now() / 1000) + at })).toEqual(REFUSED);
    }
    expect(await send({ query: {} })).toEqual(REFUSED);
    expect(await send({ query: { timestamp: "x", nonce: "", signature: "é" } })).toEqual(REFUSED);
    // A successful verification clears the problem.
    await echo();
    expect(await setting()).toMatchObject({ pushTrouble: "", pushTroubleAt: null });
  });

  it("gives an unknown or disabled tenant the same answer as a wrong signature", async () => {
    const { query } = pushOf("{}", { key: null, appId });
    const other = (await testServer.makeTenant()).id;
    for (const id of [other, 999_999, 0]) {
      expect(await send({ query: { ...query, echostr: "1" } }, id)).toEqual(REFUSED);
    }
    await save({ pushMode: "OFF" }, 1);
    expect(await echo()).toEqual(REFUSED);
  });
});

describe("a push", () => {
  it.each([
    ["sealed JSON", "SAFE", event, {}],
    ["sealed XML", "SAFE", asXml, {}],
    ["compatible JSON", "COMPATIBLE", event, { isCompatible: true }],
    ["compatible XML", "COMPATIBLE", asXml, { isCompatible: true }],
    ["open JSON", "PLAIN", event, { key: null }],
    ["open XML", "PLAIN", asXml, { key: null }],
  ])("with %s counts once, however often it is delivered", async (_, pushMode, text, options) => {
    await save({ pushMode });
    const again = () => send(pushOf(text, { appId, ...options }));
    expect(await Promise.all([again(), again(), again()])).toEqual([TAKEN, TAKEN, TAKEN]);
    expect(await again()).toEqual(TAKEN);
    const name = text === asXml ? "subscribe_msg_sent_event" : "subscribe_msg_popup_event";
    expect(await count()).toEqual([{ event: name, times: 4 }]);
    expect(await setting()).toMatchObject({ pushSeenAt: expect.any(String) });
  });

  it("in compatible mode trusts only the encrypted part", async () => {
    await save({ pushMode: "COMPATIBLE" });
    const { query, body } = pushOf(event, { appId, isCompatible: true });
    const forged = JSON.stringify({ ...JSON.parse(body), Event: "forged" });
    expect(await send({ query, body: forged })).toEqual(TAKEN);
    expect(await count()).toEqual([{ event: "subscribe_msg_popup_event", times: 1 }]);
  });

  it.each([
    ["another token", { token: "guessed" }, "签名不正确"],
    ["another key", { key: "z".repeat(43) }, "EncodingAESKey"],
    ["another mini-program", { appId: "wxfedcba9876543210" }, "另一个小程序"],
    ["no seal", { key: null }, "明文消息"],
    ["another hour", { at: 1_610_969_440 }, "时钟"],
  ])("with %s is rejected", async (_, options, trouble) => {
    await save();
    expect(await send(pushOf(event, { appId, ...options }))).toEqual(REFUSED);
    expect(await count()).toEqual([]);
    expect(await setting()).toMatchObject({ pushTrouble: expect.stringContaining(trouble) });
  });

  it("encrypted in plain mode, or malformed, is rejected", async () => {
    await save({ pushMode: "PLAIN" });
    for (const text of ["", "[]", "{", "<xml", "null"]) {
      expect(await send(pushOf(text, { appId, key: null }))).toEqual(REFUSED);
    }
    expect(await send(pushOf(event, { appId }))).toEqual(REFUSED);
    expect(await count()).toEqual([]);
  });
});
