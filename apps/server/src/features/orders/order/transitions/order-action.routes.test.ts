// Operators' order actions over HTTP on a real PostgreSQL: effects, refusals, audit entries.
import { randomUUID } from "node:crypto";
import { templateContract } from "@cabinet/contract/messaging/template/template.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../../tests/support/cabinets.ts";
import { insertSmsChannel } from "../../../../../../../tests/support/messages.ts";
import {
  insertEndUser,
  insertOrder,
  insertPayment,
  type OrderFixture,
} from "../../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { openSmsText } from "../../../messaging/sms/index.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;
let cabinetId: number;
let storeId: number;
let userId: number;

const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
  storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
  const cells = Array.from(
    { length: 4 },
    () => ({ occupancy: "OCCUPIED", item: "PRESENT" }) as const,
  );
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId, storeId, cells }));
  await inTenant((db) =>
    db.run(sql`update cabinet set is_greeted = true where tenant_id = ${tenantId}`),
  );
  userId = await inTenant((db) => insertEndUser(db, tenantId, "王丹"));
});

const made = (more: Partial<OrderFixture> = {}) =>
  inTenant((db) => insertOrder(db, { tenantId, cabinetId, storeId, recipientId: userId, ...more }));
const get = async (id: number) =>
  (await testServer.call(orderContract.get, operator, { params: { id } })).data;
const timeline = async (id: number) =>
  (await testServer.call(orderContract.timeline, operator, { params: { id } })).data;

type Action = keyof typeof orderActionContract;
const act = (action: Action, id: number, body: object, as = operator, headers = {}) =>
  testServer.call(orderActionContract[action], as, {
    params: { id },
    body: { reason: "用户来电要求", ...body },
    headers,
  });
const emptied = (no = 1) =>
  inTenant((db) =>
    db.run(sql`
      update compartment set item = 'EMPTY'
      where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = ${no}`),
  );
const walletFen = async () =>
  (
    await inTenant((db) =>
      db.one<{ fen: number }>(sql`
        select principal_fen + bonus_fen as fen from wallet
        where tenant_id = ${tenantId} and end_user_id = ${userId}`),
    )
  ).fen;

describe("opening", () => {
  it("sends one OPEN command for the right door, charges no wallet, and records it in timeline and audit", async () => {
    const id = await made();
    const before = await walletFen();
    const reply = await act("open", id, { purpose: "PICKUP", waives: false });
    expect(reply.errMsg).toBe("");
    expect(reply.data).toMatchObject({ kind: "OPEN", no: 1, side: "FRONT", state: "QUEUED" });
    expect(await walletFen()).toBe(before);
    const [entry] = await timeline(id);
    expect(entry).toMatchObject({
      source: "COMMAND",
      text: "取件开门：1 号格口",
      note: "用户来电要求",
      command: { id: (reply.data as { id: string }).id },
    });
    const again = await act("open", id, { purpose: "PICKUP", waives: false });
    expect(again.errMsg).toBe("1 号格口正在开门，请等待结果");
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: expect.stringContaining(`订单 ${id}`),
      reason: "用户来电要求",
      after: { purpose: "PICKUP", waives: false },
    });
  });

  it("waives the owed amount on request", async () => {
    const id = await made({ storedMinutesAgo: 150 });
    await act("open", id, { purpose: "PICKUP", waives: true });
    expect(await get(id)).toMatchObject({ priceFen: 300, waivedFen: 300 });
  });

  it("a state that needs no open door, or an offline cabinet, is refused", async () => {
    const id = await made();
    const wrong = await act("open", id, { purpose: "DEPOSIT", waives: false });
    expect(wrong).toMatchObject({ code: 1, errMsg: expect.stringContaining("待取件") });
    await inTenant((db) =>
      db.run(sql`
        update cabinet set offline_at = now() - interval '1 hour' where tenant_id = ${tenantId}`),
    );
    const away = await act("open", id, { purpose: "PICKUP", waives: false });
    expect(away.errMsg).toContain("设备不在线");
  });

  it("maintenance staff may open doors in their stores and nothing else", async () => {
    const id = await made();
    const mine = await act("open", id, { purpose: "PICKUP", waives: false }, people[2]);
    expect(mine.errMsg).toBe("");
    const owing = await made({ storedMinutesAgo: 150, no: 2 });
    const given = await act("open", owing, { purpose: "PICKUP", waives: true }, people[2]);
    expect(given).toMatchObject({ status: 403, data: null });
    expect(await get(owing)).toMatchObject({ waivedFen: 0 });
    for (const [action, body] of [
      ["cancel", {}],
      ["extend", { hours: 1 }],
      ["complete", { chargeFen: 0 }],
      ["refund", { amountFen: 1 }],
      ["resendCode", {}],
      ["markException", { fault: "OTHER" }],
    ] as const) {
      expect((await act(action, id, body, people[2])).status, action).toBe(403);
    }
  });
});

