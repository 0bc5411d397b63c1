// Signing in over HTTP on a real database: promises A1–A5 and the tenant header.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { homeScreenContract } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  signIn as signInAs,
  solvedCaptcha as solveCaptcha,
} from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { mayIdle } from "../../../../../../tests/support/waiting.ts";
import { sql } from "../../../platform/db/sql.ts";
import { hashPassword, verifyPassword } from "./password.crypto.ts";

const testServer = useTestServer();

const PASSWORD = "correct horse 42";
const STRANGER = "198.18.0.9";

async function makeAccount(options: { mustChangePassword?: boolean } = {}): Promise<Person> {
  const { people } = await testServer.makeTenant();
  const hash = await hashPassword(PASSWORD);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update operator set password_hash = ${hash},
        must_change_password = ${options.mustChangePassword ?? false}
      where id = ${people[1].operatorId}`),
  );
  return people[1];
}

const solvedCaptcha = () => solveCaptcha(testServer);

beforeEach(async () => {
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`delete from sign_in_throttle`),
  );
});
const signIn = (username: string, password: string, captcha?: string, address?: string) =>
  signInAs(testServer, { username, password }, { captcha, address });

const as = (person: Person, token: string): Person => ({ ...person, token });

test("sign-in: returns token, username, userType and tenantId; the token is valid until logout", async () => {
  const person = await makeAccount();
  const { code, data } = await signIn(person.username.toUpperCase(), PASSWORD);
  expect(code).toBe(0);
  expect(data).toMatchObject({
    username: person.username,
    userType: 1,
    tenantId: person.tenantId,
    mustChangePassword: false,
  });
  const signedIn = as(person, data.token);
  expect((await testServer.call(accessContract.menu, signedIn)).code).toBe(0);
  expect((await testServer.call(authContract.logout, signedIn)).code).toBe(0);
  const after = await testServer.call(accessContract.menu, signedIn);
  expect([after.status, after.errMsg]).toEqual([401, "登录已过期，请重新登录"]);
});

describe("sign-in on the way to 首页", () => {
  const homeDay = shanghaiDay(Date.now());
  const signInToHome = ({ username }: Person) =>
    signInAs(testServer, { username, password: PASSWORD, homeDay });

  test("brings the answers that menu and 首页 give to this session", async () => {
    const person = await makeAccount();
    const { data } = await signInToHome(person);
    const session = as(person, data.token);
    const menu = await testServer.call(accessContract.menu, session);
    const query = { day: homeDay };
    const home = await testServer.call(homeScreenContract.read, session, { query });
    expect(menu.data).not.toEqual([]);
    expect(home.data).toHaveProperty("cabinets");
    expect(data.prefetched).toEqual({ menu: menu.data, home: home.data });
  });

  test("brings nothing while the password must be changed, nor where 首页 does not follow", async () => {
    const changing = await signInToHome(await makeAccount({ mustChangePassword: true }));
    expect(changing.data).toMatchObject({ mustChangePassword: true });
    const elsewhere = await signIn((await makeAccount()).username, PASSWORD);
    for (const { code, data } of [changing, elsewhere]) {
      expect(code).toBe(0);
      expect(data).not.toHaveProperty("prefetched");
    }
  });

  test("does not wait for figures that take long", async () => {
    const person = await makeAccount();
    const { data } = await testServer.database.transaction("platform", async (db) => {
      await mayIdle(db);
      await db.run(sql`lock table malfunction in access exclusive mode`);
      return signInToHome(person);
    });
    expect(data).not.toHaveProperty("prefetched");
    expect((await testServer.call(accessContract.menu, as(person, data.token))).code).toBe(0);
  });
});

test("A1: the hash is Argon2id with 19 MiB, two passes, one lane, and verifies", async () => {
  const hash = await hashPassword(PASSWORD);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(PASSWORD, hash)).toBe(true);
  expect(await verifyPassword(`${PASSWORD}x`, hash)).toBe(false);
});

test("A1: hashing leaves the main thread to doors and calls", async () => {
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() };
  for (let round = 0; round < 5; round++) await hashPassword(PASSWORD);
  const thread = process.threadCpuUsage(before.thread);
  const all = process.cpuUsage(before.all);
  expect(thread.user / all.user).toBeLessThan(0.25);
});

test.each([PASSWORD.toUpperCase(), ` ${PASSWORD}`, PASSWORD.slice(0, -1), `${PASSWORD}\0`])(
  "A1: the password is compared as it was typed: %j is another one",
  async (other) => {
    const { username } = await makeAccount();
    expect((await signIn(username, other)).errMsg).not.toBe("");
    expect((await signIn(username, PASSWORD)).errMsg).toBe("");
  },
);

test("A2: unknown and known accounts are refused alike", async () => {
  const person = await makeAccount();
  const known = await signIn(person.username, "wrong password 1");
  const unknown = await signIn("nobody-here", "wrong password 1");
  expect(known).toMatchObject({ status: 200, code: 1, errMsg: "账号或密码不正确" });
  expect({ ...unknown, requestId: "" }).toEqual({ ...known, requestId: "" });
});

test("A2: an unknown account costs the same work as a known one", async () => {
  const hash = await hashPassword(PASSWORD);
  // Interleaved processor times, comparing the best of each, so that other load on the machine does not matter.
  const best = { unknown: Number.POSITIVE_INFINITY, known: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 9; round++) {
    for (const [kind, stored] of [
      ["unknown", null],
      ["known", hash],
    ] as const) {
      const begin = process.cpuUsage();
      await verifyPassword("wrong password 1", stored);
      best[kind] = Math.min(best[kind], process.cpuUsage(begin).user);
    }
  }
  const ratio = best.unknown / best.known;
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});

test("A2: five failures block the account for that network, even with the right password", async () => {
  const person = await makeAccount();
  const guess = (password: string) => signIn(person.username, password, undefined, STRANGER);
  for (let failure = 1; failure <= 4; failure++) {
    expect((await guess("wrong password 1")).errMsg).toBe("账号或密码不正确");
  }
  expect((await guess("wrong password 1")).errMsg).toMatch(/尝试次数过多，请 \d+ 秒后再试/);
  expect((await guess(PASSWORD)).errMsg).toMatch(/尝试次数过多/);
});

test("N2: a stranger's failures refuse nobody else: not the owner, not a change of password", async () => {
  const person = await makeAccount();
  const { data } = await signIn(person.username, PASSWORD);
  for (let failure = 1; failure <= 6; failure++) {
    await signIn(person.username, "wrong password 1", undefined, STRANGER);
  }
  expect((await signIn(person.username, PASSWORD)).code).toBe(0);
  const change = await testServer.call(authContract.changePassword, as(person, data.token), {
    body: { oldPassword: PASSWORD, newPassword: "battery staple 43" },
  });
  expect([change.code, change.errMsg]).toEqual([0, ""]);
});

test("N2: a browser that has signed in before has its own counter, also in a blocked network", async () => {
  const person = await makeAccount();
  const { data } = await signIn(person.username, PASSWORD, undefined, STRANGER);
  for (let failure = 1; failure <= 6; failure++) {
    await signIn(person.username, "wrong password 1", undefined, STRANGER);
  }
  const known = (password: string, deviceToken = data.deviceToken) =>
    signInAs(
      testServer,
      { username: person.username, password, deviceToken },
      { address: STRANGER },
    );
  expect((await known(PASSWORD)).code).toBe(0);
  const forged = `${data.deviceToken?.split(".")[0]}.${"A".repeat(43)}`;
  expect((await known(PASSWORD, forged)).errMsg).toMatch(/尝试次数过多/);
  for (let failure = 1; failure <= 5; failure++) await known("wrong password 1");
  expect((await known(PASSWORD)).errMsg).toMatch(/尝试次数过多/);
});

test("N2: a browser known to one account is unknown to another", async () => {
  const [one, other] = [await makeAccount(), await makeAccount()];
  const { data } = await signIn(one.username, PASSWORD);
  for (let failure = 1; failure <= 5; failure++) {
    await signIn(other.username, "wrong password 1", undefined, STRANGER);
  }
  const account = { username: other.username, password: PASSWORD, deviceToken: data.deviceToken };
  const reply = await signInAs(testServer, account, { address: STRANGER });
  expect(reply.errMsg).toMatch(/尝试次数过多/);
});

test.each([["known"], ["unknown"]])(
  "N2: failures of a %s account from many networks make its captcha harder, and only that",
  async (kind) => {
    const person = await makeAccount();
    const username = kind === "known" ? person.username : `nobody-${person.operatorId}`;
    const { data } = await signIn(person.username, PASSWORD);
    for (let failure = 1; failure <= 10; failure++) {
      expect((await signIn(username, "wrong password 1")).errMsg).toBe("账号或密码不正确");
    }
    const easy = await signIn(username, PASSWORD);
    expect(easy.errMsg).toBe("此账号近来登录失败较多，正在加强人机验证，请重试");
    const costs = await Promise.all(
      [username, undefined].map(async (name) => {
        const query = name === undefined ? {} : { username: name };
        const challenge = await testServer.call(authContract.captcha, null, { query });
        return challenge.data.parameters.cost as number;
      }),
    );
    expect(costs[0]).toBe((costs[1] ?? 0) * 2);
    if (kind === "unknown") return;
    const account = { username, password: PASSWORD };
    const { deviceToken } = data;
    expect((await signInAs(testServer, { ...account, deviceToken })).code).toBe(0);
  },
);

test("N2: the harder captcha lets its owner in", async () => {
  const person = await makeAccount();
  for (let failure = 1; failure <= 10; failure++) {
    await signIn(person.username, "wrong password 1");
  }
  const hard = await solveCaptcha(testServer, person.username);
  expect((await signIn(person.username, PASSWORD, hard)).code).toBe(0);
});

test("A2: five wrong old passwords block the session's change of password", async () => {
  const person = await makeAccount();
  const [{ data: first }, { data: second }] = [
    await signIn(person.username, PASSWORD),
    await signIn(person.username, PASSWORD),
  ];
  const change = (token: string, oldPassword: string) =>
    testServer.call(authContract.changePassword, as(person, token), {
      body: { oldPassword, newPassword: "battery staple 43" },
    });
  for (let failure = 1; failure <= 5; failure++) await change(first.token, "wrong password 1");
  expect((await change(first.token, PASSWORD)).errMsg).toMatch(/尝试次数过多/);
  expect((await change(second.token, PASSWORD)).code).toBe(0);
});

test("A2: another spelling of a name is not counted separately", async () => {
  const person = await makeAccount();
  const username = `li-${person.operatorId}`;
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update operator set username = ${username} where id = ${person.operatorId}`),
  );
  const dotted = await signIn(username.replace("i", "İ"), PASSWORD);
  expect(dotted).toMatchObject({ code: 1, errMsg: "账号或密码不正确" });
  expect(await signIn(username.toUpperCase(), PASSWORD)).toMatchObject({ code: 0 });
});

