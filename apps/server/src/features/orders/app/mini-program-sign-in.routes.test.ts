// Mini-program sign-in: only the person WeChat confirms gets in; WeChat's secrets are not stored.

import { miniProgramContract } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import {
  MiniProgramStandIn,
  miniProgramDraft,
} from "../../../../../../tests/support/mini-programs.ts";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { insertSetting } from "../../../../../../tests/support/payments.ts";
import {
  type AppPerson,
  openTestServer,
  type TestServer,
  useOpened,
} from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const wechat = new MiniProgramStandIn();
const testServer = useOpened<TestServer>(async () => {
  await wechat.open();
  const opened = await openTestServer({ wechatUrl: wechat.origin });
  return {
    ...opened,
    async close() {
      await opened.close();
      await wechat.close();
    },
  };
});
let tenantId: number;

beforeEach(async () => {
  tenantId = await openTenant();
  wechat.asked.length = 0;
  wechat.refusal = null;
  wechat.isSilent = false;
  wechat.isDown = false;
  await run("delete from ask_count");
  await run("delete from sign_in_throttle");
});

/** A tenant with a mini-program setting; the app id is the same at WeChat. */
async function openTenant(draft: object = miniProgramDraft): Promise<number> {
  const { id, people } = await testServer.makeTenant();
  const saved = await testServer.call(miniProgramContract.saveSetting, people[1], {
    body: { ...draft, editVersion: 0 },
  });
  expect(saved.errMsg).toBe("");
  return id;
}

const run = (statement: string) =>
  testServer.database.transaction("platform", (db) => db.run(sql([statement])));

const send = (body: object, at = tenantId) =>
  testServer.call(appContract.signInByMiniProgram, null, { body: { tenantId: at, ...body } });

const signIn = (openid: string, phone?: string, at = tenantId) =>
  send(
    {
      loginCode: wechat.loginCode(openid),
      ...(phone && { phoneCode: wechat.phoneCode(phone) }),
    },
    at,
  );

async function endUserOf(openid: string, phone?: string, at = tenantId): Promise<number> {
  const { data, errMsg } = await signIn(openid, phone, at);
  expect(errMsg).toBe("");
  return data.session?.user.endUserId ?? 0;
}

const bindings = (at = tenantId) =>
  testServer.database.read({ tenantId: at }, (db) =>
    db.many<{ openid: string; endUserId: number }>(sql`
      select openid, end_user_id from mini_program_user where tenant_id = ${at} order by openid`),
  );

let nextOpenid = 0;
const anyOpenid = () => `oUpF8uMuAJO_M2pxb1Q9z${nextOpenid++}`;

describe("new user", () => {
  it("is asked for a phone, then has an account and signs in without it", async () => {
    const [openid, phone] = [anyOpenid(), anyPhone()];
    expect(await signIn(openid)).toMatchObject({
      code: 0,
      data: { session: null, isPhoneNeeded: true },
    });
    expect(await bindings()).toEqual([]);
    const { data } = await signIn(openid, phone);
    const { session } = data;
    const user = session?.user;
    expect(data).toMatchObject({ isPhoneNeeded: false });
    expect(user).toMatchObject({
      tenantId,
      phone: `${phone.slice(0, 3)}****${phone.slice(7)}`,
    });
    const endUserId = user?.endUserId ?? 0;
    const person: AppPerson = { tenantId, endUserId, phone, token: session?.token ?? "" };
    expect(await testServer.call(appContract.me, person)).toMatchObject({ code: 0, data: user });
    wechat.asked.length = 0;
    expect(await endUserOf(openid)).toBe(endUserId);
    expect(wechat.asked).toEqual(["/sns/jscode2session"]);
  });

  it("is the existing user of the phone", async () => {
    const known = await testServer.makeAppPerson(tenantId);
    expect(await endUserOf(anyOpenid(), known.phone)).toBe(known.endUserId);
  });

  it("many sign-ins share one WeChat access token, replaced when it expires", async () => {
    await endUserOf(anyOpenid(), anyPhone());
    await Promise.all(Array.from({ length: 5 }, () => endUserOf(anyOpenid(), anyPhone())));
    const tokens = () => wechat.asked.filter((path) => path === "/cgi-bin/stable_token").length;
    expect(tokens()).toBe(1);
    wechat.endToken();
    await endUserOf(anyOpenid(), anyPhone());
    expect(tokens()).toBe(2);
  });

  it("needs a mainland phone, authorized for this mini-program", async () => {
    const abroad = wechat.phoneCode("91234567", { countryCode: "852" });
    expect(
      await send({ loginCode: wechat.loginCode(anyOpenid()), phoneCode: abroad }),
    ).toMatchObject({ code: 1, errMsg: "请授权中国大陆的手机号登录" });
    const elsewhere = wechat.phoneCode(anyPhone(), { appId: "wxfedcba9876543210" });
    expect(
      await send({ loginCode: wechat.loginCode(anyOpenid()), phoneCode: elsewhere }),
    ).toMatchObject({ code: 1, data: null });
    expect(await bindings()).toEqual([]);
  });
});

