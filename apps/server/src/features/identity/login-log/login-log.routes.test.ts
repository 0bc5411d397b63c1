// Tests the sign-in log over HTTP: every attempt's outcome, and never a password.
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { pino } from "pino";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { signIn } from "../../../../../../tests/support/sign-in.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { authJobs, hashPassword } from "../auth/index.ts";

const PASSWORD = "correct horse 42";
const testServer = useTestServer();
let people: Record<0 | 1 | 2, Person>;
let platform: Person;
let nextAddress = 1;
let address = "";

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ people } = await testServer.makeTenant());
  const hash = await hashPassword(PASSWORD);
  address = `203.0.113.${nextAddress++}`;
  await change(
    sql`update operator set password_hash = ${hash} where tenant_id = ${people[1].tenantId}`,
  );
});

const change = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const enter = (username: string, password = PASSWORD) =>
  signIn(testServer, { username, password }, { address });
const list = async (as: Person, query: object = {}) =>
  (await testServer.call(loginLogContract.list, as, { query: { pageSize: 100, ...query } })).data
    .list;
const outcomes = async (as: Person, query: object = {}) =>
  (await list(as, query)).map(({ outcome }) => outcome);

it("sign-in log: lists the outcome of each attempt, newest first", async () => {
  const { username, tenantId, operatorId } = people[1];
  await enter(username.toUpperCase());
  await enter(username, "wrong password 1");
  await change(sql`update operator set disabled_at = now() where id = ${operatorId}`);
  await enter(username);
  await change(sql`update operator set disabled_at = null where id = ${operatorId}`);
  await change(sql`update tenant set expires_at = now() where id = ${tenantId}`);
  await enter(username);
  await change(sql`update tenant set expires_at = null where id = ${tenantId}`);
  expect(await outcomes(people[0])).toEqual([
    "TENANT_EXPIRED",
    "DISABLED",
    "CREDENTIALS_WRONG",
    "SIGNED_IN",
  ]);
  const [last] = await list(people[0], { outcome: "SIGNED_IN" });
  expect(last).toMatchObject({ username, address, tenantId });
  expect(await outcomes(people[0], { username: username.slice(3) })).toHaveLength(4);
  expect(await outcomes(people[0], { address: "203.0.114" })).toEqual([]);
});

it("sign-in log: also lists attempts blocked by the backoff", async () => {
  const { username } = people[1];
  for (let failure = 1; failure <= 5; failure++) await enter(username, "wrong password 1");
  await enter(username);
  expect(await outcomes(people[0])).toEqual(["THROTTLED", ...Array(5).fill("CREDENTIALS_WRONG")]);
});

it("sign-in log: masks the name typed for an unknown account and shows it to the platform only", async () => {
  const typed = `Sesam-oeffne-dich-${people[1].tenantId}`;
  await enter(typed, "wrong password 1");
  expect(await list(people[0])).toEqual([]);
  const [shown] = await list(platform, { address });
  expect(shown).toMatchObject({ username: "S***", tenantId: null, displayName: null });
  const rows = await testServer.database.read("platform", (db) =>
    db.many<{ text: string }>(sql`select login::text as text from login_log login`),
  );
  for (const { text } of rows) {
    expect(text).not.toContain(typed.slice(1));
    expect(text).not.toContain(PASSWORD);
  }
});

it("sign-in log: each tenant sees its own entries", async () => {
  await enter(people[1].username);
  const other = await testServer.makeTenant();
  expect(await list(other.people[0])).toEqual([]);
  expect(await list(other.people[0], { tenantId: people[1].tenantId })).toEqual([]);
  expect(await outcomes(platform, { tenantId: people[1].tenantId })).toEqual(["SIGNED_IN"]);
  expect((await testServer.call(loginLogContract.list, people[2])).status).toBe(403);
});

it("sign-in log: entries are kept for a year", async () => {
  const { tenantId, operatorId, username } = people[2];
  await change(sql`
    insert into login_log (tenant_id, operator_id, username, outcome, at)
    select ${tenantId}, ${operatorId}, ${username}, 'DISABLED', now() - make_interval(days => d)
    from unnest(array[1, 364, 367]) d`);
  const log = pino({ level: "silent" });
  await authJobs.tasks["auth.deleteExpired"]?.({}, { database: testServer.database, log });
  const { data } = await testServer.call(loginLogContract.list, people[0], { query: { username } });
  const days = data.list.map(({ at }) => Math.round((Date.now() - Date.parse(at)) / 86_400_000));
  expect(days).toEqual([1, 364]);
});
