// Orders over the open API: idempotent, and visible only to the application that created them.

import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { businessOrderContract } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { openCallContract } from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { openErrors, openStatus } from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { type CellFixture, makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import { insertSmsChannel } from "../../../../../../tests/support/messages.ts";
import {
  callOpen,
  makeOpenApp,
  type OpenCaller,
} from "../../../../../../tests/support/open-apps.ts";
import { insertOrder } from "../../../../../../tests/support/orders.ts";
import { withClient } from "../../../../../../tests/support/postgres.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { until } from "../../../../../../tests/support/webhooks.ts";
import { settleMessages } from "../../../backup/settle.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let operator: Person;
let app: OpenCaller;
let counter = 0;

beforeAll(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  operator = tenant.people[1];
  app = await makeOpenApp(testServer, { tenantId });
});

async function greeted(cells: CellFixture[] = [{}, {}, {}], of = tenantId) {
  const cabinet = await makeCabinet(testServer, { tenantId: of, cells });
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update cabinet set is_greeted = true where id = ${cabinet.id}`),
  );
  return cabinet;
}

const newNo = () => `SF${Date.now()}${counter++}`;
const request = (cabinetSn: string, more: object = {}) => ({
  ...{ thirdPartyNo: newNo(), cabinetSn, size: "S", recipientPhone: "13812345678" },
  ...more,
});
const create = (body: object, as = app, idempotencyKey?: string) =>
  callOpen(
    testServer,
    as,
    openApiContract.createOrder,
    { body },
    { ...(idempotencyKey && { idempotencyKey }) },
  );

const count = (from: "storage_order" | "command", cabinetId: number) =>
  testServer.database.read("platform", async (db) => {
    const table = from === "command" ? sql`command` : sql`storage_order`;
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from ${table} where cabinet_id = ${cabinetId}`,
    );
    return n;
  });

