// App sign-in: codes are sent by text message only, do not reveal who is known, and work once.

import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { legalTextContract } from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { solvedCaptcha } from "../../../../../../tests/support/sign-in.ts";
import {
  type AppPerson,
  type Person,
  useTestServer,
} from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let operator: Person;
let platform: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  operator = tenant.people[1];
  await run("delete from ask_count");
  await run("delete from sign_in_throttle");
});

const run = (statement: string) =>
  testServer.database.transaction("platform", (db) => db.run(sql([statement])));

/** Tokens of the latest requests, by phone. */
const tokens = new Map<string, string>();

async function requestCode(phone: string, at = tenantId) {
  const reply = await testServer.call(appContract.requestCode, null, {
    body: { tenantId: at, phone },
    headers: { "captcha-verification": await solvedCaptcha(testServer) },
  });
  if (reply.code === 0) tokens.set(phone, reply.data.requestToken);
  return reply;
}

const signIn = (phone: string, code: string, at = tenantId, requestToken = tokens.get(phone)) =>
  testServer.call(appContract.signIn, null, { body: { tenantId: at, phone, code, requestToken } });

/** Reads the code like the owner of the phone; without a carrier, platform staff look it up. */
async function readCode(phone: string): Promise<string> {
  const { data } = await testServer.call(smsContract.history, platform, { query: { phone } });
  const [newest] = data.list;
  const { data: shown } = await testServer.call(smsContract.showText, platform, {
    params: { id: newest?.id },
    body: { reason: "代用户查看" },
  });
  expect(shown.phone).toBe(phone);
  return /(\d{6})/.exec(shown.text)?.[1] ?? "";
}

async function signedIn(phone = anyPhone()): Promise<AppPerson> {
  await requestCode(phone);
  const { data, errMsg } = await signIn(phone, await readCode(phone));
  expect(errMsg).toBe("");
  return { tenantId, endUserId: data.user.endUserId, phone, token: data.token };
}

const me = (as: AppPerson) => testServer.call(appContract.me, as);