test("A2: concurrent guesses from a network get no more tries than sequential ones", async () => {
  const person = await makeAccount();
  const captchas = await Promise.all(Array.from({ length: 24 }, solvedCaptcha));
  const guesses = captchas.map((captcha, at) =>
    signIn(person.username, at === 23 ? PASSWORD : `wrong password ${at}`, captcha, STRANGER),
  );
  const replies = await Promise.all(guesses);
  expect(replies[23]).toMatchObject({ code: 1, errMsg: expect.stringContaining("尝试次数过多") });
});

test("A2: twenty failures block the network, for any account", async () => {
  const person = await makeAccount();
  for (let failure = 1; failure <= 20; failure++) {
    await signIn(`nobody-${failure}`, "wrong password 1", undefined, "203.0.113.7");
  }
  const blocked = await signIn(person.username, PASSWORD, undefined, "203.0.113.7");
  expect(blocked.errMsg).toMatch(/尝试次数过多/);
  expect((await signIn(person.username, PASSWORD)).code).toBe(0);
});

test("A3: a missing, forged or used captcha is refused", async () => {
  const person = await makeAccount();
  const refusal = "人机验证未通过或已过期，请重新验证";
  expect((await signIn(person.username, PASSWORD, "")).errMsg).toBe(refusal);
  const captcha = await solvedCaptcha();
  const forged = JSON.parse(Buffer.from(captcha, "base64").toString());
  forged.challenge.parameters.data.id = "another";
  const forgedText = Buffer.from(JSON.stringify(forged)).toString("base64");
  expect((await signIn(person.username, PASSWORD, forgedText)).errMsg).toBe(refusal);
  expect((await signIn(person.username, PASSWORD, captcha)).code).toBe(0);
  expect((await signIn(person.username, PASSWORD, captcha)).errMsg).toBe(refusal);
});

