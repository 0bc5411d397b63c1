// Tests two-step verification: set-up, sign-in, recovery codes, recent proof, roles that demand it.
import { setTimeout } from "node:timers/promises";
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { authContract, type SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import {
  MOST_PASSKEYS,
  PROOF_MINUTES,
} from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { Secret, TOTP } from "otpauth";
import { beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { hashPassword } from "../auth/index.ts";

const testServer = useTestServer();
const PASSWORD = "mountain-harbour-4471";

let passwordHash: string;
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

async function makePerson(): Promise<{ tenantId: number; person: Person; admin: Person }> {
  const { id, people } = await testServer.makeTenant();
  const person = people[1];
  await run(
    sql`update operator set password_hash = ${passwordHash} where id = ${person.operatorId}`,
  );
  return { tenantId: id, person, admin: people[1] };
}

const codeAt = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
const STEP_MS = 30_000;

/** Sets an authenticator up; returns its secret and the recovery codes. */
async function setUp(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { data } = await testServer.call(secondFactorContract.beginTotp, person);
  const body = { code: codeAt(data.secret) };
  const confirmed = await testServer.call(secondFactorContract.confirmTotp, person, { body });
  expect(confirmed.errMsg).toBe("");
  // As if the code of the step before had been used: the test may use the present one later.
  await run(
    sql`update totp set last_step = last_step - 1 where operator_id = ${person.operatorId}`,
  );
  return { secret: data.secret, ...confirmed.data };
}

async function login({ username }: Person): Promise<SignedIn> {
  const { errMsg, data } = await signIn(testServer, { username, password: PASSWORD });
  expect(errMsg).toBe("");
  return data;
}

const as = (person: Person, { token }: SignedIn): Person => ({ ...person, token });

const prove = (person: Person, body: object) =>
  testServer.call(secondFactorContract.prove, person, { body });

const ageProof = ({ operatorId }: Person) =>
  run(sql`
    update session set proven_at = now() - make_interval(mins => ${PROOF_MINUTES}, secs => 1)
    where operator_id = ${operatorId} and proven_at is not null`);

describe("set-up", () => {
  it("authenticator: a code confirms it and brings ten recovery codes, once", async () => {
    const { person } = await makePerson();
    const { recoveryCodes } = await setUp(person);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes)
      expect(code).toMatch(/^[A-HJKMNP-TV-Z0-9]{5}-[A-HJKMNP-TV-Z0-9]{5}$/);
    const { data } = await testServer.call(secondFactorContract.get, person);
    expect(data).toMatchObject({ hasTotp: true, passkeys: [], recoveryCodes: 10 });
    const again = await testServer.call(secondFactorContract.beginTotp, person);
    expect(again.errMsg).toContain("已经绑定");
  });

  it("authenticator: a wrong first code leaves the account as it was", async () => {
    const { person } = await makePerson();
    await testServer.call(secondFactorContract.beginTotp, person);
    const body = { code: "000000" };
    const wrong = await testServer.call(secondFactorContract.confirmTotp, person, { body });
    expect(wrong.errMsg).toContain("没有通过");
    expect((await login(person)).secondStep).toBeUndefined();
  });

  it("secret: sealed in the database", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const { stored } = await testServer.database.read("platform", (db) =>
      db.one<{ stored: Buffer }>(
        sql`select sealed_secret as stored from totp where operator_id = ${person.operatorId}`,
      ),
    );
    expect(stored.toString("latin1")).not.toContain(secret);
  });

  it("removed: asks for a recent proof; then the password alone signs in", async () => {
    const { person } = await makePerson();
    await setUp(person);
    await ageProof(person);
    const old = await testServer.call(secondFactorContract.removeTotp, person);
    expect([old.status, old.errMsg]).toEqual([403, "请再次验证身份后继续"]);
    const { secret } = await secretOf(person);
    await prove(person, { code: codeAt(secret) });
    expect((await testServer.call(secondFactorContract.removeTotp, person)).errMsg).toBe("");
    expect((await login(person)).secondStep).toBeUndefined();
    const { data } = await testServer.call(secondFactorContract.get, person);
    expect(data).toMatchObject({ hasTotp: false, recoveryCodes: 0 });
  });
});

async function secretOf({ tenantId, operatorId }: Person): Promise<{ secret: string }> {
  const { sealed } = await testServer.database.read("platform", (db) =>
    db.one<{ sealed: Buffer }>(
      sql`select sealed_secret as sealed from totp where operator_id = ${operatorId}`,
    ),
  );
  return { secret: testServer.vault.open(sealed, `totp ${tenantId}/${operatorId}`) };
}

