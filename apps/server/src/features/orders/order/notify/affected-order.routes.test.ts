// Orders behind an outage: who is listed and told, once each, and never by a channel that does not exist.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { affectedOrderContract } from "@cabinet/contract/orders/order/affected-order.contract.ts";
import pg from "pg";
import { beforeEach, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../../tests/support/cabinets.ts";
import { insertSmsChannel } from "../../../../../../../tests/support/messages.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import type { OrderNews } from "../transitions/order.queue.ts";
import { notifyOrderPeople } from "./order-notice.service.ts";

const testServer = useTestServer();
const { list, notify } = affectedOrderContract;

let tenantId: number;
let operator: Person;
let staff: Person;
let cabinetId: number;
let outageId: number;

const within = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);

beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  [operator, staff] = [tenant.people[1], tenant.people[2]];
  const storeId = await makeStore(testServer, tenantId);
  const cells = [{}, {}, {}];
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId, storeId, cells }));
  const { id: otherId } = await makeCabinet(testServer, { tenantId, storeId, cells });
  const recipientId = await within((db) => insertEndUser(db, tenantId, "取件人"));
  const insert = (place: { cabinetId: number; no: number }, state: "STORED" | "PENDING") =>
    within((db) => insertOrder(db, { tenantId, ...place, state, recipientId }));
  await insert({ cabinetId, no: 1 }, "STORED");
  await insert({ cabinetId, no: 2 }, "PENDING");
  await insert({ cabinetId: otherId, no: 1 }, "STORED");
  ({ id: outageId } = await within((db) =>
    db.one<{ id: number }>(sql`
      with made as (
        insert into malfunction (tenant_id, store_id, kind, severity)
        select tenant_id, store_id, 'OFFLINE', 'SEVERE' from cabinet where id = ${cabinetId}
        returning tenant_id, id)
      insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id, back_at)
      select tenant_id, id, cabinet_id, back_at from made, (values (${cabinetId}::bigint, null),
        (${otherId}::bigint, now())) as gone (cabinet_id, back_at)
      returning malfunction_id as id`),
  ));
});

const listed = async (as = operator) =>
  (await testServer.call(list, as, { params: { id: outageId } })).data;
const notifyAll = (as = operator) => testServer.call(notify, as, { params: { id: outageId } });
const turnSms = (isOn: boolean) =>
  within((db) =>
    isOn
      ? insertSmsChannel(db, "平台")
      : db.run(sql`update sms_channel set is_on = false`).then(() => {}),
  );

/** Carries out the queued notices, as the worker does; the queue belongs to the owner of the database. */
async function sendQueued(): Promise<void> {
  const owner = new pg.Client({ connectionString: testServer.url });
  await owner.connect();
  const { rows } = await owner.query<{ payload: OrderNews }>(`
    select payload from graphile_worker._private_jobs
    where payload->>'scene' = 'OUTAGE' and (payload->>'tenantId')::int = ${tenantId}`);
  await owner.end();
  expect(rows).toHaveLength(2);
  for (const { payload } of rows) await notifyOrderPeople(testServer.database, payload);
}

const texts = () =>
  within((db) =>
    db.many<{ scene: string }>(sql`select scene from sms_message where tenant_id = ${tenantId}`),
  );

it("lists the live orders at the cabinets that are still gone, with masked phones", async () => {
  const { list: rows, toNotify } = await listed();
  expect(rows).toMatchObject([
    { compartmentNo: 1, state: "STORED", notifiedAt: null },
    { compartmentNo: 2, state: "PENDING" },
  ]);
  expect(rows[0]?.recipient).toMatchObject({ name: "取件人", phone: expect.stringContaining("*") });
  expect(toNotify).toBe(1);
  const stranger = (await testServer.makeTenant()).people[0];
  const params = { id: outageId };
  expect(await testServer.call(list, stranger, { params })).toMatchObject({ errCode: "NOT_FOUND" });
  // Without the store.
  expect(await testServer.call(list, staff, { params })).toMatchObject({ errCode: "NOT_FOUND" });
});

it("tells each recipient whose goods wait there once, on the record", async () => {
  await turnSms(true);
  expect(await notifyAll()).toMatchObject({ code: 0, data: { notified: 1 } });
  // Pressed again before the worker has sent anything.
  await notifyAll();
  await sendQueued();
  expect(await texts()).toEqual([{ scene: "OUTAGE" }]);
  const { list: rows, toNotify } = await listed();
  expect(rows[0]?.notifiedAt).toEqual(expect.any(String));
  expect(toNotify).toBe(0);
  expect(await notifyAll()).toMatchObject({ errCode: "NOBODY_TO_NOTIFY" });
  const entries = await findAudit(testServer, tenantId);
  expect(entries).toContainEqual(
    expect.objectContaining({ target: `故障 #${outageId}`, after: { notified: 1 } }),
  );
});

it("refuses without a way to send, and once the malfunction has ended", async () => {
  await turnSms(false);
  expect(await notifyAll()).toMatchObject({ errCode: "NOTICE_NOT_SENDABLE" });
  await turnSms(true);
  const body = { ids: [outageId], reason: "已恢复" };
  expect(await testServer.call(malfunctionContract.ignore, operator, { body })).toMatchObject({
    code: 0,
  });
  expect(await notifyAll()).toMatchObject({ errCode: "MALFUNCTION_NOT_NOW" });
});