describe("open order: create", () => {
  it("reserves a compartment and opens no door unless requested", async () => {
    const cabinet = await greeted();
    const body = request(cabinet.sn, { itemNote: "两件", reserveMinutes: 60 });
    const { data, status } = await create(body);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      ...{ thirdPartyNo: body.thirdPartyNo, state: "PENDING", cabinetSn: cabinet.sn, no: 1 },
      ...{
        recipientPhone: "138****5678",
        itemNote: "两件",
        opening: null,
        priceFen: 0,
        owedFen: 0,
      },
    });
    const minutes = (Date.parse(data.depositUntil ?? "") - Date.parse(data.createdAt)) / 60_000;
    expect(Math.round(minutes)).toBe(60);
    expect(await count("command", cabinet.id)).toBe(0);
    const found = await callOpen(testServer, app, openApiContract.findOrder, {
      query: { thirdPartyNo: body.thirdPartyNo },
    });
    expect(found.data).toEqual(data);
  });

  it("opens the door at once if requested and reports the progress of the command", async () => {
    const cabinet = await greeted();
    const { data } = await create(request(cabinet.sn, { opensDoor: true }));
    expect(data.opening).toMatchObject({ purpose: "DEPOSIT", state: "QUEUED", isSettled: false });
    const opening = await callOpen(testServer, app, openApiContract.opening, {
      params: { id: data.opening?.id },
    });
    expect(opening.data).toEqual(data.opening);
  });

  it("does not open the door without the scope for it", async () => {
    const cabinet = await greeted();
    const modest = await makeOpenApp(testServer, { tenantId, scopes: ["order:write"] });
    const refused = await create(request(cabinet.sn, { opensDoor: true }), modest);
    expect(refused).toMatchObject({ status: 403, errCode: "NO_PERMISSION", scope: "order:open" });
    expect(await count("storage_order", cabinet.id)).toBe(0);
    expect(await create(request(cabinet.sn), modest)).toMatchObject({ status: 200 });
  });

  it("one idempotency key has one effect for 200 concurrent requests", async () => {
    const cabinet = await greeted(Array.from({ length: 8 }, () => ({})));
    const body = request(cabinet.sn, { opensDoor: true });
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => create(body, app, "one-key")),
    );
    expect(await count("storage_order", cabinet.id)).toBe(1);
    expect(await count("command", cabinet.id)).toBe(1);
    const good = replies.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set(good.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    // A request that waited too long, for the first or for a place, may be retried: it gets the same answer.
    const retried = ["REPEAT_IN_FLIGHT", "RATE_LIMITED", "OVERLOADED"];
    for (const reply of replies) {
      expect(reply.status === 200 || retried.includes(reply.errCode ?? ""), reply.errMsg).toBe(
        true,
      );
    }
    expect((await create(body, app, "one-key")).data).toEqual(good[0]?.data);
    const typed = {
      ...body,
      recipientPhone: `(+86)${body.recipientPhone.replace(/^.{3}/, "$&–")}\u200b`,
    };
    expect((await create(typed, app, "one-key")).data).toEqual(good[0]?.data);
    const other = await create({ ...body, size: "M" }, app, "one-key");
    expect(other).toMatchObject({ status: 409, errCode: "REPEAT_DIFFERS", code: 1 });
  });

  it("takes at most the application's share of a size, however many orders come at once", async () => {
    const cabinet = await greeted(Array.from({ length: 12 }, () => ({})));
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update compartment set size = 'M' where cabinet_id = ${cabinet.id} and no > 9`),
    );
    const own = { tenantId, reserveSharePercent: 33 };
    const [greedy, other] = [
      await makeOpenApp(testServer, own),
      await makeOpenApp(testServer, own),
    ];
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => create(request(cabinet.sn), greedy)),
    );
    const refused = replies.filter(({ errCode }) => errCode === "APP_RESERVATIONS_FULL");
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(refused).toHaveLength(37);
    expect(refused[0]).toMatchObject({ status: 422, errMsg: expect.stringContaining("3 个") });
    // The least, of a size with three compartments; another size and another application are free.
    const medium = request(cabinet.sn, { size: "M" });
    const more = await Promise.all(
      [0, 1, 2].map(() => create({ ...medium, thirdPartyNo: newNo() }, greedy)),
    );
    expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
    expect(await create(request(cabinet.sn), other)).toMatchObject({ status: 200 });
    // A cancelled reservation and stored goods count no more.
    const [first, second] = replies.filter(({ status }) => status === 200);
    await callOpen(testServer, greedy, openApiContract.cancelOrder, {
      params: { id: first?.data.id },
    });
    expect(await create(request(cabinet.sn), greedy)).toMatchObject({ status: 200 });
    expect(await create(request(cabinet.sn), greedy)).toMatchObject({ status: 422 });
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update storage_order set state = 'STORED', stored_at = now()
        where id = ${second?.data.id ?? 0}`),
    );
    const last = await create(request(cabinet.sn), greedy);
    expect(last).toMatchObject({ status: 200 });
    expect(await count("storage_order", cabinet.id)).toBe(3 + 2 + 1 + 1 + 1);
    // Opened, and left to run out with the door open: its compartment waits for staff.
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update storage_order set state = 'EXCEPTION' where id = ${last.data.id}`),
    );
    expect(await create(request(cabinet.sn), greedy)).toMatchObject({ status: 422 });
  });

  it("accepts a third party's order number once, whatever the idempotency key", async () => {
    const cabinet = await greeted();
    const body = request(cabinet.sn);
    const replies = await Promise.all([create(body), create(body), create(body)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await create(body)).toMatchObject({ status: 409, errCode: "ORDER_NO_TAKEN" });
    expect(await count("storage_order", cabinet.id)).toBe(1);
    const other = await makeOpenApp(testServer, { tenantId });
    expect(await create(body, other)).toMatchObject({ status: 200 });
  });

  it("requires an idempotency key", async () => {
    const cabinet = await greeted();
    const reply = await callOpen(
      testServer,
      app,
      openApiContract.createOrder,
      { body: request(cabinet.sn) },
      { idempotencyKey: null },
    );
    expect(reply).toMatchObject({ status: 400, errCode: "IDEMPOTENCY_KEY_REQUIRED" });
  });

  it("names the reason of a refusal", async () => {
    const full = await greeted([{ occupancy: "OCCUPIED" }]);
    const offline = await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
    const paused = await makeCabinet(testServer, { tenantId, lifecycle: "PAUSED" });
    const foreign = await greeted([{}], (await testServer.makeTenant()).id);
    const reasonOf = async (sn: string, more: object = {}) => {
      const { status, errCode } = await create(request(sn, more));
      return [status, errCode];
    };
    expect(await reasonOf(full.sn)).toEqual([422, "NO_FREE_COMPARTMENT"]);
    expect(await reasonOf(full.sn, { size: "XL" })).toEqual([422, "NO_FREE_COMPARTMENT"]);
    expect(await reasonOf(offline.sn)).toEqual([422, "CABINET_OFFLINE"]);
    expect(await reasonOf(paused.sn)).toEqual([422, "CABINET_TAKES_NO_ORDERS"]);
    expect(await reasonOf(foreign.sn)).toEqual(await reasonOf("NOBODY00001"));
    expect(await reasonOf(foreign.sn)).toEqual([404, "NOT_FOUND"]);
    expect(await reasonOf(full.sn, { recipientPhone: "12345" })).toEqual([400, "VALIDATION"]);
    expect(await reasonOf(full.sn, { colour: "red" })).toEqual([400, "VALIDATION"]);
    const cabinet = await greeted();
    const phone = "13911112222";
    await create(request(cabinet.sn, { recipientPhone: phone }));
    await testServer.database.transaction("platform", (db) =>
      db.run(
        sql`update end_user set state = 'LOCKED' where tenant_id = ${tenantId} and phone = ${phone}`,
      ),
    );
    expect(await reasonOf(cabinet.sn, { recipientPhone: phone })).toEqual([
      422,
      "RECIPIENT_LOCKED",
    ]);
  });
});

describe("open order: stored goods", () => {
  async function stored(of: OpenCaller, stepFen: number) {
    const cabinet = await greeted();
    const { data } = await create(request(cabinet.sn), of);
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`
        update storage_order set state = 'STORED', stored_at = now() - interval '90 minutes',
          overdue_at = now() + interval '1 day',
          pricing = jsonb_set(pricing, '{rule,stepFen}', ${String(stepFen)}::jsonb)
            || jsonb_build_object('scope', 'TENANT')
        where id = ${data.id}`);
      await db.run(sql`
        update storage_order set pricing = jsonb_set(jsonb_set(pricing, '{rule,freeMinutes}', '0'),
          '{rule,stepMinutes}', '60') where id = ${data.id}`);
      await db.run(sql`
        update live_order set deposit_until = null, overdue_at = now() + interval '1 day',
          code_hash = '\\x00' where order_id = ${data.id}`);
      await db.run(sql`
        update compartment set occupancy = 'OCCUPIED', item = 'PRESENT'
        where cabinet_id = ${cabinet.id} and no = ${data.no}`);
    });
    return { id: data.id, cabinet };
  }
  const open = (as: OpenCaller, id: number, purpose = "PICKUP") =>
    callOpen(testServer, as, openApiContract.openDoor, { params: { id }, body: { purpose } });

  it("opens without a charge when nothing is owed", async () => {
    const { id } = await stored(app, 0);
    expect(await open(app, id, "DEPOSIT")).toMatchObject({
      status: 422,
      errCode: "STATE_NOT_ALLOWED",
    });
    const { data, status } = await open(app, id);
    expect([status, data.purpose, data.state]).toEqual([200, "PICKUP", "QUEUED"]);
    expect(await open(app, id)).toMatchObject({ status: 422, errCode: "COMMAND_IN_FLIGHT" });
  });

  it("refuses to open while the recipient owes money, and charges no wallet", async () => {
    const { id, cabinet } = await stored(app, 150);
    expect(
      (await callOpen(testServer, app, openApiContract.order, { params: { id } })).data,
    ).toMatchObject({
      ...{ state: "STORED", priceFen: 300, owedFen: 300 },
    });
    const refused = await open(app, id);
    expect(refused).toMatchObject({ status: 422, errCode: "ORDER_OWES" });
    expect(refused.errMsg).toContain("3 元");
    expect(await count("command", cabinet.id)).toBe(0);
  });

  it("opens for an application that settles with the tenant, and waives the debt", async () => {
    const settling = await makeOpenApp(testServer, {
      tenantId,
      isSettling: true,
      name: "代收快递",
    });
    const { id } = await stored(settling, 150);
    expect(await open(settling, id, "TAKE_BACK")).toMatchObject({ status: 200 });
    const { data } = await testServer.call(businessOrderContract.list, operator, {
      query: { orderId: id },
    });
    expect(data.list[0]).toMatchObject({ appName: "代收快递", priceFen: 300, waivedFen: 300 });
    const timeline = await testServer.database.read("platform", (db) =>
      db.many<{ kind: string; actor: string }>(sql`
        select kind, actor_kind || ':' || actor_name as actor from order_event
        where order_id = ${id} order by id`),
    );
    expect(timeline.at(-1)).toEqual({ kind: "OPEN_REQUESTED", actor: "PARTNER:代收快递" });
  });

  it("gets a new pickup code, which voids the old one, unless nothing can carry the new one", async () => {
    const { id } = await stored(app, 0);
    const platform = <Result>(work: (db: Db) => Promise<Result>) =>
      testServer.database.transaction("platform", work);
    const hash = async () =>
      (
        await platform((db) =>
          db.one<{ hash: string }>(sql`
            select encode(code_hash, 'hex') as hash from live_order where order_id = ${id}`),
        )
      ).hash;
    const resend = () => callOpen(testServer, app, openApiContract.resendCode, { params: { id } });
    const before = await hash();
    await platform((db) => db.run(sql`update sms_channel set is_on = false`));
    expect(await resend()).toMatchObject({ status: 422, errCode: "CODE_NOT_SENDABLE" });
    expect(await hash()).toBe(before);
    await platform((db) => insertSmsChannel(db, "平台"));
    expect(await resend()).toMatchObject({ status: 200, data: null });
    expect(await hash()).not.toBe(before);
  });
});

describe("open order: cancel", () => {
  it("frees the compartment, once", async () => {
    const cabinet = await greeted([{}]);
    const { data } = await create(request(cabinet.sn));
    const cancel = () =>
      callOpen(
        testServer,
        app,
        openApiContract.cancelOrder,
        { params: { id: data.id } },
        { idempotencyKey: `c${data.id}` },
      );
    const first = await cancel();
    expect(first).toMatchObject({ status: 200, data: { state: "CANCELLED" } });
    expect(first.headers).not.toHaveProperty("idempotent-replayed");
    const second = await cancel();
    expect(second).toMatchObject({ status: 200, data: { state: "CANCELLED" } });
    expect(second.headers).toMatchObject({ "idempotent-replayed": "true" });
    const again = await callOpen(testServer, app, openApiContract.cancelOrder, {
      params: { id: data.id },
    });
    expect(again).toMatchObject({ status: 422, errCode: "STATE_NOT_ALLOWED" });
    expect(await create(request(cabinet.sn))).toMatchObject({ status: 200 });
  });
});

describe("open API: price by size and time", () => {
  const rule = {
    freeMinutes: 0,
    perUseFen: 0,
    stepMinutes: 60,
    stepFen: 100,
    capFen: null,
    overdueAfterMinutes: 1_440,
  };
  const clock = (minutes: number) => shanghaiClock(Date.now() + minutes * 60_000).slice(11, 16);

  it("an order keeps the rule of its size at its beginning; another one than was shown is refused", async () => {
    const cabinet = await greeted([{ size: "S" }, { size: "L" }, { size: "L" }]);
    const { overdueAfterMinutes: _, ...fees } = rule;
    const now = { from: clock(-60), to: clock(60) };
    const setRates = (hours: object) =>
      testServer.database.transaction("platform", (db) =>
        db.run(sql`
          insert into pricing_rule (tenant_id, cabinet_id, free_minutes, per_use_fen, step_minutes,
            step_fen, overdue_after_minutes, edited_by, rates)
          values (${tenantId}, ${cabinet.id}, 0, 0, 60, 100, 1440, 'x',
            ${JSON.stringify([{ ...fees, size: "L", hours, stepFen: 300 }])})
          on conflict (tenant_id, store_id, cabinet_id) do update set rates = excluded.rates`),
      );
    await setRates(now);
    const { data: shown } = await callOpen(testServer, app, openApiContract.cabinet, {
      params: { sn: cabinet.sn },
    });
    expect(shown.sizes.map(({ size, pricing }) => [size, pricing])).toEqual([
      ["S", "每 1 小时 1 元；超过 1 天为滞留"],
      ["L", "每 1 小时 3 元；超过 1 天为滞留"],
    ]);
    const { data: listed } = await callOpen(testServer, app, openApiContract.cabinets);
    expect(listed.list.find(({ sn }) => sn === cabinet.sn)?.sizes).toEqual(shown.sizes);
    const pricing = shown.sizes[1]?.pricing ?? "";
    const large = () => request(cabinet.sn, { size: "L", pricing });
    const made = await create(large());
    expect(made.data).toMatchObject({ size: "L", pricing });
    const copied = await testServer.database.read("platform", (db) =>
      db.one(sql`select pricing from storage_order where id = ${made.data.id}`),
    );
    expect(copied).toEqual({
      pricing: { version: 1, scope: "CABINET", rule: { ...rule, stepFen: 300 } },
    });
    await setRates({ from: now.to, to: now.from });
    expect(await create(large())).toMatchObject({
      ...{ status: 422, errCode: "PRICING_CHANGED" },
      errMsg: expect.stringContaining("每 1 小时 1 元"),
    });
    const { data: before } = await callOpen(testServer, app, openApiContract.order, {
      params: { id: made.data.id },
    });
    expect(before.pricing).toBe(pricing);
  });
});

describe("open API: queries", () => {
  it("lists the application's own orders by time with keyset pagination, and no others", async () => {
    const lister = await makeOpenApp(testServer, { tenantId });
    const cabinet = await greeted(Array.from({ length: 5 }, () => ({})));
    const made = [];
    for (let n = 0; n < 5; n++) made.push((await create(request(cabinet.sn), lister)).data);
    const seen: number[] = [];
    let after: number | null | undefined;
    do {
      const { data }: { data: { list: { id: number }[]; nextAfter: number | null } } =
        await callOpen(testServer, lister, openApiContract.orders, {
          query: { limit: 2, after: after ?? undefined },
        });
      seen.push(...data.list.map(({ id }) => id));
      after = data.nextAfter;
    } while (after !== null);
    expect(seen).toEqual(made.map(({ id }) => id).toSorted((one, other) => one - other));
    const none = await callOpen(testServer, lister, openApiContract.orders, {
      query: { to: "2026-01-01T00:00:00.000Z" },
    });
    expect(none.data).toEqual({ list: [], nextAfter: null, cursor: null });
    const wrong = await callOpen(testServer, lister, openApiContract.orders, {
      query: { from: "2026-02-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" },
    });
    expect(wrong).toMatchObject({ status: 400, errCode: "VALIDATION" });
  });

  it("counts free compartments by size and names why a cabinet accepts nothing", async () => {
    const tenant = await testServer.makeTenant();
    const caller = await makeOpenApp(testServer, { tenantId: tenant.id });
    const one = await greeted(
      [{}, { occupancy: "OCCUPIED" }, { adminState: "DISABLED" }],
      tenant.id,
    );
    const two = await makeCabinet(testServer, { tenantId: tenant.id, connectivity: "OFFLINE" });
    const { data } = await callOpen(testServer, caller, openApiContract.cabinets);
    expect(data.nextAfter).toBeNull();
    expect(data.list.map(({ sn }) => sn)).toEqual([one.sn, two.sn].toSorted());
    const oneOf = (sn: string) => data.list.find((cabinet) => cabinet.sn === sn);
    expect(oneOf(one.sn)).toMatchObject({
      ...{
        isOnline: true,
        refusal: null,
        refusalCode: null,
        sizes: [{ size: "S", total: 3, free: 1 }],
      },
    });
    expect(oneOf(two.sn)).toMatchObject({
      ...{ isOnline: false, refusal: "设备不在线", refusalCode: "OFFLINE" },
    });
    const { data: alone } = await callOpen(testServer, caller, openApiContract.cabinet, {
      params: { sn: one.sn },
    });
    expect(alone).toEqual(oneOf(one.sn));
    const { data: first } = await callOpen(testServer, caller, openApiContract.cabinets, {
      query: { limit: 1 },
    });
    expect(first.nextAfter).toBe(first.list[0]?.sn);
    const { data: second } = await callOpen(testServer, caller, openApiContract.cabinets, {
      query: { limit: 1, after: first.nextAfter },
    });
    expect([...first.list, ...second.list].map(({ sn }) => sn)).toEqual(
      [one.sn, two.sn].toSorted(),
    );
  });

  it("hides orders of other applications and of the console", async () => {
    const cabinet = await greeted();
    const { data } = await create(request(cabinet.sn), await makeOpenApp(testServer, { tenantId }));
    const { id: recipientId } = await testServer.database.read("platform", (db) =>
      db.one<{ id: number }>(sql`select id from end_user where tenant_id = ${tenantId} limit 1`),
    );
    const ours = await testServer.database.transaction("platform", (db) =>
      insertOrder(db, { tenantId, cabinetId: cabinet.id, no: 3, recipientId }),
    );
    for (const id of [data.id, ours, 1]) {
      const reply = await callOpen(testServer, app, openApiContract.order, { params: { id } });
      expect(reply).toMatchObject({
        status: 404,
        errCode: "NOT_FOUND",
        errMsg: expect.stringContaining("订单不存在"),
      });
    }
  });
});

describe("open API: what the tenant sees", () => {
  it("knows the state that the third party received", async () => {
    const cabinet = await greeted();
    const { data } = await create(request(cabinet.sn));
    const row = async () => {
      const reply = await testServer.call(businessOrderContract.list, operator, {
        query: { orderId: data.id },
      });
      return reply.data.list[0];
    };
    expect(await row()).toMatchObject({ difference: "SAME", toldState: "PENDING" });
    await testServer.call(orderActionContract.cancel, operator, {
      params: { id: data.id },
      body: { reason: "骑手改派" },
    });
    expect(await row()).toMatchObject({
      difference: "BEHIND",
      toldState: "PENDING",
      state: "CANCELLED",
    });
    const behind = await testServer.call(businessOrderContract.list, operator, {
      query: { difference: "BEHIND", orderId: data.id },
    });
    expect(behind.data.total).toBe(1);
    await callOpen(testServer, app, openApiContract.order, { params: { id: data.id } });
    expect(await row()).toMatchObject({ difference: "SAME", toldState: "CANCELLED" });
  });

  it("records every call with masked phones", async () => {
    const cabinet = await greeted();
    const body = request(cabinet.sn, { itemNote: "请打 13812345678" });
    const made = await create(body, app, `key-${body.thirdPartyNo}`);
    await create(body, app, `key-${body.thirdPartyNo}`);
    const { data } = await testServer.call(openCallContract.list, operator, {
      query: { thirdPartyNo: body.thirdPartyNo },
    });
    expect(data.list.map(({ outcome, orderId }) => [outcome, orderId])).toEqual([
      ["OK", made.data.id],
      ["OK", made.data.id],
    ]);
    for (const { id } of data.list) {
      const detail = await testServer.call(openCallContract.get, operator, { params: { id } });
      expect(JSON.stringify(detail.data)).not.toContain("13812345678");
      expect(detail.data.requestBody).toContain("138****5678");
    }
  });

  it("sends no undocumented fields to the third party", () => {
    for (const code of Object.keys(openErrors) as ErrorCode[]) {
      expect([400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 431, 500, 503]).toContain(
        openStatus(code),
      );
    }
  });
});

describe("orders by their changes", () => {
  const changes = async (query: object, as = app) => {
    const { data, errMsg } = await callOpen(testServer, as, openApiContract.orders, { query });
    expect(errMsg).toBe("");
    return { ids: data.list.map(({ id }) => id), ...data, cursor: data.cursor ?? "" };
  };
  /** Transactions of other files in the same cluster hold changes back for a moment. */
  const wholeChanges = (query: object, as: OpenCaller, count: number) =>
    until(
      () => changes(query, as),
      ({ ids }) => ids.length === count,
    );
  const cancel = (id: number) =>
    testServer.call(orderActionContract.cancel, operator, {
      params: { id },
      body: { reason: "骑手改派" },
    });

  it("each changed order once, after its last change, from the cursor on", async () => {
    const own = await makeOpenApp(testServer, { tenantId });
    const { sn } = await greeted();
    const start = new Date().toISOString();
    const [first, second] = [
      (await create(request(sn), own)).data.id,
      (await create(request(sn), own)).data.id,
    ];
    const initial = await wholeChanges({ updatedAfter: start, limit: 1 }, own, 1);
    expect(initial).toMatchObject({ ids: [first], nextAfter: null });
    await cancel(first);
    const rest = await wholeChanges({ cursor: initial.cursor }, own, 2);
    expect(rest).toMatchObject({ ids: [second, first] });
    expect(rest.list.map(({ state }) => state)).toEqual(["PENDING", "CANCELLED"]);
    expect(await changes({ cursor: rest.cursor }, own)).toMatchObject({
      ...{ ids: [], cursor: rest.cursor },
    });
    const later = new Date(Date.now() + 1).toISOString();
    expect((await changes({ updatedAfter: later }, own)).ids).toEqual([]);
    expect((await changes({ updatedAfter: start })).ids).toEqual([]);
    expect((await changes({}, own)).cursor).toBe("");
  });

  it("a transaction that commits late is never skipped", async () => {
    const own = await makeOpenApp(testServer, { tenantId });
    const { sn } = await greeted();
    const start = new Date().toISOString();
    const slow = (await create(request(sn), own)).data.id;
    const seen = await wholeChanges({ updatedAfter: start }, own, 1);
    let quick = 0;
    await testServer.database.transaction({ tenantId }, async (db) => {
      await db.run(sql`
        insert into order_event (tenant_id, order_id, kind, actor_kind, actor_name)
        values (${tenantId}, ${slow}, 'EXTENDED', 'SYSTEM', '')`);
      quick = (await create(request(sn), own)).data.id;
      // The later change is committed, and waits for the earlier one.
      expect(await changes({ cursor: seen.cursor }, own)).toMatchObject({ ids: [] });
    });
    expect((await wholeChanges({ cursor: seen.cursor }, own, 2)).ids).toEqual([slow, quick]);
  });

  it("other filters are refused, a cursor of another list too", async () => {
    for (const query of [
      { updatedAfter: "2026-11-01T00:00:00Z", state: "STORED" },
      { cursor: "c0.1.1", after: 1 },
      { cursor: "1" },
    ]) {
      const reply = await callOpen(testServer, app, openApiContract.orders, { query });
      expect(reply).toMatchObject({ status: 400, errCode: "VALIDATION" });
    }
  });

  it("after a restoration: changes of the former cluster are listed, its cursors refused", async () => {
    const own = await makeOpenApp(testServer, { tenantId });
    const { sn } = await greeted();
    const start = new Date().toISOString();
    const { id } = (await create(request(sn), own)).data;
    const before = await wholeChanges({ updatedAfter: start }, own, 1);
    // The number of the transaction that changed it lies in this cluster's future.
    await withClient(testServer.url, (client) =>
      client.query("update business_order_change set change_tx = 4e12"),
    );
    expect((await changes({ updatedAfter: start }, own)).ids).toEqual([]);
    await withClient(testServer.url, settleMessages);
    expect((await changes({ updatedAfter: start }, own)).ids).toEqual([id]);
    const query = { cursor: before.cursor };
    const reply = await callOpen(testServer, own, openApiContract.orders, { query });
    expect(reply).toMatchObject({ status: 400, errMsg: expect.stringContaining("updatedAfter") });
  });
});