it("extend: starts from the due time, for an overdue order from now", async () => {
  const id = await made({ state: "OVERDUE" });
  await inTenant((db) =>
    db.run(sql`
      update storage_order set overdue_at = now() - interval '5 hours' where id = ${id}`),
  );
  expect((await act("extend", id, { hours: 24 })).errMsg).toBe("");
  const order = await get(id);
  expect(order.state).toBe("STORED");
  const hours = (Date.parse(order.overdueAt ?? "") - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  expect((await timeline(id))[0]).toMatchObject({ text: "延长存放", toState: "STORED" });
  expect((await act("extend", id, { hours: 721 })).errMsg).toContain("延长小时数");
});

it("resend code: a new code is sent and the old one is void", async () => {
  const id = await made();
  const hash = () =>
    inTenant((db) =>
      db.one<{ hash: string }>(sql`
        select encode(code_hash, 'hex') as hash from live_order where order_id = ${id}`),
    );
  const before = await hash();
  // No channel: the new code would reach nobody.
  await inTenant((db) => db.run(sql`update sms_channel set is_on = false`));
  expect((await act("resendCode", id, {})).errMsg).toContain("原取件码仍有效");
  expect(await hash()).toEqual(before);
  await inTenant((db) => insertSmsChannel(db, "平台"));
  expect((await act("resendCode", id, {})).errMsg).toBe("");
  expect(await hash()).not.toEqual(before);
  const [entry] = await timeline(id);
  expect(entry).toMatchObject({
    source: "SMS",
    text: "短信：取件码",
    actorName: operator.username,
  });
  expect(entry?.note).toMatch(/^发往 139\*{4}\d{4}，\d 条$/);
});

it("resend code: a text with a link leads to the web page of the order's cabinet", async () => {
  await inTenant((db) => insertSmsChannel(db, "平台"));
  const text = `取件码\${code}，取件：https://cabinets.example/\${path}`;
  const placeholders = [
    { name: "code", variable: "code" },
    { name: "path", variable: "path" },
  ];
  const { errMsg } = await testServer.call(templateContract.save, people[0], {
    body: {
      ...{ side: "SINGLE", scene: "PICKUP_CODE", plan: "SMS", subscribe: null, editVersion: 0 },
      sms: { templateCode: "SMS_490000002", text, placeholders },
    },
  });
  expect(errMsg).toBe("");
  expect((await act("resendCode", await made(), {})).errMsg).toBe("");
  const sent = await inTenant((db) =>
    db.one<{ sn: string; phone: string; sealed: Buffer }>(sql`
      select cabinet.sn, sms.phone, sms.sealed_text as sealed from sms_message sms
      join cabinet on cabinet.id = ${cabinetId}
      where sms.tenant_id = ${tenantId} order by sms.id desc limit 1`),
  );
  const read = openSmsText(testServer.database.vault, { tenantId, phone: sent.phone }, sent.sealed);
  expect(read).toMatch(new RegExp(`取件：https://cabinets.example/m/c/${sent.sn}/pickup$`));
});

it("resend code: limited per order", async () => {
  const id = await made();
  await inTenant((db) => insertSmsChannel(db, "平台"));
  const ask = () => act("resendCode", id, {}, operator, { "idempotency-key": randomUUID() });
  const replies = await Promise.all([ask(), ask(), ask()]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
  expect(replies.find(({ status }) => status === 429)?.errMsg).toMatch(
    /操作太频繁，请 \d+ 秒后再试/,
  );
  expect((await timeline(id)).filter(({ source }) => source === "SMS")).toHaveLength(1);
  const later = () => inTenant((db) => db.run(sql`delete from ask_count where key like '%/60'`));
  for (let n = 2; n <= 5; n++) {
    await later();
    expect((await ask()).errMsg).toBe("");
  }
  await later();
  expect(await ask()).toMatchObject({ status: 429, data: null });
});

describe("completing by force", () => {
  it("refused while the sensor sees an item; otherwise frees the compartment and charges the owed amount", async () => {
    const id = await made({ storedMinutesAgo: 150 });
    const seen = await act("complete", id, { chargeFen: 300 });
    expect(seen.errMsg).toContain("传感器仍检测到物品");
    await emptied();
    const tooMuch = await act("complete", id, { chargeFen: 301 });
    expect(tooMuch.errMsg).toBe("收取金额不能超过待付的 3 元");
    const before = await walletFen();
    expect((await act("complete", id, { chargeFen: 300 })).errMsg).toBe("");
    expect(await walletFen()).toBe(before - 300);
    expect(await get(id)).toMatchObject({
      ...{ state: "COMPLETED", payStatus: "PAID", priceFen: 300, paidPrincipalFen: 300 },
      place: null,
    });
    const money = (await timeline(id)).filter(({ source }) => source === "MONEY");
    expect(money).toMatchObject([{ text: "订单支付", amountFen: 300 }]);
    const cell = await inTenant((db) =>
      db.one<{ occupancy: string }>(sql`
        select occupancy from compartment
        where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and no = 1`),
    );
    expect(cell.occupancy).toBe("FREE");
  });

  it("charges nothing when the amount is waived", async () => {
    const id = await made({ storedMinutesAgo: 150 });
    await emptied();
    const before = await walletFen();
    await act("complete", id, { chargeFen: 0 });
    expect(await walletFen()).toBe(before);
    expect(await get(id)).toMatchObject({ state: "COMPLETED", payStatus: "NONE", waivedFen: 300 });
  });
});

it("cancel: ends an order before its deposit, refuses where goods may lie inside", async () => {
  const pending = await made({ state: "PENDING", storedMinutesAgo: null });
  await emptied();
  expect((await act("cancel", pending, {})).errMsg).toBe("");
  expect((await get(pending)).state).toBe("CANCELLED");
  const depositing = await made({ no: 2, state: "DEPOSITING", storedMinutesAgo: null });
  expect((await act("cancel", depositing, {})).errMsg).toBe(
    "现在不能取消：无法确认格口内没有物品，请现场核实",
  );
  expect(await get(depositing)).toMatchObject({ state: "DEPOSITING", exceptionReason: null });
  const stored = await made({ no: 3 });
  expect((await act("cancel", stored, {})).errMsg).toBe("订单当前状态为“待取件”，不能取消");
});

describe("refunding", () => {
  const paid = async () => {
    const money = { priceFen: 500, paidPrincipalFen: 300, paidBonusFen: 200 };
    const id = await made({ state: "COMPLETED", payStatus: "PAID", money });
    const split = { principalFen: 300, bonusFen: 200 };
    await inTenant((db) =>
      insertPayment(db, { tenantId, orderId: id, endUserId: userId, ...split }),
    );
    return id;
  };

  it("refunds bonus first, never more than was paid", async () => {
    const id = await paid();
    const before = await walletFen();
    expect((await act("refund", id, { amountFen: 250 })).errMsg).toBe("");
    expect(await get(id)).toMatchObject({
      ...{ payStatus: "PARTIAL_REFUND", refundedBonusFen: 200, refundedPrincipalFen: 50 },
    });
    expect(await walletFen()).toBe(before + 250);
    const tooMuch = await act("refund", id, { amountFen: 251 });
    expect(tooMuch.errMsg).toBe("退款不能超过已付未退的 2.50 元");
    expect((await act("refund", id, { amountFen: 250 })).errMsg).toBe("");
    expect((await get(id)).payStatus).toBe("REFUNDED");
    expect(await walletFen()).toBe(before + 500);
    const refunds = (await timeline(id)).filter(({ text }) => text === "订单退款");
    expect(refunds.map(({ amountFen }) => amountFen)).toEqual([-250, -250]);
  });

  it("one idempotency key refunds once, also for concurrent requests", async () => {
    const id = await paid();
    const before = await walletFen();
    const headers = { "idempotency-key": "refund-1" };
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => act("refund", id, { amountFen: 100 }, operator, headers)),
    );
    expect(replies.map(({ code }) => code)).toEqual(Array(6).fill(0));
    expect(await walletFen()).toBe(before + 100);
    const audits = await findAudit(testServer, tenantId);
    expect(audits.filter(({ call }) => call.endsWith("/refund"))).toHaveLength(1);
  });

  it("two concurrent refunds never exceed the paid amount", async () => {
    const id = await paid();
    const before = await walletFen();
    const replies = await Promise.all([
      act("refund", id, { amountFen: 400 }),
      act("refund", id, { amountFen: 400 }, people[0]),
    ]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await walletFen()).toBe(before + 400);
  });
});

