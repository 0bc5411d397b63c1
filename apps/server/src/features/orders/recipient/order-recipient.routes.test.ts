// 更正取件人: a new code for the right phone, word to the wrong one, and a refusal for each state in which it could do harm.
import { randomUUID } from "node:crypto";
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { orderRecipientContract } from "@cabinet/contract/orders/order/order-recipient.contract.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { insertSmsChannel } from "../../../../../../tests/support/messages.ts";
import {
  anyPhone,
  insertEndUser,
  insertOrder,
  insertStoredOrder,
  type OrderFixture,
} from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let cabinetId: number;
let storeId: number;
let wrongId: number;

const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);
const one = <Row extends object>(statement: Sql) => inTenant((db) => db.one<Row>(statement));
const run = (statement: Sql) => inTenant((db) => db.run(statement));

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
  const cells = Array.from({ length: 4 }, () => ({ occupancy: "OCCUPIED" }) as const);
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId, storeId, cells }));
  await run(sql`update cabinet set is_greeted = true where tenant_id = ${tenantId}`);
  wrongId = await inTenant((db) => insertEndUser(db, tenantId, "王丹"));
  await inTenant((db) => insertSmsChannel(db, "平台"));
});

const made = (more: Partial<OrderFixture> = {}) =>
  inTenant((db) =>
    insertOrder(db, { tenantId, cabinetId, storeId, recipientId: wrongId, ...more }),
  );
const change = (id: number, phone: string, more = {}, as = people[1]) =>
  testServer.call(orderRecipientContract.change, as, {
    params: { id },
    body: { phone, seenRecipientId: wrongId, reason: "收件人号码填错", ...more },
    headers: { "idempotency-key": randomUUID() },
  });
const stateOf = (id: number) =>
  one<{ recipientId: number; code: string }>(sql`
    select ord.recipient_id, encode(live_order.code_hash, 'hex') as code from storage_order ord
    left join live_order on live_order.order_id = ord.id where ord.id = ${id}`);
const phoneOf = async (id: number) =>
  (await one<{ phone: string }>(sql`select phone from end_user where id = ${id}`)).phone;

it("recipient: a corrected phone gets a new code, the former one is told, and the old code is dead", async () => {
  const id = await made({ storedMinutesAgo: 150 });
  const before = await stateOf(id);
  const phone = anyPhone();
  expect((await change(id, ` +86 ${phone}`)).errMsg).toBe("");
  const after = await stateOf(id);
  expect(after.code).not.toBe(before.code);
  expect(await phoneOf(after.recipientId)).toBe(phone);

  const { data } = await testServer.call(smsContract.history, people[1], {
    query: { orderId: String(id) },
  });
  const tails = data.list.map(({ scene, phone: masked }) => [scene, masked.slice(-4)]);
  expect(tails.toSorted()).toEqual([
    ["PICKUP_CODE", phone.slice(-4)],
    ["RECIPIENT_CHANGED", (await phoneOf(wrongId)).slice(-4)],
  ]);
  const timeline = await testServer.call(orderContract.timeline, people[1], { params: { id } });
  const masked = phone.replace(/(?<=^\d{3})\d{4}/, "****");
  expect(timeline.data.find(({ text }) => text === "更正取件人")).toMatchObject({
    actorName: people[1].username,
    note: expect.stringMatching(new RegExp(`→ ${masked.replaceAll("*", "\\*")}，收件人号码填错$`)),
  });
  const audits = await findAudit(testServer, tenantId);
  expect(audits.at(-1)).toMatchObject({
    target: expect.stringContaining(`订单 ${id}`),
    reason: "收件人号码填错",
    after: { phone: masked },
  });
  expect(JSON.stringify([audits, timeline.data])).not.toContain(phone);

  // The fee goes on, and is owed by the new recipient, whose wallet is empty.
  const { data: order } = await testServer.call(orderContract.get, people[1], { params: { id } });
  expect(order).toMatchObject({ priceFen: 300, shortFen: 300, recipient: { phone: masked } });
});