test("A3: concurrent sign-ins with one captcha let one in", async () => {
  const person = await makeAccount();
  const captcha = await solvedCaptcha();
  const results = await Promise.all(
    Array.from({ length: 12 }, () => signIn(person.username, PASSWORD, captcha)),
  );
  expect(results.filter((result) => result.code === 0)).toHaveLength(1);
});

test("A3: a challenge is valid for at most two minutes", async () => {
  const { data } = await testServer.call(authContract.captcha, null);
  const expiresAt = data.parameters.expiresAt as number;
  expect(expiresAt * 1000 - Date.now()).toBeLessThanOrEqual(120_000);
});

test("A4: an account has twenty sessions; a new one ends the oldest", async () => {
  const person = await makeAccount();
  const { data: oldest } = await signIn(person.username, PASSWORD);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into session (token_hash, tenant_id, operator_id, expires_at)
      select sha256(convert_to('one of ' || n || ${person.username}, 'UTF8')), ${person.tenantId},
        ${person.operatorId}, now() + interval '8 hours'
      from generate_series(1, 18) n`),
  );
  const isAlive = async (token: string) =>
    (await testServer.call(accessContract.menu, as(person, token))).code === 0;
  // The fixture's own session goes: 19 remain.
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      delete from session where token_hash = sha256(convert_to(${person.token}, 'UTF8'))`),
  );
  const { data: newer } = await signIn(person.username, PASSWORD);
  expect(await isAlive(oldest.token)).toBe(true);
  const { data: newest } = await signIn(person.username, PASSWORD);
  expect([await isAlive(oldest.token), await isAlive(newer.token)]).toEqual([false, true]);
  expect(await isAlive(newest.token)).toBe(true);
});

