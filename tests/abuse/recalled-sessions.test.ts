// Recalled sessions: a read in the same round trip as its session's check. No session that ended or changed since its last
// request gets anything by it.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { beforeEach, expect, it } from "vitest";
import { type Sql, sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeCabinet } from "../support/cabinets.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
let person: Person;
let sn: string;

/** A change by somebody else: this process is not notified. */
const change = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));
const list = (query: object = {}) => testServer.call(cabinetContract.list, person, { query });
const ownAccount = () => sql`tenant_id = ${person.tenantId} and id = ${person.operatorId}`;
const ownSession = () => sql`tenant_id = ${person.tenantId} and operator_id = ${person.operatorId}`;

beforeEach(async () => {
  const { id: tenantId, people } = await testServer.makeTenant();
  person = people[1];
  ({ sn } = await makeCabinet(testServer, { tenantId }));
  const first = await list();
  expect(first.data.list).toMatchObject([{ sn }]);
});

it("one connection for a call whose session was found before, and the same rows", async () => {
  let taken = 0;
  const count = () => taken++;
  testServer.database.pool.on("acquire", count);
  expect((await list()).data.list).toMatchObject([{ sn }]);
  testServer.database.pool.off("acquire", count);
  expect(taken).toBe(1);
});

it("ended: refused, with nothing of the rows that were read, nor of what is wrong with the call", async () => {
  await change(sql`delete from session where ${ownSession()}`);
  for (const query of [{}, { pageSize: 7 }, { unknown: 1 }]) {
    const reply = await list(query);
    expect(reply).toMatchObject({ status: 401 });
    expect(JSON.stringify(reply)).not.toContain(sn);
    expect(reply.errMsg).not.toContain("unknown");
  }
});

it("ended between two calls that were sent together: none is answered by the other's check", async () => {
  const [before] = await Promise.all([
    list(),
    change(sql`delete from session where ${ownSession()}`),
  ]);
  expect([200, 401]).toContain(before.status);
  const after = await Promise.all(Array.from({ length: 8 }, () => list()));
  expect(after.map(({ status }) => status)).toEqual(Array(8).fill(401));
});

it("idle for 30 minutes, or its tenant suspended: refused", async () => {
  await change(sql`update tenant set state = 'SUSPENDED' where id = ${person.tenantId}`);
  expect(await list()).toMatchObject({ status: 499 });
  await change(sql`update tenant set state = 'ACTIVE' where id = ${person.tenantId}`);
  expect(await list()).toMatchObject({ status: 200 });
  await change(
    sql`update session set last_seen_at = now() - interval '31 minutes' where ${ownSession()}`,
  );
  expect(await list()).toMatchObject({ status: 401 });
});

it("permission withdrawn: refused at once; granted again: allowed at once", async () => {
  const permissions = (value: Sql) =>
    change(sql`update operator set permissions = ${value} where ${ownAccount()}`);
  await permissions(sql`array_remove(permissions, 'cabinet:read')`);
  expect(await list()).toMatchObject({ status: 403 });
  await permissions(sql`permissions || '{cabinet:read}'::text[]`);
  expect((await list()).data.list).toMatchObject([{ sn }]);
});

it("bound to stores since its last request: the rows that the old scope allows are not sent", async () => {
  await change(sql`update operator set is_store_bound = true where ${ownAccount()}`);
  expect((await list()).data.list).toEqual([]);
});

it("activity is counted; a tenant header of another tenant is refused", async () => {
  await change(
    sql`update session set last_seen_at = now() - interval '5 minutes' where ${ownSession()}`,
  );
  await list();
  const [session] = await testServer.database.read("platform", (db) =>
    db.many<{ isRecent: boolean }>(sql`
      select last_seen_at > now() - interval '1 minute' as is_recent from session
      where ${ownSession()}`),
  );
  expect(session).toEqual({ isRecent: true });
  const foreign = await testServer.call(cabinetContract.list, person, {
    headers: { tenantid: "1" },
  });
  expect(foreign.status).not.toBe(200);
});
