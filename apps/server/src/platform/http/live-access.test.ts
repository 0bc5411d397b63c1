// Tests the live channel over the real app: which sessions receive an event.
import { contracts } from "@cabinet/contract/contracts.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { LIVE_PATH, type LiveEvent, topicPermissions } from "@cabinet/contract/live/live.rules.ts";
import { beforeEach, expect, test } from "vitest";
import { makeCabinet, makeStore } from "../../../../../tests/support/cabinets.ts";
import { type LiveChannel, openLive } from "../../../../../tests/support/live.ts";
import { makePerson } from "../../../../../tests/support/people.ts";
import { type Person, useTestServer } from "../../../../../tests/support/test-server.ts";
import { sql } from "../db/sql.ts";
import { pushLive } from "./live.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
});

const publish = (...events: LiveEvent[]) =>
  testServer.database.transaction({ tenantId }, async (db) => {
    for (const event of events) await pushLive(db, { ...event, tenantId });
  });

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

/** Every session receives this topic: an event that has not arrived before it is not coming. */
const last: LiveEvent = { topic: "setting", cabinetId: null };

async function receivedBy(channel: LiveChannel): Promise<LiveEvent[]> {
  await expect.poll(() => channel.events).toContainEqual(last);
  return channel.events.splice(0).slice(0, -1);
}

const event = (topic: LiveEvent["topic"], cabinetId: number | null): LiveEvent => ({
  topic,
  cabinetId,
});

test("live channel: a store-bound account receives only the events of its stores' cabinets", async () => {
  const mine = await makeStore(testServer, tenantId, [people[2].operatorId]);
  const other = await makeStore(testServer, tenantId);
  const near = await makeCabinet(testServer, { tenantId, storeId: mine });
  const far = await makeCabinet(testServer, { tenantId, storeId: other });
  const homeless = await makeCabinet(testServer, { tenantId });
  const bound = await openLive(testServer, people[2]);
  const whole = await openLive(testServer, people[1]);
  const events = [near, far, homeless].flatMap(({ id }) => [
    event("cabinet", id),
    event("command", id),
  ]);
  await publish(...events, event("cabinet", null), last);
  expect(await receivedBy(bound)).toEqual([
    ...[event("cabinet", near.id), event("command", near.id), event("cabinet", null)],
  ]);
  expect(await receivedBy(whole)).toEqual([...events, event("cabinet", null)]);
  bound.close();
  whole.close();
});

test("live channel: a store assigned while it is open takes effect with the next event", async () => {
  await makeStore(testServer, tenantId, [people[2].operatorId]);
  const other = await makeStore(testServer, tenantId);
  const far = await makeCabinet(testServer, { tenantId, storeId: other });
  const bound = await openLive(testServer, people[2]);
  await run(sql`
    insert into operator_store (tenant_id, operator_id, store_id)
    values (${tenantId}, ${people[2].operatorId}, ${other})`);
  await publish(event("access", null));
  await expect
    .poll(async () => {
      await publish(event("cabinet", far.id), last);
      return receivedBy(bound);
    })
    .toContainEqual(event("cabinet", far.id));
  bound.close();
});

test("live channel: an account receives the topics that it may read", async () => {
  const nobody = await openLive(testServer, await makePerson(testServer, tenantId));
  const { id } = await makeCabinet(testServer, { tenantId });
  await publish(event("cabinet", id), event("order", id), event("callback", null), last);
  expect(await receivedBy(nobody)).toEqual([]);
  nobody.close();
});

test("live channel: an account that must change its password is refused", async () => {
  await run(sql`
    update operator set must_change_password = true
    where tenant_id = ${tenantId} and id = ${people[1].operatorId}`);
  const { token } = people[1];
  const reply = await testServer.app.inject({ url: LIVE_PATH, headers: { "auth-token": token } });
  expect([reply.statusCode, reply.json().errMsg]).toEqual([403, "首次登录请先修改密码"]);
});

test("live channel: every permission of a topic exists on some call", () => {
  const specs: EndpointSpec[] = Object.values(contracts).flatMap((calls) => Object.values(calls));
  const known = new Set<string>(specs.map(({ access }) => access));
  const named = Object.values(topicPermissions).flatMap((permissions) => permissions ?? []);
  expect(named.filter((permission) => !known.has(permission))).toEqual([]);
});
