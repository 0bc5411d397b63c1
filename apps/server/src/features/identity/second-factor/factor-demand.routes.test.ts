// Demand of a second factor from the first sign-in (0143): for whom, what a session without one may do, and dated exceptions.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { MOST_EXEMPT_DAYS } from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit } from "../../../../../../tests/support/cabinets.ts";
import { makePerson } from "../../../../../../tests/support/people.ts";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { hashPassword } from "../auth/index.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let staff: Person;

const run = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

beforeEach(async () => {
  ({
    people: { 0: staff },
  } = await testServer.makeTenant(1));
  ({ id: tenantId, people } = await testServer.makeTenant());
  await run(sql`update tenant set factor_exempt_until = null where id = ${tenantId}`);
});

const profile = (as: Person) => testServer.call(accountContract.profile, as);
const isLimited = async (as: Person) => (await profile(as)).errCode === "SECOND_FACTOR_MISSING";

async function setUp(person: Person): Promise<void> {
  const { data } = await testServer.call(secondFactorContract.beginTotp, person);
  const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate();
  const confirmed = await testServer.call(secondFactorContract.confirmTotp, person, {
    body: { code },
  });
  expect(confirmed.errMsg).toBe("");
}

/** An account whose role has this permission alone. */
async function makeSpecialist(permission: string): Promise<Person> {
  const roleId = await testServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into role (tenant_id, name, store_scope) values (${tenantId}, ${permission}, 'ALL') returning id`);
    await db.run(sql`
      insert into role_menu_entry
      select ${tenantId}, ${id}, entry.id from tenant_entries(${tenantId}) entry
      where entry.permissions = array[${permission}]`);
    return id;
  });
  return makePerson(testServer, tenantId, { roleIds: [roleId] });
}

describe("account without a second factor", () => {
  it("administrators and roles with trust or money: nothing but its set-up and leaving", async () => {
    for (const person of [people[0], people[1]]) {
      expect(await isLimited(person)).toBe(true);
      const list = await testServer.call(notificationContract.list, person);
      expect([list.status, list.errCode]).toEqual([403, "SECOND_FACTOR_MISSING"]);
      const { data } = await testServer.call(secondFactorContract.get, person);
      expect(data).toMatchObject({ hasTotp: false, isDemanded: true });
      await setUp(person);
      expect((await profile(person)).errMsg).toBe("");
      const removed = await testServer.call(secondFactorContract.removeTotp, person);
      expect(removed.errCode).toBe("SECOND_FACTOR_DEMANDED");
    }
    const leaving = await makePerson(testServer, tenantId, { userType: 0 });
    expect((await testServer.call(authContract.logout, leaving)).errMsg).toBe("");
  });

  it("the platform's administrators: like others", async () => {
    const other = await makePerson(testServer, 1, { userType: 0 });
    expect(await isLimited(other)).toBe(false);
    await run(sql`update tenant set factor_exempt_until = null where id = 1`);
    expect(await isLimited(other)).toBe(true);
    await testServer.makeTenant(1);
  });

  it("sign-in says so, before anything else is answered", async () => {
    const password = "mountain-harbour-4471";
    const passwordHash = await hashPassword(password);
    const { username, operatorId } = people[0];
    await run(sql`update operator set password_hash = ${passwordHash} where id = ${operatorId}`);
    const homeDay = shanghaiDay(Date.now());
    const { data } = await signIn(testServer, { username, password, homeDay });
    expect(data).toMatchObject({ secondStep: "MISSING" });
    expect(data).not.toHaveProperty("prefetched");
  });

  it("maintenance staff and readers: not asked; one permission of trust or money is enough", async () => {
    expect(await isLimited(people[2])).toBe(false);
    expect(await isLimited(await makeSpecialist("order:open"))).toBe(false);
    for (const permission of ["wallet:write", "order:refund", "role:write"]) {
      const person = await makeSpecialist(permission);
      expect([permission, await isLimited(person)]).toEqual([permission, true]);
    }
  });
});

describe("exception", () => {
  const until = addDays(shanghaiDay(Date.now()), 7);
  const exempt = (person: Person, day: string | null, as = staff) =>
    testServer.call(operatorContract.exemptFromFactor, as, {
      params: { id: person.operatorId },
      body: { until: day, reason: "新手机下周到货" },
    });
  const exemptTenant = (day: string | null, as = staff) =>
    testServer.call(tenancyContract.exemptFromFactor, as, {
      params: { id: tenantId },
      body: { until: day, reason: "正在统一配发安全密钥" },
    });

  it("of an account: works until its last day is over, is shown and audited, and can be ended", async () => {
    expect((await exempt(people[1], until)).errMsg).toBe("");
    expect(await isLimited(people[1])).toBe(false);
    expect(await isLimited(people[0])).toBe(true);
    const params = { id: people[1].operatorId };
    const shown = (await testServer.call(operatorContract.get, staff, { params })).data;
    const end = Date.parse(shown.factorExemptUntil ?? "");
    expect(shanghaiDay(end - 1)).toBe(until);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: expect.stringContaining(people[1].username),
      reason: "新手机下周到货",
      before: { factorExemptUntil: null },
      after: { factorExemptUntil: until },
    });
    expect((await exempt(people[1], null)).errMsg).toBe("");
    expect(await isLimited(people[1])).toBe(true);
  });

  it("over: the session of a moment ago can set up a factor and nothing else", async () => {
    await exempt(people[1], until);
    expect(await isLimited(people[1])).toBe(false);
    await run(sql`
      update operator set factor_exempt_until = now() - interval '1 second'
      where id = ${people[1].operatorId}`);
    expect(await isLimited(people[1])).toBe(true);
  });

  it("of a tenant: for all its accounts", async () => {
    expect((await exemptTenant(until)).errMsg).toBe("");
    expect([await isLimited(people[0]), await isLimited(people[1])]).toEqual([false, false]);
    const { data } = await testServer.call(tenancyContract.get, staff, {
      params: { id: tenantId },
    });
    expect(shanghaiDay(Date.parse(data.factorExemptUntil ?? "") - 1)).toBe(until);
    await exemptTenant(null);
    expect(await isLimited(people[0])).toBe(true);
  });

  it("only the platform grants it, with a date that is near", async () => {
    await exemptTenant(until);
    expect((await exempt(people[1], until, people[0])).errCode).toBe("NO_PERMISSION");
    expect((await exemptTenant(until, people[0])).errCode).toBe("NO_PERMISSION");
    const today = shanghaiDay(Date.now());
    for (const day of [addDays(today, -1), addDays(today, MOST_EXEMPT_DAYS + 1)]) {
      expect((await exempt(people[1], day)).errCode).toBe("FACTOR_EXEMPTION_DAYS");
    }
    expect((await exempt(people[1], addDays(today, MOST_EXEMPT_DAYS))).errMsg).toBe("");
  });

  it("the account is reminded of its date until it has a factor; the demo's have none", async () => {
    const notices = async () =>
      (await testServer.call(notificationContract.list, people[1])).data.list
        .filter(({ kind }) => kind === "FACTOR")
        .map(({ title }) => title);
    await exempt(people[1], until);
    expect(await notices()).toEqual([`${addDays(until, 1)} 起须先设置两步验证`]);
    await setUp(people[1]);
    expect(await notices()).toEqual([]);
    await testServer.call(secondFactorContract.removeTotp, people[1]);
    await run(sql`update tenant set factor_exempt_until = 'infinity' where id = ${tenantId}`);
    expect(await notices()).toEqual([]);
  });

  it("upgrade: accounts that exist have 30 days, those with a factor need none", async () => {
    await setUp(people[0]);
    const file = "../../../../db/migrations/0128_demand_factors_from_the_first_sign_in.sql";
    const text = await readFile(path.join(import.meta.dirname, file), "utf8");
    const statement = /^update operator [^;]+;/m.exec(text)?.[0] ?? "";
    await run(sql([statement] as never));
    expect([await isLimited(people[0]), await isLimited(people[1])]).toEqual([false, false]);
    const rows = await testServer.database.read("platform", (db) =>
      db.many<{ days: number | null }>(sql`
        select round(extract(epoch from factor_exempt_until - now()) / 86400)::int as days
        from operator where tenant_id = ${tenantId} order by id`),
    );
    expect(rows.map(({ days }) => days)).toEqual([null, 30, 30]);
  });
});