describe("first factor", () => {
  const isProvenAs = async (person: Person) =>
    (await testServer.call(secondFactorContract.renewRecoveryCodes, person)).errCode;

  it("the account's other sessions, proven by the password alone, are due to prove it", async () => {
    const { person } = await makePerson();
    const elsewhere = as(person, await login(person));
    expect(await isProvenAs(elsewhere)).toBe("NOT_FOUND");
    const { secret } = await setUp(person);
    for (const spec of [secondFactorContract.removeTotp, accountContract.profile]) {
      const { errCode } = await testServer.call<EndpointSpec>(spec, elsewhere);
      expect(errCode).toBe("SECOND_FACTOR_DUE");
    }
    expect(await isProvenAs(person)).toBeUndefined();
    // A further factor is added with a proof by the first one: nobody is asked again.
    const { data } = await prove(elsewhere, { code: codeAt(secret) });
    const proven = { ...elsewhere, token: data.token ?? "" };
    expect(await isProvenAs(proven)).toBeUndefined();
  });

  it("a password that is being compared meanwhile proves nothing any more", async () => {
    const { person } = await makePerson();
    const elsewhere = as(person, await login(person));
    await testServer.call(secondFactorContract.beginTotp, person);
    const { tenantId, operatorId, username } = person;
    const settingUp = await testServer.database.transaction("platform", async (db) => {
      const own = sql`tenant_id = ${tenantId} and id = ${operatorId}`;
      await db.run(sql`select 1 from operator where ${own} for update`);
      const outcomes = Promise.all([
        prove(elsewhere, { password: PASSWORD }),
        signIn(testServer, { username, password: PASSWORD }),
      ]);
      await setTimeout(2_000);
      await db.run(sql`update totp set confirmed_at = now() where operator_id = ${operatorId}`);
      await db.run(sql`update operator set has_second_factor = true where ${own}`);
      return { outcomes };
    });
    const [proof, signedIn] = await settingUp.outcomes;
    expect(proof.errCode).toBe("PROOF_WRONG");
    expect(signedIn.data.secondStep).toBe("DUE");
  });
});