describe("phone and openid", () => {
  it("belong to one user: the last to verify a phone has it, and a new phone changes the user", async () => {
    const [first, second, phone] = [anyOpenid(), anyOpenid(), anyPhone()];
    const owner = await endUserOf(first, phone);
    expect(await endUserOf(second, phone)).toBe(owner);
    expect(await signIn(first)).toMatchObject({ data: { session: null, isPhoneNeeded: true } });
    const moved = await endUserOf(second, anyPhone());
    expect(moved).not.toBe(owner);
    expect(await endUserOf(second)).toBe(moved);
    expect(await bindings()).toEqual([{ openid: second, endUserId: moved }]);
  });

  it("lead to one account when several openids race for a phone", async () => {
    const phone = anyPhone();
    const openids = Array.from({ length: 8 }, anyOpenid);
    const owners = await Promise.all(openids.map((openid) => endUserOf(openid, phone)));
    expect(new Set(owners).size).toBe(1);
    const bound = await bindings();
    expect(bound).toEqual([{ openid: expect.any(String), endUserId: owners[0] }]);
    expect(openids).toContain(bound[0]?.openid);
  });

  it("lead to one account when one openid races for two phones", async () => {
    const openid = anyOpenid();
    const phones = [anyPhone(), anyPhone()];
    const owners = await Promise.all(phones.map((phone) => endUserOf(openid, phone)));
    expect(new Set(owners).size).toBe(2);
    const bound = await bindings();
    expect(bound).toHaveLength(1);
    expect(await endUserOf(openid)).toBe(bound[0]?.endUserId);
  });

  it("are unknown at another tenant or mini-program", async () => {
    const [openid, phone] = [anyOpenid(), anyPhone()];
    const here = await endUserOf(openid, phone);
    const other = await openTenant();
    expect(await signIn(openid, undefined, other)).toMatchObject({ data: { session: null } });
    expect(await endUserOf(openid, phone, other)).not.toBe(here);
    expect(await endUserOf(openid)).toBe(here);
    await run(`update mini_program_user set app_id = 'wx-before' where tenant_id = ${tenantId}`);
    expect(await signIn(openid)).toMatchObject({ data: { session: null, isPhoneNeeded: true } });
  });
});