describe("sign-in code", () => {
  it("signs in once, and creates the account at the first sign-in", async () => {
    const phone = anyPhone();
    expect(await requestCode(phone)).toMatchObject({ code: 0, data: { validSeconds: 300 } });
    const code = await readCode(phone);
    const { data } = await signIn(phone, code);
    expect(data.user).toMatchObject({
      tenantId,
      phone: `${phone.slice(0, 3)}****${phone.slice(7)}`,
    });
    const person = { tenantId, endUserId: data.user.endUserId, phone, token: data.token };
    expect(await me(person)).toMatchObject({ code: 0, data: data.user });
    expect(await signIn(phone, code)).toMatchObject({ code: 1, data: null });
  });

  it("records the texts that the person agreed to, with the account that it creates", async () => {
    const text = { kind: "PRIVACY" as const, body: "隐私政策", editVersion: 0 };
    await testServer.call(legalTextContract.publish, operator, { body: text });
    const phone = anyPhone();
    await requestCode(phone);
    const agreed = [{ kind: "PRIVACY", version: 1 }];
    const body = { tenantId, phone, code: await readCode(phone), agreed };
    const { data } = await testServer.call(appContract.signIn, null, {
      body: { ...body, requestToken: tokens.get(phone) },
    });
    expect(data.user.legal).toEqual([
      { kind: "PRIVACY", version: 1, isOfPlatform: false, agreedAt: expect.any(String) },
    ]);
  });

  it("takes the phone in every form of the phone rule", async () => {
    const phone = anyPhone();
    expect(await requestCode(`+86 ${phone}`)).toMatchObject({ code: 0 });
    const token = tokens.get(`+86 ${phone}`);
    const { data } = await signIn(`0086${phone}`, await readCode(phone), tenantId, token);
    expect(data.user.phone).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`);
  });

  it("is void after a newer one, after five minutes, and at another tenant", async () => {
    const phone = anyPhone();
    await requestCode(phone);
    const first = await readCode(phone);
    await run("delete from ask_count");
    await requestCode(phone);
    const second = await readCode(phone);
    if (first !== second) expect(await signIn(phone, first)).toMatchObject({ code: 1 });
    const other = await testServer.makeTenant();
    expect(await signIn(phone, second, other.id)).toMatchObject({ code: 1 });
    await run("update sign_in_request set expires_at = now()");
    expect(await signIn(phone, second)).toMatchObject({ code: 1 });
  });

  it("is void after five wrong tries", async () => {
    const phone = anyPhone();
    await requestCode(phone);
    const code = await readCode(phone);
    const wrong = code === "000000" ? "111111" : "000000";
    for (let n = 0; n < 5; n++) expect(await signIn(phone, wrong)).toMatchObject({ code: 1 });
    expect(await signIn(phone, code)).toMatchObject({ code: 1, data: null });
  });

  it("N2: is valid for its own request: others' tries and requests for the phone leave it valid", async () => {
    const phone = anyPhone();
    await requestCode(phone);
    const [code, token] = [await readCode(phone), tokens.get(phone)];
    await run("delete from ask_count");
    await requestCode(phone);
    const foreign = tokens.get(phone);
    for (let n = 0; n < 6; n++) {
      expect(await signIn(phone, code, tenantId, foreign)).toMatchObject({ code: 1 });
      expect(await signIn(phone, code, tenantId, "x".repeat(22))).toMatchObject({ code: 1 });
    }
    expect(await signIn(phone, code, tenantId, token)).toMatchObject({ code: 0 });
  });

  it("is stored as a hash, its message sealed", async () => {
    const phone = anyPhone();
    await requestCode(phone);
    const code = await readCode(phone);
    const rows = await testServer.database.read("platform", (db) =>
      db.one<{ text: string }>(sql`
        select (select string_agg(sign_in_request::text, '') from sign_in_request)
          || (select string_agg(sms::text, '') from sms_message sms) as text`),
    );
    expect(rows.text).not.toContain(code);
  });
});

describe("requesting a code", () => {
  it("needs a solved captcha, once", async () => {
    const captcha = await solvedCaptcha(testServer);
    const ask = (payload: string) =>
      testServer.call(appContract.requestCode, null, {
        body: { tenantId, phone: anyPhone() },
        headers: { "captcha-verification": payload },
      });
    const refusal = { code: 1, errMsg: "人机验证未通过或已过期，请重新验证" };
    expect(await ask("")).toMatchObject(refusal);
    expect(await ask(captcha)).toMatchObject({ code: 0 });
    expect(await ask(captcha)).toMatchObject(refusal);
  });

  it("gets the same answer for every phone and every tenant", async () => {
    const known = await signedIn();
    await run("delete from ask_count");
    const answers = [await requestCode(known.phone), await requestCode(anyPhone())];
    answers.push(await requestCode(anyPhone(), 999_999));
    const [first, ...rest] = answers.map(({ status, code, data, errMsg }) => ({
      status,
      code,
      data: { ...data, requestToken: "" },
      errMsg,
    }));
    for (const answer of rest) expect(answer).toEqual(first);
    expect(first).toMatchObject({ code: 0 });
  });

  it("is rate limited by phone, and by address for all phones", async () => {
    const phone = anyPhone();
    await requestCode(phone);
    const again = await requestCode(phone);
    expect(again).toMatchObject({ status: 429, code: 1 });
    expect(again.errMsg).toMatch(/请 \d+ 秒后再试/);
    const others = await Promise.all(Array.from({ length: 70 }, () => requestCode(anyPhone())));
    const granted = others.filter(({ code }) => code === 0).length;
    expect(granted).toBe(58);
  });

  it("is limited by tenant and hour, as the tenant decides", async () => {
    const { id } = await testServer.makeTenant();
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        insert into tenant_setting (tenant_id, codes_per_hour, edited_by) values (${id}, 2, '王芳')`),
    );
    for (let at = 0; at < 2; at++) expect((await requestCode(anyPhone(), id)).errMsg).toBe("");
    const third = await requestCode(anyPhone(), id);
    expect(third.status).toBe(429);
    expect(third.errMsg).toContain("本运营商一小时内的短信验证码已发完");
    expect((await requestCode(anyPhone())).errMsg).toBe("");
  });
});

