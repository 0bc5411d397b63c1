// 查看取件码: the code that opens now, from a kept text message, for a reason, counted and audited.
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { beforeEach, expect, it } from "vitest";
import { findAudit, makeCabinet, makeStore } from "../../../../../../../tests/support/cabinets.ts";
import { insertSmsChannel } from "../../../../../../../tests/support/messages.ts";
import { insertEndUser, insertOrder } from "../../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { hashCode, possibleCodes } from "../transitions/pickup-code.crypto.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let cabinetId: number;
let storeId: number;
let recipientId: number;

const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction("platform", work);

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
  ({ id: cabinetId } = await makeCabinet(testServer, { tenantId, storeId, cells: [{}, {}, {}] }));
  recipientId = await inTenant((db) => insertEndUser(db, tenantId, "王丹"));
});

const stored = (more = {}) =>
  inTenant((db) => insertOrder(db, { tenantId, cabinetId, storeId, recipientId, ...more }));
const show = (id: number, as = people[1]) =>
  testServer.call(orderContract.showCode, as, { params: { id }, body: { reason: "已核实身份" } });
const sendNewCode = async (id: number) => {
  await inTenant(async (db) => {
    await db.run(sql`delete from ask_count`);
    await insertSmsChannel(db, "平台");
  });
  const sent = await testServer.call(orderActionContract.resendCode, people[1], {
    params: { id },
    body: { reason: "未收到短信" },
  });
  expect(sent.errMsg).toBe("");
};
const opens = (id: number, code: string) =>
  inTenant(async (db) => {
    const hash = hashCode(db.vault, { tenantId, cabinetId }, code);
    const found = await db.maybe(sql`
      select from live_order where order_id = ${id} and code_hash = ${hash}`);
    return found !== null;
  });

it("pickup code: shown for a reason, counted and audited without the code", async () => {
  const id = await stored();
  await sendNewCode(id);
  const { data } = await show(id);
  expect(data.code).toMatch(/^\d{6}$/);
  expect(await opens(id, data.code ?? "")).toBe(true);
  const audits = await findAudit(testServer, tenantId);
  expect(audits.at(-1)).toMatchObject({
    target: `订单 ${id} 的取件码`,
    reason: "已核实身份",
    after: { reveals: 1 },
  });
  expect(JSON.stringify(audits)).not.toContain(data.code);
});

it("pickup code: a replaced code is never shown", async () => {
  const id = await stored();
  await sendNewCode(id);
  const first = (await show(id)).data.code;
  await sendNewCode(id);
  const second = (await show(id)).data.code;
  expect(second).not.toBe(first);
  expect(await opens(id, second ?? "")).toBe(true);
});

it("pickup code: without a kept text there is none to show, and the day's count stays", async () => {
  const id = await stored();
  expect((await show(id)).data).toEqual({ code: null });
  const audits = await findAudit(testServer, tenantId);
  expect(audits.at(-1)).toMatchObject({
    target: `订单 ${id} 的取件码（没有可查看的原文）`,
    after: {},
  });
  await sendNewCode(id);
  await inTenant((db) => db.run(sql`update sms_message set sealed_text = '', phone = ''`));
  expect((await show(id)).data).toEqual({ code: null });
});

it("pickup code: refused without goods, without the permission, in another tenant and beyond the day's limit", async () => {
  const pending = await stored({ state: "PENDING", storedMinutesAgo: null });
  expect((await show(pending)).errMsg).toContain("不能查看取件码");
  const over = await stored({ no: 2, state: "COMPLETED" });
  expect((await show(over)).errMsg).toContain("不能查看取件码");
  const id = await stored({ no: 3 });
  await sendNewCode(id);
  expect((await show(id, people[2])).status).toBe(403);
  const { people: others } = await testServer.makeTenant();
  expect((await show(id, others[1])).errMsg).toContain("订单不存在");
  for (let n = 0; n < 100; n++) expect((await show(id)).errMsg).toBe("");
  expect((await show(id)).errMsg).toContain("已查看 100 次");
});

it("pickup code: found among the other digits that a template may put beside it", () => {
  expect(possibleCodes("12 号格口，取件码123456，7 天内")).toEqual(["123456"]);
  expect(possibleCodes("单号0012345678")).toContain("123456");
  expect(possibleCodes("请取件")).toEqual([]);
});
