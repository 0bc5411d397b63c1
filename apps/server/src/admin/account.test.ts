// `./storage account`: the machine's administrator lets a person in again, on the record.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { beforeAll, expect, test } from "vitest";
import { signIn } from "../../../../tests/support/sign-in.ts";
import { runStorage } from "../../../../tests/support/storage-command.ts";
import { type Person, useTestServer } from "../../../../tests/support/test-server.ts";
import { sql } from "../platform/db/sql.ts";

const testServer = useTestServer();
let administrator: Person;
let staff: Person;

beforeAll(async () => {
  administrator = (await testServer.makeTenant(1)).people[0];
  staff = (await testServer.makeTenant()).people[1];
});

const account = (...args: string[]) =>
  runStorage(testServer, ["account", ...args], { env: { SUDO_USER: "operator" } });
const change = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

/** Newest entry about the person, read by another administrator. */
async function lastEntry(person: Person) {
  const reader = (await testServer.makeTenant(1)).people[0];
  const query = { page: 1, pageSize: 10, target: person.username };
  const { data } = await testServer.call(auditContract.list, reader, { query });
  const [entry] = data.list;
  if (!entry) return null;
  return (await testServer.call(auditContract.get, reader, { params: { id: entry.id } })).data;
}

test("reset: prints a password that opens the account once, ends its sessions, and is on the record", async () => {
  const reset = await account("reset", administrator.username.toUpperCase());
  expect(reset.code).toBe(0);
  const [, password = ""] = /一次性密码：(\S+)/.exec(reset.text) ?? [];
  const old = await testServer.call(accountContract.profile, administrator);
  expect(old.status).toBe(401);
  expect(await lastEntry(administrator)).toMatchObject({
    actorName: "主机",
    call: "storage account reset",
    tenantId: 1,
    reason: "主机上的用户 operator",
  });
  const { username } = administrator;
  const { data } = await signIn(testServer, { username, password });
  expect(data).toMatchObject({ username, mustChangePassword: true });
  const [row] = await testServer.database.read("platform", (db) =>
    db.many<{ lasts: number }>(sql`
      select extract(epoch from first_password_until - now()) / 86400 as lasts from operator
      where id = ${administrator.operatorId}`),
  );
  expect(Number(row?.lasts)).toBeGreaterThan(1);
});

test("reset: a wrong name and a wrong command line change nothing", async () => {
  expect(await account("reset", "nobody-here")).toMatchObject({
    code: 1,
    text: expect.stringContaining("账号"),
  });
  for (const args of [["reset"], ["begin", "a"], ["list", "x"]]) {
    expect(await account(...args), args.join(" ")).toMatchObject({
      code: 1,
      text: expect.stringContaining("account reset 账号"),
    });
  }
});

test("unlock: an account with too many wrong passwords can sign in again", async () => {
  const { username } = staff;
  const address = "198.51.100.77";
  for (let attempt = 0; attempt < 6; attempt++) {
    await signIn(testServer, { username, password: "wrong-password-1" }, { address });
  }
  const blocked = await signIn(testServer, { username, password: "wrong" }, { address });
  expect(blocked.errCode ?? blocked.errMsg).toMatch(/THROTTLED|过多|稍后/);
  expect((await account("list", String(staff.tenantId))).text).toContain("登录受限");
  expect(await account("unlock", username)).toMatchObject({ code: 0 });
  expect((await account("list", String(staff.tenantId))).text).not.toContain("登录受限");
  expect(await lastEntry(staff)).toMatchObject({ call: "storage account unlock" });
});

test("remove-second-factor: the account has none, and the tenant sees who did it", async () => {
  const { tenantId, operatorId, username } = staff;
  await change(sql`
    insert into totp (tenant_id, operator_id, sealed_secret, confirmed_at)
    values (${tenantId}, ${operatorId}, 'x', now())`);
  await change(sql`update operator set has_second_factor = true where id = ${operatorId}`);
  expect((await account("list", String(tenantId))).text).toMatch(
    new RegExp(`${username}.*有两步验证`),
  );
  expect(await account("remove-second-factor", username)).toMatchObject({ code: 0 });
  expect((await account("list", String(tenantId))).text).not.toContain("有两步验证");
  expect(await lastEntry(staff)).toMatchObject({
    call: "storage account remove-second-factor",
    tenantId,
    isByPlatform: true,
  });
  expect(await account("remove-second-factor", username)).toMatchObject({ code: 1 });
});
