// SMS channel settings and their refusals; resending a message.
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { smsChannelDraft } from "../../../../../../tests/support/sms-carriers.ts";
import { useSmsCarrier } from "../../../../../../tests/support/sms-office.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";

const testServer = useTestServer();
const office = useSmsCarrier(testServer);
const { buy, carriers, read, run, send, setChannel, write } = office;
const { channel, checkChannel, saveChannel } = smsChannelContract;
const { resend } = smsContract;

describe("resending", () => {
  const again = (id: number, as = office.staff) =>
    testServer.call(resend, as, { params: { id }, body: { reason: "用户没有收到" } });

  beforeEach(() => buy(100));

  it("creates one new message, linked to the original", async () => {
    carriers.refusals.push("isv.MOBILE_NUMBER_ILLEGAL");
    const id = await write({ scene: "MALFUNCTION", text: "4 号柜离线" });
    await send();
    const replies = await Promise.all([again(id), again(id), again(id)]);
    expect(replies.filter(({ code }) => code === 0)).toHaveLength(1);
    const newId = replies.find(({ code }) => code === 0)?.data.id ?? 0;
    await send();
    expect(await read(newId)).toMatchObject({ state: "SENT", resendOf: id });
    expect((await read(id)).resentById).toBe(newId);
    expect(await again(id)).toMatchObject({ errMsg: expect.stringContaining("已经重发过") });
  });

  it.each([
    ["SIGN_IN_CODE", "验证码已失效"],
    ["PICKUP_CODE", "订单中重发"],
  ] as [MessageScenario, string][])("does not resend %s", async (scene, why) => {
    const id = await write({ scene });
    expect(await again(id)).toMatchObject({ code: 1, errMsg: expect.stringContaining("正在发送") });
    await send();
    expect(await again(id)).toMatchObject({ code: 1, errMsg: expect.stringContaining(why) });
  });

  it("needs a carrier and a template", async () => {
    const plain = await write({ scene: "MALFUNCTION", carrier: null });
    await send();
    expect(await again(plain)).toMatchObject({ errMsg: expect.stringContaining("模板代码") });
    const id = await write({ scene: "MALFUNCTION" });
    await setChannel({ isOn: false });
    expect(await again(id)).toMatchObject({ errMsg: expect.stringContaining("未开通短信通道") });
  });

  it("needs the permission", async () => {
    const { people } = await testServer.makeTenant();
    const id = await write({ scene: "MALFUNCTION" });
    expect(await again(id, people[1])).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("不存在"),
    });
    const maintenance = (await testServer.makeTenant(office.tenantId)).people[2];
    expect(await again(id, maintenance)).toMatchObject({ status: 403 });
  });
});

describe("the channel", () => {
  it.each([
    [{ keyId: "LTAI5tOtherKeyOtherKey12", secret: undefined }, "须同时填写访问密钥"],
    [{ carrier: "TENCENT", secret: undefined }, "须同时填写访问密钥"],
    [{ carrier: "TENCENT", appId: "" }, "SdkAppId"],
    [{ sign: "【好店】" }, "默认签名"],
    [{ editVersion: 0 }, "修改"],
  ])("refuses %j with the reason", async (change, text) => {
    const { data } = await testServer.call(channel, office.platform);
    const body = { ...smsChannelDraft, editVersion: data.editVersion, ...change };
    const reply = await testServer.call(saveChannel, office.platform, { body });
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
  });

  it("keeps the secret when none is given; platform only", async () => {
    await setChannel({ secret: undefined, sign: "换个签名" });
    await run("sms.checkChannel");
    expect((await testServer.call(channel, office.platform)).data.checkText).toContain("没有签名");
    for (const spec of [channel, checkChannel]) {
      expect(await testServer.call(spec, office.staff)).toMatchObject({ status: 403 });
    }
  });
});