it("mark exception: a stuck order becomes an exception and its compartment gets a malfunction", async () => {
  const id = await made({ no: 4 });
  expect((await act("markException", id, { fault: "OPEN_FAILED" })).errMsg).toBe("");
  expect(await get(id)).toMatchObject({ state: "EXCEPTION", exceptionReason: "用户来电要求" });
  const malfunctions = await inTenant((db) =>
    db.many(sql`
      select kind, compartment_no as no, state, description from malfunction
      where tenant_id = ${tenantId}`),
  );
  expect(malfunctions).toEqual([
    { kind: "OPEN_FAILED", no: 4, state: "CREATED", description: `订单 ${id}：用户来电要求` },
  ]);
  const again = await act("markException", id, { fault: "OTHER" });
  expect(again.errMsg).toBe("订单当前状态为“异常”，不能转为异常");
});

it("every order action requires a reason", async () => {
  const id = await made();
  for (const action of Object.keys(orderActionContract) as Action[]) {
    const reply = await testServer.call(orderActionContract[action], operator, {
      params: { id },
      body: {
        ...{ reason: " ", purpose: "PICKUP", waives: false, isOpened: true },
        ...{ hours: 1, amountFen: 1, fault: "OTHER" },
      },
    });
    expect(reply.code, action).toBe(1);
  }
  expect((await timeline(id)).length).toBe(0);
});