describe("app session", () => {
  it("ends with the sign-out, after seven days of inactivity, and after thirty days", async () => {
    const person = await signedIn();
    expect(await testServer.call(appContract.signOut, person)).toMatchObject({ code: 0 });
    expect(await me(person)).toMatchObject({ status: 401 });
    const idle = await signedIn();
    await run("update app_session set last_seen_at = now() - interval '7 days'");
    expect(await me(idle)).toMatchObject({ status: 401 });
    const old = await signedIn();
    await run("update app_session set expires_at = now()");
    expect(await me(old)).toMatchObject({ status: 401 });
  });

  it("shows a locked user what is still allowed, at sign-in too, until the lock ends", async () => {
    const person = await signedIn();
    expect((await me(person)).data.notice).toBeNull();
    await run(`update end_user set state = 'LOCKED' where id = ${person.endUserId}`);
    const locked = "您的账号已被锁定，只能取出柜内的物品、付清费用，请联系客服";
    expect((await me(person)).data.notice).toBe(locked);
    await run("delete from ask_count");
    await requestCode(person.phone);
    const again = await signIn(person.phone, await readCode(person.phone));
    expect(again).toMatchObject({ code: 0, data: { user: { notice: locked } } });
    await run(
      `update end_user set locked_until = '2999-01-01T04:05:00Z' where id = ${person.endUserId}`,
    );
    expect((await me(person)).data.notice).toContain("已被锁定至 2999-01-01 12:05");
    await run(`update end_user set locked_until = now() where id = ${person.endUserId}`);
    expect((await me(person)).data.notice).toBeNull();
  });

  it("survives the end of the tenant's term, and ends when the tenant is deleted", async () => {
    const person = await signedIn();
    await run(`update tenant set expires_at = now() where id = ${tenantId}`);
    expect((await me(person)).data.notice).toContain("本运营商已暂停服务，只能取出柜内的物品");
    await run(`update tenant set expires_at = null, state = 'DELETED' where id = ${tenantId}`);
    expect(await me(person)).toMatchObject({ status: 499, code: 1 });
  });

  it("can begin at a closed tenant for known users, and for nobody new", async () => {
    const [known, stranger] = [(await signedIn()).phone, anyPhone()];
    await run(`update tenant set state = 'SUSPENDED' where id = ${tenantId}`);
    await run("delete from ask_count");
    const asked = [await requestCode(known), await requestCode(stranger)];
    expect(asked[0]).toMatchObject({ code: 0 });
    const { requestToken: _, ...same } = asked[0]?.data ?? {};
    expect(asked[1]).toMatchObject({ code: 0, data: same });
    expect(await signIn(known, await readCode(known))).toMatchObject({ code: 0 });
    const { sent } = await testServer.database.read("platform", (db) =>
      db.one<{ sent: number }>(sql`
        select count(*)::int as sent from sms_message where phone = ${stranger}`),
    );
    expect(sent).toBe(0);
    expect(await signIn(stranger, "000000")).toMatchObject({ code: 1 });
    const { n } = await testServer.database.read("platform", (db) =>
      db.one<{ n: number }>(sql`
        select count(*)::int as n from end_user where phone = ${stranger}`),
    );
    expect(n).toBe(0);
  });

  it("cannot begin for a new user whose code was requested before the tenant closed", async () => {
    const phone = anyPhone();
    await requestCode(phone);
    await run(`update tenant set state = 'SUSPENDED' where id = ${tenantId}`);
    expect(await signIn(phone, await readCode(phone))).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("暂不能存件、购买套餐和新注册"),
    });
  });

  it("is not accepted by the console, nor a console session by the app", async () => {
    const person = await signedIn();
    const asOperator = { ...operator, token: person.token };
    expect(await testServer.call(smsContract.history, asOperator, { query: {} })).toMatchObject({
      status: 401,
    });
    expect(await me({ ...person, token: operator.token })).toMatchObject({ status: 401 });
  });
});