describe("sign-in", () => {
  it("password alone: may do nothing but the second step and 退出登录", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const signedIn = await login(person);
    expect(signedIn.secondStep).toBe("DUE");
    const waiting = as(person, signedIn);
    const refused = await testServer.call(accountContract.profile, waiting);
    expect([refused.status, refused.errMsg]).toEqual([403, "请先完成两步验证"]);
    const setUpAgain = await testServer.call(secondFactorContract.beginTotp, waiting);
    expect(setUpAgain.status).toBe(403);

    const { errMsg, data } = await prove(waiting, { code: codeAt(secret) });
    expect(errMsg).toBe("");
    const open = { ...person, token: data.token ?? "" };
    expect((await testServer.call(accountContract.profile, open)).errMsg).toBe("");
  });

  it("sign-in log: tells the second step apart, and leaves later proofs out", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const waiting = as(person, await login(person));
    await prove(waiting, { code: "000000" });
    const { data } = await prove(waiting, { code: codeAt(secret) });
    const open = { ...person, token: data.token ?? "" };
    await prove(open, { code: "000000" });
    const query = { username: person.username };
    const log = await testServer.call(loginLogContract.list, open, { query });
    expect(log.data.list.map(({ outcome }) => outcome).slice(0, 3)).toEqual([
      "SECOND_STEP_PASSED",
      "SECOND_STEP_WRONG",
      "SIGNED_IN",
    ]);
  });

  it("passkey: a wrong answer is in the sign-in log and uses the challenge up, but blocks nothing", async () => {
    const { person, tenantId } = await makePerson();
    const { secret } = await setUp(person);
    const { operatorId } = person;
    await run(sql`
      insert into passkey (tenant_id, operator_id, credential_id, public_key, counter, transports,
        name, host)
      values (${tenantId}, ${operatorId}, ${`key-${operatorId}`}, '\\x00', 0, '{}', '电脑',
        'localhost')`);
    const waiting = as(person, await login(person));
    const client = { type: "webauthn.get", origin: "http://localhost" };
    const clientDataJSON = Buffer.from(JSON.stringify(client)).toString("base64url");
    const answer = { id: `key-${operatorId}`, response: { clientDataJSON } };
    const body = { host: "localhost" };
    expect((await testServer.call(secondFactorContract.challenge, waiting, { body })).code).toBe(0);
    for (let at = 0; at < 6; at++) {
      expect((await prove(waiting, { answer })).errMsg).toBe(errorText("PASSKEY_REFUSED"));
    }
    const challenges = await testServer.database.read("platform", (db) =>
      db.many(sql`
        select 1 from session where operator_id = ${operatorId} and passkey_challenge is not null`),
    );
    expect(challenges).toEqual([]);
    const { data } = await prove(waiting, { code: codeAt(secret) });
    const open = { ...person, token: data.token ?? "" };
    await prove(open, { answer });
    const query = { username: person.username };
    const log = await testServer.call(loginLogContract.list, open, { query });
    expect(log.data.list.map(({ outcome }) => outcome).slice(0, 8)).toEqual([
      "SECOND_STEP_PASSED",
      ...Array(6).fill("SECOND_STEP_WRONG"),
      "SIGNED_IN",
    ]);
  });

  it("token from before the second step: worth nothing after it", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const waiting = as(person, await login(person));
    const { data } = await prove(waiting, { code: codeAt(secret) });
    expect(data.token).toMatch(/^[\w-]{43}$/);
    expect((await testServer.call(accountContract.profile, waiting)).status).toBe(401);
    const open = { ...person, token: data.token ?? "" };
    const sessions = await testServer.call(accountContract.sessions, open);
    expect(sessions.data.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    await ageProof(person);
    const again = await prove(open, { code: codeAt(secret, Date.now() + STEP_MS) });
    expect(again.data).toEqual({ token: null });
  });

  it("code: accepted once", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const code = codeAt(secret);
    const first = as(person, await login(person));
    expect((await prove(first, { code })).errMsg).toBe("");
    const second = as(person, await login(person));
    expect((await prove(second, { code })).errMsg).toContain("没有通过");
    expect((await testServer.call(accountContract.profile, second)).status).toBe(403);
  });

  it("recovery code: accepted once, with or without hyphen", async () => {
    const { person } = await makePerson();
    const { recoveryCodes } = await setUp(person);
    const code = (recoveryCodes[0] ?? "").replace("-", "").toLowerCase();
    const { data } = await prove(as(person, await login(person)), { code });
    const session = { ...person, token: data.token ?? "" };
    expect((await testServer.call(secondFactorContract.get, session)).data?.recoveryCodes).toBe(9);
    const again = as(person, await login(person));
    expect((await prove(again, { code })).errMsg).toContain("没有通过");
  });

  it("password: no proof for an account with a second factor", async () => {
    const { person } = await makePerson();
    await setUp(person);
    const waiting = as(person, await login(person));
    expect((await prove(waiting, { password: PASSWORD })).errMsg).toContain("没有通过");
  });

  it("guessing: five wrong codes block the account's second step, in all its sessions", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const sessions = [as(person, await login(person)), as(person, await login(person))];
    for (let at = 0; at < 5; at++) {
      await prove(sessions[at % 2] as Person, { code: String(100_000 + at) });
    }
    for (const session of sessions) {
      expect((await prove(session, { code: codeAt(secret) })).errMsg).toContain("尝试次数过多");
    }
  });
});

it("passkeys: one that another session's ceremony makes too many is refused", async () => {
  const { person, tenantId } = await makePerson();
  const body = { host: "localhost" };
  const begun = await testServer.call(secondFactorContract.beginPasskey, person, { body });
  expect(begun.errMsg).toBe("");
  const { operatorId } = person;
  await run(sql`
    insert into passkey (tenant_id, operator_id, credential_id, public_key, counter, transports, name,
      host)
    select ${tenantId}, ${operatorId}, ${`many-${operatorId}-`} || n, '\\x00', 0, '{}', '电脑', 'localhost'
    from generate_series(1, ${MOST_PASSKEYS}) n`);
  const answer = { id: "next", response: {} };
  const confirm = { body: { name: "手机", answer } };
  const confirmed = await testServer.call(secondFactorContract.confirmPasskey, person, confirm);
  expect(confirmed.errMsg).toBe(errorText("PASSKEY_LIMIT", { max: MOST_PASSKEYS }));
});

