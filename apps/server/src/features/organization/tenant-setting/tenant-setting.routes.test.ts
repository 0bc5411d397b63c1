// 租户其他配置 on the real database: effect of each setting, and isolation between tenants.

import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { mapContract } from "@cabinet/contract/organization/map/map.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { tenantSettingDraft } from "../../../../../../tests/support/settings.ts";
import { solvedCaptcha } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const { setting, saveSetting, uploadLogo, logo, shell } = tenantSettingContract;

const draft = { ...tenantSettingDraft, logoId: null };
const { mapCode, ...withoutCode } = draft;

async function save(person: Person, change: object = {}, base: object = draft) {
  const { editVersion } = (await testServer.call(setting, person)).data;
  return testServer.call(saveSetting, person, { body: { ...base, editVersion, ...change } });
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#596bc8" } })
    .png()
    .toBuffer();

async function upload(person: Person, bytes: Uint8Array) {
  return testServer.call(uploadLogo, person, { body: {}, file: { name: "logo.png", bytes } });
}

describe("a tenant's setting", () => {
  it("starts with defaults, is saved as a whole, and never shows the map's code", async () => {
    const { people, id } = await testServer.makeTenant();
    expect((await testServer.call(setting, people[1])).data).toMatchObject({
      tenantId: id,
      isHint: true,
      tellsOverdue: true,
      servicePhone: "",
      mapKey: "",
      hasSharedMap: false,
      editVersion: 0,
    });
    expect(await save(people[1])).toMatchObject({ code: 0 });
    const { data } = await testServer.call(setting, people[1]);
    expect(data).toMatchObject({ ...withoutCode, editVersion: 1, editedBy: people[1].username });
    expect(JSON.stringify(data)).not.toContain(mapCode);
    const [entry] = await testServer.database.read("platform", (db) =>
      db.many<{ target: string; before: object; after: object }>(sql`
        select target, before, after from audit_log
        where tenant_id = ${id} and call like 'PUT %tenant-setting'`),
    );
    expect(entry).toMatchObject({
      target: `租户其他配置 租户 ${id}`,
      before: { isHint: true },
      after: { isHint: false, servicePhone: "400-800-1234" },
    });
    expect(JSON.stringify(entry)).not.toContain(mapCode);
  });

  it("refuses outdated and concurrent saves", async () => {
    const { people } = await testServer.makeTenant();
    const first = { body: { ...draft, editVersion: 0 } };
    const both = await Promise.all([
      testServer.call(saveSetting, people[1], first),
      testServer.call(saveSetting, people[0], first),
    ]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    const late = await testServer.call(saveSetting, people[1], first);
    expect(late.errMsg).toContain("已在您打开页面之后修改过");
    expect(await save(people[1], { smsSign: "另一个" })).toMatchObject({ code: 0 });
  });

  it("belongs to one tenant; the platform may change any", async () => {
    const platform = (await testServer.makeTenant(1)).people[0];
    const mine = await testServer.makeTenant();
    const other = await testServer.makeTenant();
    await save(mine.people[1]);
    const asked = { query: { tenantId: mine.id } };
    expect((await testServer.call(setting, other.people[1], asked)).errMsg).toContain("租户不存在");
    const foreign = { body: { ...draft, tenantId: mine.id, editVersion: 1 } };
    expect((await testServer.call(saveSetting, other.people[1], foreign)).errMsg).toContain(
      "租户不存在",
    );
    const body = { ...draft, smsSign: "平台代改", tenantId: mine.id, editVersion: 1 };
    expect(await testServer.call(saveSetting, platform, { body })).toMatchObject({ code: 0 });
    expect((await testServer.call(setting, mine.people[1])).data.smsSign).toBe("平台代改");
    expect((await testServer.call(setting, other.people[1])).data.smsSign).toBe("");
    expect(await testServer.call(setting, mine.people[2])).toMatchObject({ status: 403 });
  });

  it.each([
    [{ servicePhone: "call me" }, "客服电话"],
    [{ smsSign: "好" }, "短信签名"],
    [{ smsSign: "【好店】" }, "短信签名"],
    [{ openingHours: "10:00-10:00" }, "开始和结束时间不能相同"],
    [{ mapKey: "short" }, "地图 Key"],
  ])("refuses %j with the reason", async (change, words) => {
    const { people } = await testServer.makeTenant();
    const { code, errMsg } = await save(people[1], change);
    expect({ code, errMsg }).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
  });
});

describe("texts on the cabinet's screen", () => {
  it("the cabinet's own, else the store's, else the tenant's", async () => {
    const { people, id: tenantId } = await testServer.makeTenant();
    const storeId = await makeStore(testServer, tenantId, []);
    const cabinet = await makeCabinet(testServer, { tenantId, storeId, cells: [{}] });
    const read = async () => {
      const reply = await testServer.call(appOrderContract.cabinet, null, {
        params: { sn: cabinet.sn },
      });
      const { servicePhone, openingHours } = reply.data;
      return { servicePhone, openingHours };
    };
    expect(await read()).toEqual({ servicePhone: "", openingHours: "" });
    await save(people[1]);
    expect(await read()).toEqual({ servicePhone: "400-800-1234", openingHours: "08:00-22:00" });
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`update store set opening_hours = '全天' where id = ${storeId}`);
      await db.run(
        sql`update cabinet set service_phone = '0571-88886666' where id = ${cabinet.id}`,
      );
    });
    expect(await read()).toEqual({ servicePhone: "0571-88886666", openingHours: "全天" });
  });

  it("text messages start with the tenant's signature", async () => {
    const { people, id: tenantId } = await testServer.makeTenant();
    const textOf = async (phone: string) => {
      await testServer.call(appContract.requestCode, null, {
        body: { tenantId, phone },
        headers: { "captcha-verification": await solvedCaptcha(testServer) },
      });
      const { data } = await testServer.call(smsContract.history, people[1], { query: { phone } });
      const input = { params: { id: data.list[0]?.id }, body: { reason: "核对签名" } };
      return (await testServer.call(smsContract.showText, people[1], input)).data.text;
    };
    expect(await textOf("13812340001")).toMatch(/^【智能存取】登录验证码/);
    await save(people[1]);
    expect(await textOf("13812340002")).toMatch(/^【顺达快柜】登录验证码/);
  });
});