it("recipient: a known person keeps name and account; without a channel staff can read the new code", async () => {
  await run(sql`update sms_channel set is_on = false`);
  const rightId = await inTenant((db) => insertEndUser(db, tenantId, "王单"));
  const id = await made();
  expect((await change(id, await phoneOf(rightId))).errMsg).toBe("");
  expect((await stateOf(id)).recipientId).toBe(rightId);
  const { data } = await testServer.call(orderContract.showCode, people[1], {
    params: { id },
    body: { reason: "告知取件人" },
  });
  expect(data.code).toMatch(/^\d{6}$/);
});

describe("recipient: refused, and nothing changes,", () => {
  const refused = async (id: number, text: string, phone = anyPhone(), more = {}) => {
    const before = await stateOf(id);
    expect((await change(id, phone, more)).errMsg).toContain(text);
    expect(await stateOf(id)).toEqual(before);
  };

  it("in every state but 待取件 and 已滞留", async () => {
    for (const state of ORDER_STATES) {
      if (state === "STORED" || state === "OVERDUE") continue;
      const id = await made({ state, ...(state === "PENDING" && { storedMinutesAgo: null }) });
      await refused(id, "不能更正取件人");
      await run(sql`delete from live_order where tenant_id = ${tenantId}`);
    }
  });

  it("while an opening runs", async () => {
    const id = await made();
    const opened = await testServer.call(orderActionContract.open, people[1], {
      params: { id },
      body: { purpose: "PICKUP", waives: false, reason: "用户来电" },
    });
    expect(opened.errMsg).toBe("");
    await refused(id, "正在开门");
    // Nobody knows what became of it.
    await run(sql`
      update command set state = 'UNKNOWN', settled_at = now(), order_seen = 'UNKNOWN'
      where order_id = ${id}`);
    await run(sql`
      update live_order set doubt_id = (select id from command where order_id = ${id} limit 1)
      where order_id = ${id}`);
    await refused(id, "最近一次开门的结果待核实");
  });

  it("while money is held for the former recipient, or a card of theirs has paid", async () => {
    const held = await made();
    await run(sql`
      insert into wallet_hold (tenant_id, end_user_id, order_id, principal_fen, bonus_fen, state)
      values (${tenantId}, ${wrongId}, ${held}, 100, 0, 'HELD')`);
    await refused(held, "最近一次开门的结果待核实");
    const place = { tenantId, cabinetId, storeId };
    const { orderId, endUserId, userPackageId } = await inTenant((db) =>
      insertStoredOrder(db, place, "王丹"),
    );
    await run(sql`
      update storage_order set covered_fen = 100, user_package_id = ${userPackageId}
      where id = ${orderId}`);
    await refused(orderId, "套餐已抵扣本订单", anyPhone(), { seenRecipientId: endUserId });
  });

  it("for the same phone, for a recipient seen before another correction, and for a landline", async () => {
    const id = await made();
    await refused(id, "新手机号与现在的相同", await phoneOf(wrongId));
    await refused(id, "修改", anyPhone(), { seenRecipientId: wrongId + 1 });
    await refused(id, "手机号", "057188001234");
  });

  it("for maintenance staff, another tenant, and without a reason", async () => {
    const id = await made();
    const { people: others } = await testServer.makeTenant();
    const before = await stateOf(id);
    expect((await change(id, anyPhone(), {}, people[2])).status).toBe(403);
    expect((await change(id, anyPhone(), {}, others[1])).errMsg).toContain("订单不存在");
    expect((await change(id, anyPhone(), { reason: " " })).code).toBe(1);
    expect(await stateOf(id)).toEqual(before);
  });

  it("as often as codes of the order are sent", async () => {
    const id = await made();
    expect((await change(id, anyPhone())).errMsg).toBe("");
    const { recipientId } = await stateOf(id);
    const again = await change(id, anyPhone(), { seenRecipientId: recipientId });
    expect(again.status).toBe(429);
    expect((await stateOf(id)).recipientId).toBe(recipientId);
  });
});

it("recipient: two corrections at once: one wins, the other is told", async () => {
  const id = await made();
  const replies = await Promise.all([change(id, anyPhone()), change(id, anyPhone())]);
  expect(replies.filter(({ code }) => code === 0)).toHaveLength(1);
});