describe("guessing", () => {
  const outcomesOf = async (person: Person) => {
    const query = { username: person.username };
    const log = await testServer.call(loginLogContract.list, person, { query });
    return log.data.list.map(({ outcome }) => outcome);
  };

  it("sign-in log: has each block once, however many tries it refuses", async () => {
    const { person } = await makePerson();
    await setUp(person);
    const waiting = as(person, await login(person));
    for (let at = 0; at < 9; at++) await prove(waiting, { code: String(100_000 + at) });
    const blocked = ["THROTTLED", ...Array(5).fill("SECOND_STEP_WRONG")];
    expect(await outcomesOf(person)).toEqual([...blocked, "SIGNED_IN"]);
    await run(sql`update sign_in_throttle set blocked_until = now()`);
    for (let at = 0; at < 3; at++) await prove(waiting, { code: String(200_000 + at) });
    const again = ["THROTTLED", "SECOND_STEP_WRONG"];
    expect(await outcomesOf(person)).toEqual([...again, ...blocked, "SIGNED_IN"]);
  });

  it("concurrent tries: no more codes are compared than one after the other", async () => {
    const { person } = await makePerson();
    await setUp(person);
    const sessions = [as(person, await login(person)), as(person, await login(person))];
    const tries = Array.from({ length: 20 }, (_, at) =>
      prove(sessions[at % 2] as Person, { code: String(100_000 + at) }),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter(({ errMsg }) => errMsg.includes("没有通过"))).toHaveLength(4);
    const outcomes = await outcomesOf(person);
    expect(outcomes.filter((outcome) => outcome === "SECOND_STEP_WRONG")).toHaveLength(5);
  });
});

describe("recent proof", () => {
  it("sensitive call: asks an account without second factor for its password", async () => {
    const { person } = await makePerson();
    const session = as(person, await login(person));
    const body = { name: "夜班", remark: "", storeScope: "ALL", storeIds: [], entryIds: [] };
    expect((await testServer.call(roleContract.create, session, { body })).errMsg).toBe("");
    await ageProof(person);
    const again = { body: { ...body, name: "白班" } };
    expect((await testServer.call(roleContract.create, session, again)).status).toBe(403);
    expect((await prove(session, { password: "wrong password" })).errMsg).toContain("没有通过");
    expect((await prove(session, { password: PASSWORD })).errMsg).toBe("");
    expect((await testServer.call(roleContract.create, session, again)).errMsg).toBe("");
  });

  it("a change of the password needs the factor, and carries its proof over", async () => {
    const { person } = await makePerson();
    const { secret } = await setUp(person);
    const change = (session: Person, from: string, to: string) =>
      testServer.call(authContract.changePassword, session, {
        body: { oldPassword: from, newPassword: to },
      });
    await ageProof(person);
    const next = "harbour-lantern-9917";
    expect((await change(person, PASSWORD, next)).errCode).toBe("PROOF_DUE");
    expect((await prove(person, { code: codeAt(secret) })).errMsg).toBe("");
    await run(sql`
      update session set proven_at = now() - interval '14 minutes'
      where operator_id = ${person.operatorId}`);
    const changed = await change(person, PASSWORD, next);
    expect(changed.errMsg).toBe("");
    await run(sql`
      update session set proven_at = proven_at - interval '2 minutes'
      where operator_id = ${person.operatorId}`);
    const removed = await testServer.call(
      secondFactorContract.removeTotp,
      as(person, changed.data),
    );
    expect(removed.errCode).toBe("PROOF_DUE");
  });

  it("counts for as long as the tenant has chosen", async () => {
    const { person, tenantId } = await makePerson();
    await run(sql`
      insert into tenant_setting (tenant_id, proof_minutes, edited_by) values (${tenantId}, 5, '')`);
    const renew = () => testServer.call(secondFactorContract.beginTotp, person);
    expect((await renew()).errMsg).toBe("");
    await run(sql`
      update session set proven_at = now() - interval '6 minutes'
      where operator_id = ${person.operatorId}`);
    expect((await renew()).errCode).toBe("PROOF_DUE");
    await run(sql`update tenant_setting set proof_minutes = 10 where tenant_id = ${tenantId}`);
    expect((await renew()).errMsg).toBe("");
  });

  it("missing permission: is told before a proof is asked for", async () => {
    const { people } = await testServer.makeTenant();
    await ageProof(people[2]);
    const body = { name: "夜班", remark: "", storeScope: "ALL", storeIds: [], entryIds: [] };
    const refused = await testServer.call(roleContract.create, people[2], { body });
    expect(refused.errMsg).toBe("没有权限访问该资源");
  });
});