describe("logo", () => {
  it("re-encoded, visible to all accounts of the tenant, and swept after a replacement", async () => {
    const { people } = await testServer.makeTenant();
    const stranger = (await testServer.makeTenant()).people[1];
    const { data: first } = await upload(people[1], await picture(64, 64));
    const file = { params: { fileId: first.id } };
    await save(people[1], { logoId: first.id });
    expect((await testServer.call(shell, people[2])).data).toEqual({
      isHint: false,
      logoId: first.id,
      displayName: people[2].username,
    });
    const shown = (await testServer.call(logo, people[2], file)).data as unknown as Buffer;
    expect(await sharp(shown).metadata()).toMatchObject({ format: "png", width: 64 });
    expect((await testServer.call(logo, stranger, file)).errMsg).toContain("不存在");
    expect((await save(stranger, { logoId: first.id })).errMsg).toContain("Logo 图片不存在");

    const { data: second } = await upload(people[1], await picture(32, 32));
    await save(people[1], { logoId: second.id });
    const unused = await testServer.database.read("platform", (db) =>
      db.many<{ id: string; isUnused: boolean }>(sql`
        select id, unused_since is not null as is_unused from file
        where id in (${first.id}, ${second.id})`),
    );
    expect(Object.fromEntries(unused.map(({ id, isUnused }) => [id, isUnused]))).toEqual({
      [first.id]: true,
      [second.id]: false,
    });
    await save(people[1], { logoId: null });
    expect((await testServer.call(shell, people[1])).data.logoId).toBeNull();
  });

  it("must be a picture within the size limits", async () => {
    const { people } = await testServer.makeTenant();
    const large = await upload(people[1], await picture(1_200, 100));
    expect(large.errMsg).toContain("边长不超过 1024 像素");
    const text = await upload(people[1], Buffer.from("<svg onload='alert(1)'></svg>"));
    expect(text.errMsg).toContain("请上传图片");
    expect(await upload(people[2], await picture(8, 8))).toMatchObject({ status: 403 });
  });
});

describe("map key", () => {
  const map = (person: Person) => testServer.call(mapContract.setting, person);

  it("the tenant's own, effective at once, for no other tenant", async () => {
    const { people } = await testServer.makeTenant();
    const stranger = (await testServer.makeTenant()).people[1];
    const before = await testServer.app.inject({ url: "/map", headers: { accept: "text/html" } });
    await save(people[1]);
    expect((await map(people[2])).data).toMatchObject({ key: draft.mapKey });
    expect((await map(stranger)).data).toBeNull();
    const frame = await testServer.app.inject({ url: "/map", headers: { accept: "text/html" } });
    expect(String(frame.headers["content-security-policy"])).toContain("https://*.amap.com");
    expect(String(before.headers["content-security-policy"])).toContain("frame-ancestors");
    await save(people[1], { mapKey: "" }, withoutCode);
    expect((await map(people[1])).data).toBeNull();
  });

  it("requires its code: a new key without one is refused, an unchanged key keeps its own", async () => {
    const { people } = await testServer.makeTenant();
    expect((await save(people[1], {}, withoutCode)).errMsg).toContain("一并填写它的安全密钥");
    await save(people[1]);
    expect(await save(people[1], { isHint: true }, withoutCode)).toMatchObject({ code: 0 });
    expect((await map(people[1])).data).toMatchObject({ key: draft.mapKey });
    const other = { mapKey: "f".repeat(32) };
    expect((await save(people[1], other, withoutCode)).errMsg).toContain("安全密钥");
  });
});

it("tenant setting: a save is published to the tenant's consoles", async () => {
  const { people, id } = await testServer.makeTenant();
  const messages: unknown[] = [];
  const stop = testServer.listener.on("live", (event) => messages.push(event));
  await save(people[1]);
  await expect
    .poll(() => messages)
    .toContainEqual({ tenantId: id, topic: "setting", cabinetId: null, storeId: null });
  stop();
});