describe("mini-program sign-in is refused", () => {
  it("with a wrong or used code", async () => {
    const wrong = await send({ loginCode: "0nobodysCode" });
    expect(wrong).toMatchObject({ code: 1, data: null, errMsg: "微信登录已失效，请重新登录" });
    const loginCode = wechat.loginCode(anyOpenid());
    expect(await send({ loginCode })).toMatchObject({ code: 0 });
    expect(await send({ loginCode })).toMatchObject({ code: 1, errMsg: wrong.errMsg });
    const phoneCode = wechat.phoneCode(anyPhone());
    const twice = () => send({ loginCode: wechat.loginCode(anyOpenid()), phoneCode });
    expect(await twice()).toMatchObject({ code: 0 });
    expect(await twice()).toMatchObject({
      code: 1,
      errMsg: "没有取得您的手机号，请重新授权手机号登录",
    });
  });

  it("after too many wrong codes of one address, counted with those of text messages", async () => {
    for (let n = 0; n < 10; n++) {
      expect(await send({ loginCode: "0nobodysCode" })).toMatchObject({ code: 1 });
      const requestToken = "x".repeat(22);
      const body = { tenantId, phone: anyPhone(), code: "000000", requestToken };
      expect(await testServer.call(appContract.signIn, null, { body })).toMatchObject({ code: 1 });
    }
    wechat.asked.length = 0;
    expect((await signIn(anyOpenid())).errMsg).toMatch(/尝试次数过多，请 \d+ 秒后再试/);
    expect(wechat.asked).toEqual([]);
  });

  it("when one address requests too often, without calling WeChat", async () => {
    const asks = await Promise.all(Array.from({ length: 64 }, () => signIn(anyOpenid())));
    expect(asks.filter(({ code }) => code === 0)).toHaveLength(60);
    expect(wechat.asked).toHaveLength(60);
  });

  it("when WeChat reports a risk, with a hint to the other sign-in", async () => {
    wechat.refusal = { path: "/sns/jscode2session", errcode: 40226, errmsg: "code blocked" };
    expect(await signIn(anyOpenid())).toMatchObject({
      status: 403,
      errMsg: expect.stringContaining("验证码登录"),
    });
  });

  it.each([
    [-1, "system error"],
    [45011, "api minute-quota reach limit"],
  ])("when WeChat is busy (%i)", async (errcode, errmsg) => {
    wechat.refusal = { path: "/sns/jscode2session", errcode, errmsg };
    expect(await signIn(anyOpenid())).toMatchObject({
      status: 503,
      errMsg: expect.stringContaining("微信繁忙"),
    });
  });

  it("when WeChat is down or does not answer, without holding a transaction meanwhile", async () => {
    wechat.isDown = true;
    expect(await signIn(anyOpenid())).toMatchObject({ status: 503 });
    wechat.isDown = false;
    wechat.isSilent = true;
    const waiting = Array.from({ length: 40 }, () => signIn(anyOpenid()));
    await expect.poll(() => wechat.asked.length).toBe(41);
    const began = await testServer.database.unscoped<{ n: number }>(sql`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    expect(began).toEqual([{ n: 0 }]);
    for (const reply of await Promise.all(waiting)) {
      expect(reply).toMatchObject({ status: 503, errMsg: expect.stringContaining("微信繁忙") });
    }
  });

  it("when the secret is wrong, which is reported to the tenant", async () => {
    const at = await openTenant({ ...miniProgramDraft, secret: "f".repeat(32) });
    expect(await signIn(anyOpenid(), undefined, at)).toMatchObject({
      code: 1,
      errMsg: "微信登录暂不可用，请用手机号和验证码登录",
    });
    const row = await testServer.database.read({ tenantId: at }, (db) =>
      db.one(sql`select check_state as state, check_text as text from mini_program_setting
        where tenant_id = ${at}`),
    );
    expect(row).toEqual({ state: "FAILED", text: expect.stringContaining("AppSecret 不正确") });
  });

  it("the same way for a tenant without a mini-program and an unknown tenant", async () => {
    const { id } = await testServer.makeTenant();
    const plain = ({ status, code, errMsg }: Awaited<ReturnType<typeof signIn>>) => ({
      ...{ status, code, errMsg },
    });
    const answers = [await signIn(anyOpenid(), undefined, id)];
    answers.push(await signIn(anyOpenid(), undefined, 999_999));
    expect(answers.map(plain)).toEqual([
      { status: 200, code: 1, errMsg: "微信登录暂不可用，请用手机号和验证码登录" },
      { status: 200, code: 1, errMsg: "微信登录暂不可用，请用手机号和验证码登录" },
    ]);
    expect(wechat.asked).toEqual([]);
  });

  it("only to strangers of a closed tenant; locked and known users get in with a notice", async () => {
    const [openid, phone] = [anyOpenid(), anyPhone()];
    const endUserId = await endUserOf(openid, phone);
    await run(`update end_user set state = 'LOCKED' where id = ${endUserId}`);
    const moved = anyOpenid();
    for (const reply of [await signIn(openid), await signIn(moved, phone)]) {
      expect(reply).toMatchObject({ code: 0 });
      expect(reply.data.session?.user.notice).toContain("您的账号已被锁定");
    }
    await run(`update end_user set state = 'ACTIVE' where id = ${endUserId}`);
    await run(`update tenant set expires_at = now() where id = ${tenantId}`);
    expect((await signIn(moved)).data.session?.user.notice).toContain("本运营商已暂停服务");
    expect(await signIn(anyOpenid(), anyPhone())).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("新注册"),
    });
    await run(`update tenant set state = 'DELETED' where id = ${tenantId}`);
    expect(await signIn(moved)).toMatchObject({ status: 499, data: null });
  });
});

it("mini-program sign-in: stores neither WeChat's session key nor any code", async () => {
  const loginCode = wechat.loginCode(anyOpenid());
  const phoneCode = wechat.phoneCode(anyPhone());
  expect(await send({ loginCode, phoneCode })).toMatchObject({ code: 0 });
  const { text } = await testServer.database.read("platform", (db) =>
    db.one<{ text: string }>(sql`
      select (select string_agg(wechat_user::text, '') from mini_program_user wechat_user)
        || (select string_agg(app_session::text, '') from app_session)
        || (select string_agg(ask_count::text, '') from ask_count) as text`),
  );
  for (const secret of [wechat.sessionKey, loginCode, phoneCode])
    expect(text).not.toContain(secret);
});

describe("top-up by mini-program", () => {
  async function person(openid: string): Promise<AppPerson> {
    const phone = anyPhone();
    const { data } = await signIn(openid, phone);
    const { token = "", user } = data.session ?? {};
    return { tenantId, endUserId: user?.endUserId ?? 0, phone, token };
  }
  const topUp = (as: AppPerson, body: object = {}) =>
    testServer.call(appWalletContract.topUp, as, { body: { amountFen: 5000, ...body } });
  const payer = async (topUpId: number) =>
    testServer.database.read({ tenantId }, (db) =>
      db.one(sql`select openid from top_up where tenant_id = ${tenantId} and id = ${topUpId}`),
    );

  it("is paid by the openid of the signed-in user, unless the app names another", async () => {
    await testServer.database.transaction("platform", (db) => insertSetting(db, tenantId, "李伟"));
    const openid = anyOpenid();
    const as = await person(openid);
    const { data } = await topUp(as);
    expect(await payer(data.topUpId)).toEqual({ openid });
    const other = await topUp(as, { openid: "o-other" });
    expect(await payer(other.data.topUpId)).toEqual({ openid: "o-other" });
  });

  it("requires a sign-in to the mini-program that is paid in", async () => {
    const as = await person(anyOpenid());
    expect(await topUp(as)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("暂未开通在线充值"),
    });
    await testServer.database.transaction("platform", (db) => insertSetting(db, tenantId, "李伟"));
    await run(`update payment_setting set app_id = 'wxother' where tenant_id = ${tenantId}`);
    const byPhone = await testServer.makeAppPerson(tenantId);
    for (const somebody of [as, byPhone]) {
      expect(await topUp(somebody)).toMatchObject({
        code: 1,
        errMsg: "请先在微信小程序中用微信登录再充值，或用手机浏览器打开网页版充值",
      });
    }
  });
});
