// Race between a password reset and a sign-in or change with the old password: no session survives
// it.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { countWaiting, mayIdle } from "../../../../../../tests/support/waiting.ts";
import { Database } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { hashPassword } from "./password.crypto.ts";

const testServer = useTestServer();
const OLD = "correct horse 42";
let person: Person;

beforeEach(async () => {
  person = (await testServer.makeTenant()).people[1];
  const hash = await hashPassword(OLD);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update operator set password_hash = ${hash} where id = ${person.operatorId}`),
  );
});

const isSomebodyWaiting = async () => (await countWaiting(testServer.database)) > 0;

/** Keeps the reset uncommitted until the request started by `begin` waits for its lock. */
async function resetMeanwhile<Result>(begin: () => Promise<Result>): Promise<Result> {
  const { tenantId, operatorId } = person;
  const begun = await testServer.database.transaction("platform", async (db) => {
    await mayIdle(db);
    await db.run(sql`
      update operator set password_hash = 'another', must_change_password = true
      where tenant_id = ${tenantId} and id = ${operatorId}`);
    await db.run(sql`
      delete from session where tenant_id = ${tenantId} and operator_id = ${operatorId}`);
    const outcome = begin();
    await vi.waitFor(async () => expect(await isSomebodyWaiting()).toBe(true), 12_000);
    return { outcome };
  });
  return begun.outcome;
}

async function expectNothingOpen() {
  const { sessions } = await testServer.database.read("platform", (db) =>
    db.one<{ sessions: number }>(sql`
      select count(*)::int as sessions from session
      where tenant_id = ${person.tenantId} and operator_id = ${person.operatorId}`),
  );
  expect(sessions).toBe(0);
}

test("sign-in with the old password during a reset: refused", async () => {
  const { username } = person;
  const reply = await resetMeanwhile(() => signIn(testServer, { username, password: OLD }));
  expect(reply).toMatchObject({ code: 1, errMsg: "账号或密码不正确" });
  await expectNothingOpen();
});

test("password change with the old password during a reset: refused", async () => {
  const reply = await resetMeanwhile(() =>
    testServer.call(authContract.changePassword, person, {
      body: { oldPassword: OLD, newPassword: "another walnut harbour 43" },
    }),
  );
  expect(reply.errMsg).toContain("原密码");
  await expectNothingOpen();
});

test("password change: its transaction begins after its Argon2 slot", async () => {
  const AHEAD = 10;
  let finished = 0;
  const ahead = Array.from({ length: AHEAD }, async () => {
    await hashPassword(OLD);
    finished++;
  });
  const finishedAtBegin: number[] = [];
  const { transaction } = Database.prototype;
  vi.spyOn(Database.prototype, "transaction").mockImplementation(function (
    this: Database,
    ...given
  ) {
    const [scope] = given;
    // A retry of an earlier test's person may still be under way.
    const isOwn = typeof scope === "object" && scope.tenantId === person.tenantId;
    if (isOwn) finishedAtBegin.push(finished);
    return transaction.apply(this, given);
  });
  const body = { oldPassword: OLD, newPassword: "another walnut harbour 43" };
  const reply = await testServer.call(authContract.changePassword, person, { body });
  vi.restoreAllMocks();
  await Promise.all(ahead);
  expect(reply).toMatchObject({ code: 0 });
  expect(finishedAtBegin).toHaveLength(1);
  // Its comparison and its hash each wait for one of two slots, in turn with those ahead.
  expect(finishedAtBegin[0]).toBeGreaterThanOrEqual(2);
});