test("A4: only the hash of a token is stored", async () => {
  const person = await makeAccount();
  const { data } = await signIn(person.username, PASSWORD);
  expect(Buffer.from(data.token, "base64url")).toHaveLength(32);
  const rows = await testServer.database.read("platform", (db) =>
    db.many<{ row: string }>(
      sql`select session::text as row from session where tenant_id = ${person.tenantId}`,
    ),
  );
  const raw = Buffer.from(data.token, "base64url").toString("hex");
  for (const { row } of rows) {
    expect(row).not.toContain(data.token);
    expect(row).not.toContain(raw);
  }
});

test.each([
  ["idle for 30 minutes", sql`update session set last_seen_at = now() - interval '31 minutes'`],
  ["8 hours old", sql`update session set expires_at = now() - interval '1 second'`],
  ["account disabled", sql`update operator set disabled_at = now()`],
])("A4: %s ends the session on the next request", async (_name, change) => {
  const { people } = await testServer.makeTenant();
  const person = people[1];
  expect((await testServer.call(accessContract.menu, person)).code).toBe(0);
  await testServer.database.transaction({ tenantId: person.tenantId }, (db) => db.run(change));
  expect((await testServer.call(accessContract.menu, person)).status).toBe(401);
});

test("A4: an expired tenant gets 499, at sign-in as well", async () => {
  const person = await makeAccount();
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update tenant set expires_at = now() where id = ${person.tenantId}`),
  );
  const call = await testServer.call(accessContract.menu, person);
  expect([call.status, call.errMsg]).toEqual([499, "租户信息已过期，请联系客服"]);
  expect((await signIn(person.username, PASSWORD)).status).toBe(499);
});

test("A4: a role change takes effect on the next request", async () => {
  const { people } = await testServer.makeTenant();
  const person = people[1];
  const before = await testServer.call(accessContract.menu, person);
  expect(before.data.length).toBeGreaterThan(3);
  await testServer.database.transaction({ tenantId: person.tenantId }, (db) =>
    db.run(sql`delete from operator_role where operator_id = ${person.operatorId}`),
  );
  // The entries open to everyone need no role.
  const after = await testServer.call(accessContract.menu, person);
  expect(after.data.map(({ uri }) => uri)).toEqual(["/settings"]);
});

test("A4: changing the password ends every other session of the account", async () => {
  const person = await makeAccount();
  const { data: first } = await signIn(person.username, PASSWORD);
  const { data: second } = await signIn(person.username, PASSWORD);
  const change = await testServer.call(authContract.changePassword, as(person, first.token), {
    body: { oldPassword: PASSWORD, newPassword: "battery staple 43" },
  });
  expect(change.code).toBe(0);
  expect((await testServer.call(accessContract.menu, as(person, first.token))).status).toBe(401);
  expect((await testServer.call(accessContract.menu, as(person, second.token))).status).toBe(401);
  expect((await testServer.call(accessContract.menu, as(person, change.data.token))).code).toBe(0);
});

test("A5: until the initial password is changed, every other call is refused", async () => {
  const person = await makeAccount({ mustChangePassword: true });
  const { data } = await signIn(person.username, PASSWORD);
  expect(data.mustChangePassword).toBe(true);
  const signedIn = as(person, data.token);
  const refused = await testServer.call(accessContract.menu, signedIn);
  expect([refused.status, refused.errMsg]).toEqual([403, "首次登录请先修改密码"]);
  for (const [oldPassword, newPassword, errMsg] of [
    ["not it at all 1", "battery staple 43", "原密码不正确"],
    [PASSWORD, PASSWORD, "新密码不能与原密码相同"],
    [PASSWORD, "password123!", "密码过于简单"],
  ] as const) {
    const weak = await testServer.call(authContract.changePassword, signedIn, {
      body: { oldPassword, newPassword },
    });
    expect(weak.errMsg).toContain(errMsg);
  }
  const change = await testServer.call(authContract.changePassword, signedIn, {
    body: { oldPassword: PASSWORD, newPassword: "battery staple 43" },
  });
  expect((await testServer.call(accessContract.menu, as(person, change.data.token))).code).toBe(0);
});

test("tenantId header: a value other than the session's is refused and audited", async () => {
  const { people } = await testServer.makeTenant();
  const { people: others } = await testServer.makeTenant();
  const person = people[0];
  const refused = await testServer.call(accessContract.menu, person, {
    headers: { tenantid: String(others[0].tenantId) },
  });
  expect(refused.status).toBe(403);
  const entry = await testServer.database.read({ tenantId: person.tenantId }, (db) =>
    db.one<{ after: unknown; actorId: number }>(sql`select after, actor_id from audit_log`),
  );
  expect(entry).toEqual({
    actorId: person.operatorId,
    after: { claimedTenantId: String(others[0].tenantId) },
  });
});

test("login: accepts a form, not JSON", async () => {
  const response = await testServer.app.inject({
    method: "POST",
    url: "/api/auth/token/admin/login",
    payload: { username: "a", password: "b" },
  });
  expect(response.statusCode).toBe(415);
});

test("new browser: shown to the account's other sessions, not to its own, nor for a first sign-in", async () => {
  const person = await makeAccount();
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`delete from login_log where operator_id = ${person.operatorId}`),
  );
  const noticeOf = async (token: string) => {
    const { data } = await testServer.call(notificationContract.list, { ...person, token });
    return data.list.find(({ kind }) => kind === "SIGN_IN")?.text ?? null;
  };
  const first = (await signIn(person.username, PASSWORD)).data;
  const { deviceToken } = first;
  const again = (
    await signInAs(testServer, { username: person.username, password: PASSWORD, deviceToken })
  ).data;
  expect(await noticeOf(first.token)).toBeNull();
  expect(again.deviceToken).toBe(deviceToken);

  const stranger = (await signIn(person.username, PASSWORD, undefined, STRANGER)).data;
  expect(await noticeOf(first.token)).toContain(STRANGER);
  expect(await noticeOf(again.token)).toContain(STRANGER);
  expect(await noticeOf(stranger.token)).toBeNull();
  const { data } = await testServer.call(
    accountContract.signIns,
    { ...person, token: first.token },
    {
      query: {},
    },
  );
  expect(data.list.map(({ isNewDevice }) => isNewDevice)).toEqual([true, false, false]);
});