describe("role that demands it", () => {
  it("members must set it up first, and cannot remove the last factor", async () => {
    const { person } = await makePerson();
    await run(sql`
      update role set needs_second_factor = true where tenant_id = ${person.tenantId}`);
    const signedIn = await login(person);
    expect(signedIn.secondStep).toBe("MISSING");
    const session = as(person, signedIn);
    const refused = await testServer.call(accountContract.profile, session);
    expect([refused.status, refused.errMsg]).toEqual([403, "此账号要求两步验证，请先设置"]);
    await setUp(session);
    expect((await testServer.call(accountContract.profile, session)).errMsg).toBe("");
    const removed = await testServer.call(secondFactorContract.removeTotp, session);
    expect(removed.errMsg).toContain("此账号要求两步验证");
  });

  it("administrators: their tenant's setting demands it; taking that back needs a recent proof", async () => {
    const { tenantId } = await makePerson();
    const admin = (await testServer.makeTenant()).people[0];
    await run(sql`
      update operator set password_hash = ${passwordHash}, user_type = 0 where id = ${admin.operatorId}`);
    expect((await login(admin)).secondStep).toBeUndefined();
    await demand(admin, true);
    const signedIn = await login(admin);
    expect(signedIn.secondStep).toBe("MISSING");
    const session = as(admin, signedIn);
    expect((await demand(session, false, 403)).errMsg).toContain("请先设置");
    await setUp(session);
    await ageProof(session);
    expect((await demand(session, false, 403)).errMsg).toBe("请再次验证身份后继续");
    const { secret } = await secretOf(admin);
    await prove(session, { code: codeAt(secret) });
    await demand(session, false);
    const others = await testServer.database.read("platform", (db) =>
      db.many(sql`select 1 from operator where tenant_id = ${tenantId} and needs_second_factor`),
    );
    expect(others).toEqual([]);
  });

  it("role: saved with the demand, kept by an update that does not name it", async () => {
    const { person } = await makePerson();
    const draft = { name: "收银", remark: "", storeScope: "ALL", storeIds: [], entryIds: [] };
    const body = { ...draft, needsSecondFactor: true };
    const { data } = await testServer.call(roleContract.create, person, { body });
    const params = { id: data.id };
    await testServer.call(roleContract.update, person, {
      params,
      body: { ...draft, editVersion: 1 },
    });
    const role = await testServer.call(roleContract.get, person, { params });
    expect(role.data.needsSecondFactor).toBe(true);
  });
});

async function demand(admin: Person, adminsNeedFactor: boolean, status = 200) {
  const body = {
    ...{ isHint: true, tellsOverdue: true, servicePhone: "", openingHours: "", smsSign: "" },
    ...{ logoId: null, mapKey: "", adminsNeedFactor },
    editVersion: await editVersionOf(admin),
  };
  const reply = await testServer.call(tenantSettingContract.saveSetting, admin, { body });
  expect([reply.status, reply.errMsg === ""]).toEqual([status, status === 200]);
  return reply;
}

async function editVersionOf({ tenantId }: Person): Promise<number> {
  const row = await testServer.database.read("platform", (db) =>
    db.maybe<{ editVersion: number }>(
      sql`select edit_version from tenant_setting where tenant_id = ${tenantId}`,
    ),
  );
  return row?.editVersion ?? 0;
}

describe("another account", () => {
  it("clears it for somebody who lost the phone: sessions end, the password alone signs in", async () => {
    const { tenantId, person } = await makePerson();
    await setUp(person);
    const platform = (await testServer.makeTenant(1)).people[0];
    const params = { id: person.operatorId };
    const listed = await testServer.call(operatorContract.get, platform, { params });
    expect(listed.data).toMatchObject({ tenantId, hasSecondFactor: true });
    const body = { reason: "手机丢失，已视频核实身份" };
    const cleared = await testServer.call(operatorContract.clearSecondFactor, platform, {
      params,
      body,
    });
    expect(cleared.errMsg).toBe("");
    expect((await testServer.call(accountContract.profile, person)).status).toBe(401);
    expect((await login(person)).secondStep).toBeUndefined();
    const again = await testServer.call(operatorContract.clearSecondFactor, platform, {
      params,
      body,
    });
    expect(again.errMsg).toContain("没有设置两步验证");
  });

  it("cannot confirm, use or remove the factors of others", async () => {
    const { person } = await makePerson();
    const other = (await makePerson()).person;
    await setUp(person);
    expect((await testServer.call(secondFactorContract.removeTotp, other)).errMsg).toContain(
      "不存在",
    );
    expect((await testServer.call(secondFactorContract.get, other)).data).toMatchObject({
      hasTotp: false,
    });
    expect((await login(person)).secondStep).toBe("DUE");
  });
});
